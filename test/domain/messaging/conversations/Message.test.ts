import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type MessageProgress,
  reported,
  type StatusReport
} from "../../../../src/domain/messaging/conversations/Message.ts"

const queued: MessageProgress = {
  status: "queued",
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  failure: null
}
const ladder = ["queued", "sent", "delivered", "read"]
const time = fc.integer({ min: 0, max: 1_000 }).map((ms) => new Date(1_780_000_000_000 + ms).toISOString())
const step = fc.record({ status: fc.constantFrom("sent" as const, "delivered" as const, "read" as const), at: time })
const failure: fc.Arbitrary<StatusReport> = time.map((at) => ({
  status: "failed",
  at,
  failure: { code: "131026", reason: "Undeliverable." }
}))
const reports = fc.array(fc.oneof({ weight: 4, arbitrary: step as fc.Arbitrary<StatusReport> }, failure), {
  maxLength: 10
})

describe("the status of a message", () => {
  it("never goes back, in whatever order the channel reports", () => {
    fc.assert(
      fc.property(reports, (all) => {
        let before = queued
        for (const report of all) {
          const now = reported(before, report)
          if (before.status === "failed") assert.deepStrictEqual(now, before)
          else if (now.status !== "failed") assert.isAtLeast(ladder.indexOf(now.status), ladder.indexOf(before.status))
          else assert.include(["queued", "sent"], before.status)
          assert.strictEqual(now.status === "failed", now.failure !== null)
          before = now
        }
      })
    )
  })

  it("ends the same whatever the order of the steps, each with its earliest time", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (all, order) => {
          const shuffled = all
            .map((report, i) => ({ report, key: order[i] ?? i }))
            .sort((a, b) => a.key - b.key)
            .map(({ report }) => report)
          assert.deepStrictEqual(shuffled.reduce(reported, queued), all.reduce(reported, queued))
        }
      )
    )
  })

  it("gives a skipped step its time when the report comes late", () => {
    const read = reported(queued, { status: "read", at: "2026-11-21T10:00:03.000Z" })
    const late = reported(read, { status: "delivered", at: "2026-11-21T10:00:01.000Z" })
    assert.strictEqual(late.status, "read")
    assert.strictEqual(late.deliveredAt, "2026-11-21T10:00:01.000Z")
  })

  it("takes no reports for a message that a contact wrote", () => {
    const received: MessageProgress = { ...queued, status: "received" }
    assert.strictEqual(reported(received, { status: "read", at: "2026-11-21T10:00:03.000Z" }), received)
  })
})
