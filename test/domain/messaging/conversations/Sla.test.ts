import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  nextDue,
  type SlaEvent,
  slaAfter,
  slaMissed,
  stoppedClock
} from "../../../../src/domain/messaging/conversations/Sla.ts"
import { afterOpenTime, type BusinessHours, isOpen } from "../../../../src/domain/people/organizations/BusinessHours.ts"

const minute = 60_000
const hour = 60 * minute
const office: BusinessHours = {
  weekly: (["monday", "tuesday", "wednesday", "thursday", "friday"] as const).map((day) => ({
    day,
    opens: "09:00",
    closes: "17:00"
  })),
  holidays: [{ date: "2026-12-25", hours: [] }]
}

describe("time within business hours", () => {
  // 2026-11-20 is a Friday. Kolkata is UTC+5:30, so 17:00 there is 11:30 UTC.
  it.each([
    ["within the day", "2026-11-20T05:00:00Z", 2 * hour, "2026-11-20T07:00:00Z"],
    ["until it closes", "2026-11-20T10:30:00Z", hour, "2026-11-20T11:30:00Z"],
    ["over the weekend", "2026-11-20T11:00:00Z", hour, "2026-11-23T04:00:00Z"],
    ["from outside", "2026-11-21T00:00:00Z", minute, "2026-11-23T03:31:00Z"],
    ["over a holiday", "2026-12-24T11:00:00Z", hour, "2026-12-28T04:00:00Z"]
  ])("%s", (_, from, duration, to) => {
    const at = afterOpenTime(office, "Asia/Kolkata", Date.parse(from), duration)
    assert.strictEqual(at === undefined ? at : new Date(at).toISOString(), new Date(to).toISOString())
  })

  it("never passes where it is never open, and is plain time where there are no hours", () => {
    assert.isUndefined(afterOpenTime({ weekly: [], holidays: [] }, "UTC", 0, 1))
    assert.strictEqual(afterOpenTime(null, "UTC", 5, hour), 5 + hour)
  })

  it("is as much as was asked for, also when the clocks change", () => {
    const starts = fc.integer({ min: Date.parse("2026-10-20T00:00:00Z"), max: Date.parse("2026-11-05T00:00:00Z") })
    fc.assert(
      fc.property(starts, fc.integer({ min: 1, max: 30 * 60 }), (start, minutes) => {
        const from = Math.floor(start / minute) * minute
        const to = afterOpenTime(office, "Europe/Berlin", from, minutes * minute)
        assert.isDefined(to)
        let open = 0
        for (let at = from; at < to; at += minute) if (isOpen(office, "Europe/Berlin", at)) open++
        assert.strictEqual(open, minutes)
      }),
      { numRuns: 30 }
    )
  })
})

describe("due times", () => {
  const terms = {
    policy: { firstResponseMinutes: 10, resolutionMinutes: 60, businessHoursOnly: false },
    businessHours: null,
    timeZone: "UTC"
  }
  const step = fc.record({
    event: fc.constantFrom<SlaEvent>("inbound", "answered", "resolved", "reopened"),
    afterMs: fc.integer({ min: 0, max: 30 * minute }),
    looks: fc.boolean()
  })

  it("are missed once per opening, never before they are due, and not after they were met", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let clock = stoppedClock
        let now = 0
        let told: Array<string> = []
        for (const { event, afterMs, looks } of steps) {
          now += afterMs
          const due = nextDue(clock)
          if (looks) {
            const { clock: after, targets } = slaMissed(clock, terms, now)
            assert.strictEqual(targets.length > 0, due !== null && due <= now)
            assert.deepStrictEqual(slaMissed(after, terms, now).targets, [])
            for (const target of targets) assert.notInclude(told, target)
            told.push(...targets)
            clock = after
          }
          const began = clock.since
          clock = slaAfter(clock, event, terms, now)
          if (clock.since !== began && clock.since !== null) told = []
          if (event === "answered") assert.isNull(clock.responseDueAt)
          if (event === "resolved") assert.isNull(nextDue(clock))
          if (event === "inbound") assert.isNotNull(clock.since)
        }
      })
    )
  })

  it("do not exist without a policy", () => {
    assert.deepStrictEqual(slaAfter(stoppedClock, "inbound", null, 5), stoppedClock)
    const running = slaAfter(stoppedClock, "inbound", terms, 5)
    assert.isNull(nextDue(slaMissed(running, null, 10 * hour).clock))
    assert.deepStrictEqual(slaMissed(running, null, 10 * hour).targets, [])
  })
})
