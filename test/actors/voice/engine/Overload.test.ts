import { assert, describe, it } from "@effect/vitest"
import { Overload } from "../../../../src/actors/voice/engine/Overload.ts"

/** Reports windows of 50 ticks, one after the other, with the totals that a clock has counted since its start. */
const windows = (overload: Overload) => {
  let [count, sumMs] = [0, 0]
  return (lateMs: number, ticks = 50) => {
    count += ticks
    sumMs += lateMs * ticks
    overload.observe({ count, meanMs: count === 0 ? 0 : sumMs / count })
    return overload.overloaded
  }
}

describe("the admission of a process whose ticks are late", () => {
  it("closes after one second above the limit, and opens after three calm seconds in a row", () => {
    const late = windows(new Overload(50))
    assert.deepStrictEqual(
      [2, 49, 50, 10, 10].map((lateMs) => late(lateMs)),
      [false, false, true, true, true]
    )
    assert.isFalse(late(10))
  })

  it("stays as it is between half the limit and the limit", () => {
    const late = windows(new Overload(50))
    assert.isFalse(late(40))
    late(60)
    assert.deepStrictEqual(
      [40, 10, 10, 40, 10, 10, 10].map((lateMs) => late(lateMs)),
      [true, true, true, true, true, true, false]
    )
  })

  it("opens when the last call is over and the clock stops", () => {
    const overload = new Overload(50)
    const late = windows(overload)
    late(200)
    assert.deepStrictEqual([late(0, 0), late(0, 0), late(0, 0)], [true, true, false])
    assert.strictEqual(overload.lateMs, 0)
  })
})
