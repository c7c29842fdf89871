import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { addDays, dayAt, daysBetween, isTimeZone, period, startOfDay } from "../../../src/domain/basics/Calendar.ts"

describe("days of a time zone", () => {
  it("an instant belongs to the local day of the time zone", () => {
    const at = Date.parse("2026-11-30T20:00:00Z")
    assert.deepStrictEqual(
      ["UTC", "Asia/Kolkata", "America/Los_Angeles", "No/Where"].map((zone) => dayAt(at, zone)),
      ["2026-11-30", "2026-12-01", "2026-11-30", "2026-11-30"]
    )
  })

  it("a day begins at its first instant, even when clocks skip midnight or midnight comes twice", () => {
    assert.strictEqual(startOfDay("2026-12-01", "Asia/Kolkata"), Date.parse("2026-11-30T18:30:00Z"))
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("1990-01-01", days))
    const zone = fc.constantFrom(
      "UTC",
      "Asia/Kolkata",
      "America/New_York",
      "America/Sao_Paulo",
      "Australia/Lord_Howe",
      "Africa/Cairo"
    )
    fc.assert(
      fc.property(day, zone, (date, timeZone) => {
        const start = startOfDay(date, timeZone)
        assert.strictEqual(dayAt(start, timeZone), date)
        assert.strictEqual(dayAt(start - 1, timeZone), addDays(date, -1))
      })
    )
  })

  it("the number of days includes the first and the last one", () => {
    assert.strictEqual(daysBetween("2026-02-27", "2026-03-01"), 3)
    assert.strictEqual(daysBetween("2026-03-01", "2026-03-01"), 1)
    assert.isBelow(daysBetween("2026-03-02", "2026-03-01"), 1)
  })

  it("only IANA names are valid time zones", () => {
    assert.isTrue(isTimeZone("America/Argentina/Buenos_Aires"))
    assert.isTrue(isTimeZone("UTC"))
    for (const none of ["", "+05:30", "Mars/Olympus", "Europe/Berlin; DROP"]) assert.isFalse(isTimeZone(none), none)
  })

  it("a report covers the days asked for, or the usual number of days until today, and at most a year", () => {
    const usual = (to: string) => addDays(to, -6)
    const asked = (query: { from?: string; to?: string }) =>
      Effect.runSync(Effect.exit(period(query, "2026-11-21", usual)))
    const days = (query: { from?: string; to?: string }) => Effect.runSync(period(query, "2026-11-21", usual))
    assert.deepStrictEqual(days({}), { from: "2026-11-15", to: "2026-11-21" })
    assert.deepStrictEqual(days({ to: "2026-01-07" }), { from: "2026-01-01", to: "2026-01-07" })
    assert.deepStrictEqual(days({ from: "2026-11-01" }), { from: "2026-11-01", to: "2026-11-21" })
    assert.deepStrictEqual(days({ from: "2026-12-24" }), { from: "2026-12-24", to: "2026-12-24" })
    assert.deepStrictEqual(days({ from: "2024-01-01", to: "2024-12-31" }).from, "2024-01-01")
    assert.strictEqual(asked({ from: "2024-01-01", to: "2025-01-01" })._tag, "Failure")
    assert.strictEqual(asked({ from: "2026-11-22", to: "2026-11-21" })._tag, "Failure")
  })
})
