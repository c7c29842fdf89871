import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { histogram, percentile, summarize } from "../../bench/support/Statistics.ts"

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 })

describe("percentile", () => {
  it("is the nearest rank", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 100 - i)
    assert.deepStrictEqual(
      [0, 0.5, 0.99, 1].map((share) => percentile(hundred, share)),
      [1, 50, 99, 100]
    )
    assert.isNaN(percentile([], 0.5))
  })

  it("is a measured value that the share of values does not exceed", () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const value = percentile(list, share)
        assert.include(list, value)
        assert.isAtLeast(list.filter((it) => it <= value).length, share * list.length)
      })
    )
  })

  it("does not depend on order and orders the summary", () => {
    fc.assert(
      fc.property(values, (list) => {
        const { p50, p90, p99, max } = summarize(list)
        assert.deepStrictEqual(summarize([...list].reverse()).p90, p90)
        assert.isTrue(p50 <= p90 && p90 <= p99 && p99 <= max)
      })
    )
  })
})

describe("histogram", () => {
  it("counts every value once, in bins that touch", () => {
    fc.assert(
      fc.property(values, (list) => {
        const bins = histogram(list, 10)
        assert.strictEqual(
          bins.reduce((sum, { count }) => sum + count, 0),
          list.length
        )
        for (let i = 1; i < bins.length; i++) assert.strictEqual(bins[i].from, bins[i - 1].to)
      })
    )
    assert.deepStrictEqual(histogram([]), [])
  })
})
