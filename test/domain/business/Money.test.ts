import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { amountOf, Currency, decimalAmount, decimalsOf } from "../../../src/domain/business/records/Money.ts"

describe("an amount of money", () => {
  it.each([
    [2_499, "USD", "24.99"],
    [5, "USD", "0.05"],
    [0, "USD", "0.00"],
    [500, "JPY", "500"],
    [1_234, "KWD", "1.234"]
  ])("of %d in %s is written %s", (amount, currency, text) => assert.strictEqual(decimalAmount(amount, currency), text))

  it("is written with the currency's own number of decimals, and read back as the same amount", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 12 }),
        fc.constantFrom("USD", "JPY", "KWD", "INR", "EUR"),
        (amount, currency) => {
          const [whole, fraction = ""] = decimalAmount(amount, currency).split(".")
          assert.lengthOf(fraction, decimalsOf(currency))
          assert.strictEqual(BigInt(whole + fraction), BigInt(amount))
          assert.strictEqual(amountOf(decimalAmount(amount, currency), currency), amount)
        }
      )
    )
  })

  it.each([
    ["24.9", "USD", 2_490],
    ["24", "USD", 2_400],
    ["24.9900", "USD", 2_499],
    ["24.995", "USD", undefined],
    ["500.0", "JPY", 500],
    ["500.5", "JPY", undefined],
    ["-1", "USD", undefined],
    ["1e3", "USD", undefined],
    ["1,000.00", "USD", undefined],
    ["99999999999999", "USD", undefined]
  ])("that is written %s in %s is read as %s", (text, currency, amount) =>
    assert.strictEqual(amountOf(text, currency), amount))

  it.each(["usd", "US", "ABC", ""])("has no currency %j", (code) => assert.isFalse(Schema.is(Currency)(code)))
})
