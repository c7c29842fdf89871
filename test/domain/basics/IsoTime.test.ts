import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isoTime } from "../../../src/domain/basics/IsoTime.ts"

describe("a time", () => {
  it("is written like Date.toISOString writes it, before 1970 and after 9999, too", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        assert.strictEqual(isoTime(date.getTime()), date.toISOString())
      })
    )
    for (const ms of [0, -1, 1, 86_399_999, 86_400_000, 253_402_300_800_000, -62_198_755_200_001])
      assert.strictEqual(isoTime(ms), new Date(ms).toISOString())
  })

  it("is refused when it is not a valid time", () => {
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) assert.throws(() => isoTime(ms), RangeError)
  })
})
