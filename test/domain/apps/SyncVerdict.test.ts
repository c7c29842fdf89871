/** What follows from an attempt to tell an integration of a change. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { probeEveryMs, reconnectAfterMs, syncDelaysMs, syncVerdict } from "../../../src/domain/apps/SyncVerdict.ts"

const now = Date.parse("2026-11-25T10:00:00.000Z")
const attempt = { failures: 0, failingSince: null, now, random: 0.5 }
const message = "HubSpot answered 503."

describe("an attempt to tell an integration", () => {
  it("that was taken ends the change and shows that the credentials work", () => {
    expect(syncVerdict({ ...attempt, failure: undefined })).toMatchObject({ task: "done", credentials: "works" })
  })

  it("is repeated for more than a day, and then given up", () => {
    const total = syncDelaysMs.reduce((sum, ms) => sum + ms, 0)
    expect(total).toBeGreaterThan(24 * 3_600_000)
    for (let failures = 0; failures < syncDelaysMs.length; failures++)
      expect(syncVerdict({ ...attempt, failures, failure: { action: "retry", message } })).toMatchObject({
        task: "again",
        counts: true
      })
    const last = syncVerdict({ ...attempt, failures: syncDelaysMs.length, failure: { action: "retry", message } })
    expect(last).toMatchObject({ task: "dead", error: message, dueAt: null })
  })

  it("that is asked to wait counts as no failure, and lets the whole connection wait", () => {
    const failure = { action: "wait", message, retryAfterMs: 7_000 } as const
    expect(syncVerdict({ ...attempt, failures: 8, failure })).toMatchObject({
      ...{ task: "again", counts: false, dueAt: now, resumeAt: now + 7_000 },
      credentials: undefined
    })
  })

  it("with refused credentials is tried again every 5 minutes for 4 days, then a person must connect again", () => {
    const failure = { action: "reconnect", message } as const
    const failing = { task: "again", counts: false, credentials: "failing", resumeAt: now + probeEveryMs }
    expect(syncVerdict({ ...attempt, failure })).toMatchObject(failing)
    expect(syncVerdict({ ...attempt, failure, failingSince: now - reconnectAfterMs + 1 })).toMatchObject(failing)
    const lost = { task: "again", counts: false, credentials: "reconnect", resumeAt: null }
    expect(syncVerdict({ ...attempt, failure, failingSince: now - reconnectAfterMs })).toMatchObject(lost)
    expect(syncVerdict({ ...attempt, failure: { ...failure, final: true } })).toMatchObject(lost)
  })

  it("never loses a change: it is done, given up with a sentence, or due at a time that is not past", () => {
    const failures = fc.option(
      fc.record({
        action: fc.constantFrom("retry" as const, "wait" as const, "give_up" as const, "reconnect" as const),
        message: fc.constant(message),
        retryAfterMs: fc.integer({ min: 0, max: 1e12 }),
        final: fc.boolean()
      }),
      { nil: undefined }
    )
    const given = fc.record({
      failure: failures,
      failures: fc.nat(20),
      failingSince: fc.option(fc.integer({ min: 0, max: now })),
      now: fc.constant(now),
      random: fc.float({ min: 0, max: 1, noNaN: true })
    })
    fc.assert(
      fc.property(given, (one) => {
        const { task, dueAt, error, resumeAt } = syncVerdict(one)
        expect(dueAt !== null && dueAt >= now).toBe(task === "again")
        expect(error !== null).toBe(task !== "done")
        if (resumeAt !== null) expect(resumeAt).toBeLessThanOrEqual(now + 86_400_000)
      })
    )
  })
})
