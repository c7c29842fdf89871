/** How the rest of a day's requests is spread. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dailyPaceMs, dailyWaitMs } from "../../../../src/domain/apps/adapters/DailyPace.ts"

describe("the rest of a day's requests", () => {
  it("is used freely while there is much, then spread, then left to others", () => {
    expect(dailyPaceMs(15_000, 9_000)).toBeUndefined()
    expect(dailyPaceMs(15_000, 2_000)).toBe(69_120)
    expect(dailyPaceMs(15_000, 300)).toBe(dailyWaitMs)
    expect(dailyPaceMs(15_000, -3)).toBe(dailyWaitMs)
    expect(dailyPaceMs(0, 0)).toBeUndefined()
  })

  it("is never spread so that waiting grows shorter when less is left", () => {
    const limit = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(limit, fc.nat(1_000_000), fc.nat(1_000_000), (most, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)]
        expect(dailyPaceMs(most, less) ?? 0).toBeGreaterThanOrEqual(dailyPaceMs(most, more) ?? 0)
      })
    )
  })
})
