import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { orderTotals } from "../../../src/domain/business/orders/OrderTotals.ts"

const amount = fc.integer({ min: 0, max: 10 ** 9 })
const line = fc.record({ quantity: fc.integer({ min: 1, max: 1_000 }), unitPrice: amount, tax: amount })

describe("the totals of an order", () => {
  it("add up exactly, and are the same in any order of the lines", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), amount, amount, (lines, discount, shipping) => {
        const totals = orderTotals(lines, { discount, shipping })
        const exact = lines.reduce(
          (sum, { quantity, unitPrice, tax }) => sum + BigInt(quantity) * BigInt(unitPrice) + BigInt(tax),
          BigInt(shipping) - BigInt(discount)
        )
        assert.strictEqual(BigInt(totals.total), exact)
        assert.deepStrictEqual(orderTotals(lines.toReversed(), { discount, shipping }), totals)
        assert.strictEqual(totals.total, totals.subtotal - discount + shipping + totals.tax)
      })
    )
  })
})
