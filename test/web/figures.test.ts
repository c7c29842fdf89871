/** What analytics and forms compute in the browser: days, files for spreadsheets, and amounts of money. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { csvOf } from "../../web/src/features/analytics/csv.ts"
import { change, daysIn, isRange, lastDays, rangeBefore } from "../../web/src/features/analytics/range.ts"
import { amountOf, decimalOf } from "../../web/src/lib/money.ts"

describe("a range of days", () => {
  it("is compared with as many days that end right before it, also over the end of a year", () => {
    expect(rangeBefore({ from: "2027-01-01", to: "2027-01-07" })).toEqual({ from: "2026-12-25", to: "2026-12-31" })
    expect(lastDays("2026-03-01", 2)).toEqual({ from: "2026-02-28", to: "2026-03-01" })
  })
  it("has at most 366 days, the first before the last", () => {
    expect(daysIn({ from: "2026-01-01", to: "2026-12-31" })).toBe(365)
    expect(isRange({ from: "2026-01-01", to: "2027-01-02" })).toBe(false)
    expect(isRange({ from: "2026-01-02", to: "2026-01-01" })).toBe(false)
    expect(isRange({ from: "", to: "2026-01-01" })).toBe(false)
  })
  it("differs from nothing by nothing that could be said", () => {
    expect(change(5, 0)).toBeUndefined()
    expect(change(150, 100)).toBe(0.5)
  })
})

describe("a file for spreadsheets", () => {
  it("keeps texts as they are, and no text becomes a formula", () => {
    expect(
      csvOf([
        ["name", "sent"],
        ['=HYPERLINK("x")', 2],
        ["a, b", null]
      ])
    ).toBe(`name,sent\r\n"'=HYPERLINK(""x"")",2\r\n"a, b",\r\n`)
    expect(csvOf([[-3]])).toBe("-3\r\n")
  })
})

describe("an amount of money", () => {
  it("is the same after it was written and read, with the decimals of its currency", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.constantFrom("USD", "JPY", "KWD", "INR"), (amount, currency) => {
        expect(amountOf(decimalOf(amount, currency), currency)).toBe(amount)
      })
    )
    expect([decimalOf(2499, "USD"), decimalOf(2499, "JPY"), decimalOf(2490, "KWD")]).toEqual(["24.99", "2499", "2.490"])
  })
  it("is none when it has more decimals than its currency, or is no number", () => {
    for (const [text, currency] of [
      ["1.5", "JPY"],
      ["1.999", "USD"],
      ["", "USD"],
      ["-1", "USD"],
      ["1e3", "USD"]
    ] as const)
      expect(amountOf(text, currency), text).toBeNaN()
    expect(amountOf("3,5", "USD")).toBe(350)
  })
})
