/** Times on the clocks of a time zone, as snoozing and schedules use them. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clockOn, daysToMonday, momentOf, wallTime } from "../../web/src/lib/zone.ts"

const zones = ["UTC", "Asia/Kolkata", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Chatham"]
const iso = (at: number) => new Date(at).toISOString()

describe("a time on the clocks of a zone", () => {
  it("is the moment at which they show it", () => {
    const moments = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (zone, at) => {
        const minute = Math.floor(at / 60_000) * 60_000
        const wall = wallTime(zone, minute)
        // An hour that the clocks show twice has two moments.
        expect(wallTime(zone, momentOf(zone, wall))).toBe(wall)
      })
    )
  })
  it("is nine in the morning tomorrow and on Monday, also when the clocks change over night", () => {
    const saturday = Date.parse("2026-10-24T20:00:00Z")
    expect(iso(clockOn("Europe/Berlin", saturday, 1, 9))).toBe("2026-10-25T08:00:00.000Z")
    expect(iso(clockOn("Asia/Kolkata", saturday, 1, 9))).toBe("2026-10-26T03:30:00.000Z")
    expect(daysToMonday("Europe/Berlin", saturday)).toBe(2)
    expect(daysToMonday("Asia/Kolkata", saturday)).toBe(1)
    expect(daysToMonday("UTC", Date.parse("2026-11-23T12:00:00Z"))).toBe(7)
  })
  it("is no number for what is no time", () => {
    expect(momentOf("UTC", "")).toBeNaN()
    expect(momentOf("UTC", "2026-13-40T99:99")).toBeNaN()
  })
})
