import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import {
  BusinessHours,
  isOpen,
  nextOpening,
  openingState,
  weekdays
} from "../../../../src/domain/people/organizations/BusinessHours.ts"

const minuteMs = 60_000
const at = (text: string) => Date.parse(text)
const every = (...hours: ReadonlyArray<readonly [string, string]>): BusinessHours => ({
  weekly: weekdays.flatMap((day) => hours.map(([opens, closes]) => ({ day, opens, closes }))),
  holidays: []
})
const officeHours: BusinessHours = {
  weekly: [
    ...weekdays.slice(0, 5).map((day) => ({ day, opens: "09:00", closes: "17:00" })),
    { day: "saturday", opens: "22:00", closes: "02:00" }
  ],
  holidays: [
    { date: "2026-12-24", name: "Christmas Eve", hours: [{ opens: "09:00", closes: "12:00" }] },
    { date: "2026-12-25", name: "Christmas", hours: [] }
  ]
}

/** Local time as Intl writes it: minutes of the day, and the days by name and date. */
const formats = new Map<string, Intl.DateTimeFormat>()
const wall = (timeZone: string, instant: number) => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "full", timeStyle: "short", hourCycle: "h23" })
  formats.set(timeZone, format)
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const date = new Date(`${part.month} ${part.day}, ${part.year} UTC`)
  return { date, clock: `${part.hour.padStart(2, "0")}:${part.minute.padStart(2, "0")}` }
}

/** The rule of opening hours by comparing texts; slow, and independent of the code under test. */
const oracle = (hours: BusinessHours, timeZone: string, instant: number): boolean => {
  const { date, clock } = wall(timeZone, instant)
  const of = (day: Date) => {
    const special = hours.holidays.find((holiday) => holiday.date === day.toISOString().slice(0, 10))
    const name = day.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }).toLowerCase()
    return special === undefined ? hours.weekly.filter((entry) => entry.day === name) : special.hours
  }
  const yesterday = new Date(date.getTime() - 86_400_000)
  return (
    of(date).some(({ opens, closes }) => opens <= clock && (clock < closes || closes <= opens)) ||
    of(yesterday).some(({ opens, closes }) => closes <= opens && clock < closes)
  )
}

const clockTime = fc
  .integer({ min: 0, max: 47 })
  .map((half) => `${String(half >> 1).padStart(2, "0")}:${half % 2 === 0 ? "00" : "30"}`)
const openHours = fc
  .record({ opens: clockTime, closes: fc.oneof(clockTime, fc.constant("24:00")) })
  .filter(({ opens, closes }) => opens !== closes)
const businessHours: fc.Arbitrary<BusinessHours> = fc.record({
  weekly: fc.array(
    fc.record({ day: fc.constantFrom(...weekdays), hours: openHours }).map(({ day, hours }) => ({ day, ...hours })),
    { maxLength: 8 }
  ),
  holidays: fc.uniqueArray(
    fc.record({
      date: fc
        .integer({ min: 0, max: 6 })
        .map((day) => `2026-03-${String(27 + day - (day > 4 ? 20 : 0)).padStart(2, "0")}`),
      hours: fc.array(openHours, { maxLength: 2 })
    }),
    { selector: ({ date }) => date, maxLength: 4 }
  )
})
/** Instants around the nights on which clocks change, in zones with and without such changes. */
const moment = fc
  .record({
    timeZone: fc.constantFrom("America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"),
    night: fc.constantFrom("2026-03-08", "2026-11-01", "2026-03-29", "2026-10-25", "2026-04-05", "2026-10-04"),
    minutes: fc.integer({ min: -2 * 1_440, max: 2 * 1_440 })
  })
  .map(({ timeZone, night, minutes }) => ({ timeZone, instant: at(`${night}T00:00:00Z`) + minutes * minuteMs }))

describe("business hours", () => {
  it("are no limit when an organization has none", () => {
    assert.isTrue(isOpen(null, "Europe/Berlin", at("2026-12-25T03:00:00Z")))
    assert.strictEqual(nextOpening(null, "Europe/Berlin", 5), 5)
    assert.isFalse(isOpen({ weekly: [], holidays: [] }, "Europe/Berlin", 5))
    assert.isUndefined(nextOpening({ weekly: [], holidays: [] }, "Europe/Berlin", 5))
    assert.deepStrictEqual(openingState(null, "Europe/Berlin", 5), { open: true, opensAt: null })
    const never = openingState({ weekly: [], holidays: [] }, "Europe/Berlin", 5)
    assert.deepStrictEqual(never, { open: false, opensAt: null })
    const dayOff = openingState(officeHours, "Europe/Berlin", at("2026-12-24T12:00+01:00"))
    assert.deepStrictEqual(dayOff, { open: false, opensAt: "2026-12-26T21:00:00.000Z" })
  })

  it("open on the minute and close on the minute, in the organization's time zone", () => {
    const open = (text: string) => isOpen(officeHours, "Asia/Kolkata", new Date(text))
    assert.isFalse(open("2026-11-20T03:29:59.999Z"))
    assert.isTrue(open("2026-11-20T03:30:00.000Z"))
    assert.isTrue(open("2026-11-20T11:29:59.999Z"))
    assert.isFalse(open("2026-11-20T11:30:00.000Z"))
    // Friday 20:00 in Los Angeles is Saturday morning in Kolkata.
    assert.isFalse(open("2026-11-21T04:00:00.000Z"))
  })

  it("run over midnight into the next day, also into a holiday", () => {
    const open = (text: string) => isOpen(officeHours, "UTC", at(text))
    assert.deepStrictEqual(
      ["2026-11-21T21:59:00Z", "2026-11-21T22:00:00Z", "2026-11-22T01:59:00Z", "2026-11-22T02:00:00Z"].map(open),
      [false, true, true, false]
    )
    const nights = { ...every(["20:00", "03:00"]), holidays: [{ date: "2026-12-25", hours: [] }] }
    assert.isTrue(isOpen(nights, "UTC", at("2026-12-25T02:00:00Z")))
    assert.isFalse(isOpen(nights, "UTC", at("2026-12-25T21:00:00Z")))
    assert.isFalse(isOpen(nights, "UTC", at("2026-12-26T02:00:00Z")))
  })

  it("are a holiday's own on a holiday", () => {
    const open = (text: string) => isOpen(officeHours, "Europe/Berlin", at(`${text}+01:00`))
    assert.isTrue(open("2026-12-23T15:00"))
    assert.isTrue(open("2026-12-24T11:00"))
    assert.isFalse(open("2026-12-24T15:00"))
    assert.isFalse(open("2026-12-25T11:00"))
    assert.strictEqual(
      nextOpening(officeHours, "Europe/Berlin", at("2026-12-24T12:00+01:00")),
      at("2026-12-26T22:00+01:00")
    )
  })

  it("follow the clocks when they change: the same local hours at another instant", () => {
    const opening = (timeZone: string, text: string) =>
      new Date(nextOpening(officeHours, timeZone, at(text)) ?? Number.NaN).toISOString()
    assert.strictEqual(opening("America/New_York", "2026-03-06T22:30:00Z"), "2026-03-08T03:00:00.000Z")
    assert.strictEqual(opening("America/New_York", "2026-03-08T12:00:00Z"), "2026-03-09T13:00:00.000Z")
    assert.strictEqual(opening("America/New_York", "2026-11-01T12:00:00Z"), "2026-11-02T14:00:00.000Z")
    assert.strictEqual(opening("Europe/Berlin", "2026-03-29T12:00:00Z"), "2026-03-30T07:00:00.000Z")
    assert.strictEqual(opening("Europe/Berlin", "2026-10-25T12:00:00Z"), "2026-10-26T08:00:00.000Z")
    assert.strictEqual(opening("Asia/Kolkata", "2026-03-29T12:00:00Z"), "2026-03-30T03:30:00.000Z")
  })

  it("that begin in the skipped hour open at once after it", () => {
    const [early, leapt] = [every(["02:15", "04:00"]), every(["02:15", "02:45"])]
    assert.strictEqual(nextOpening(early, "Europe/Berlin", at("2026-03-29T00:00:00Z")), at("2026-03-29T01:00:00Z"))
    assert.strictEqual(nextOpening(leapt, "Europe/Berlin", at("2026-03-29T00:00:00Z")), at("2026-03-30T00:15:00Z"))
  })

  it("open twice in the hour that comes twice", () => {
    const hours = every(["01:00", "01:30"])
    const open = (text: string) => isOpen(hours, "America/New_York", at(text))
    assert.deepStrictEqual(
      ["2026-11-01T05:15:00Z", "2026-11-01T05:45:00Z", "2026-11-01T06:15:00Z", "2026-11-01T06:45:00Z"].map(open),
      [true, false, true, false]
    )
    assert.strictEqual(nextOpening(hours, "America/New_York", at("2026-11-01T05:45:00Z")), at("2026-11-01T06:00:00Z"))
  })

  it("agree with the local time that Intl gives", () => {
    fc.assert(
      fc.property(businessHours, moment, (hours, { timeZone, instant }) => {
        assert.strictEqual(isOpen(hours, timeZone, instant), oracle(hours, timeZone, instant))
      }),
      { numRuns: 500 }
    )
  })

  it("next open at the first open half hour that a step-by-step search finds (all these hours begin on one)", () => {
    const round = 30 * minuteMs
    fc.assert(
      fc.property(businessHours, moment, (hours, { timeZone, instant }) => {
        const opening = nextOpening(hours, timeZone, instant)
        const end = Math.min(opening ?? Number.POSITIVE_INFINITY, instant + 96 * round)
        for (let look = instant; look < end; look = Math.floor(look / round + 1) * round)
          assert.isFalse(oracle(hours, timeZone, look), new Date(look).toISOString())
        if (opening !== undefined) assert.isTrue(oracle(hours, timeZone, opening))
      }),
      { numRuns: 100 }
    )
  })

  it("are refused with a sentence when they make no sense", () => {
    const refusal = (input: unknown) => {
      const result = Schema.decodeUnknownExit(BusinessHours)(input)
      return result._tag === "Failure" ? String(result.cause) : ""
    }
    const day = (opens: string, closes: string) => ({ weekly: [{ day: "monday", opens, closes }], holidays: [] })
    assert.strictEqual(refusal(day("22:00", "02:00")), "")
    assert.include(refusal(day("9:00", "17:00")), '"9:00" is not a time of day; write it as 09:00 (00:00 to 24:00).')
    assert.include(refusal(day("09:00", "09:00")), "is no time at all")
    assert.include(refusal({ weekly: [], holidays: [{ date: "2026-02-29", hours: [] }] }), '"2026-02-29" is not a date')
    const twice = { date: "2026-12-25", hours: [] }
    assert.include(refusal({ weekly: [], holidays: [twice, twice] }), "2026-12-25 is listed twice")
  })
})
