import { describe, expect, it } from "vitest"
import { CallerLevel } from "../../../src/audio/vad/CallerLevel.ts"

const LOUD = 1_000_000
/** Feeds a power for a number of frames of speech; gives the frames until the caller had faded, or undefined. */
const hear = (caller: CallerLevel, power: number, frames: number): number | undefined => {
  for (let frame = 1; frame <= frames; frame++) {
    caller.speech(power, 1)
    if (caller.behind > 0) return frame
  }
  return undefined
}

describe("CallerLevel", () => {
  it("notices the end of the caller's speech sooner when the rest is softer", () => {
    const left = [100, 15, 9, 5].map((times) => {
      const caller = new CallerLevel()
      hear(caller, LOUD, 50)
      return hear(caller, LOUD / times, 100) ?? Number.POSITIVE_INFINITY
    })
    expect(left).toEqual(left.toSorted((a, b) => a - b))
    expect(left[0]).toBeLessThanOrEqual(20)
    expect(left[3]).toBeLessThanOrEqual(40)
  })

  it("counts sound that is nearly as loud, and the closure of a consonant, as the caller", () => {
    const caller = new CallerLevel()
    hear(caller, LOUD, 50)
    expect(hear(caller, LOUD / 3, 200)).toBeUndefined()
    expect(hear(caller, LOUD, 10)).toBeUndefined()
    expect(hear(caller, 0, 6)).toBeUndefined()
    expect(hear(caller, LOUD, 10)).toBeUndefined()
  })

  it("tells a voice that is much softer from the caller's, and counts everything as near before a caller is known", () => {
    const caller = new CallerLevel()
    expect(caller.near).toBe(true)
    hear(caller, LOUD, 50)
    caller.quiet(0)
    hear(caller, LOUD / 3, 10)
    expect(caller.near).toBe(true)
    caller.quiet(0)
    hear(caller, LOUD / 10, 10)
    expect(caller.near).toBe(false)
    hear(caller, LOUD, 5)
    expect(caller.near).toBe(true)
  })

  it("keeps the level of a caller who listens to the agent", () => {
    const caller = new CallerLevel()
    hear(caller, LOUD, 50)
    const { loud } = caller
    for (let frame = 0; frame < 1_200; frame++) caller.quiet(0, true)
    expect(caller.loud).toBe(loud)
  })

  it("forgets the level after some seconds of quiet, for the caller may have moved away", () => {
    const caller = new CallerLevel()
    hear(caller, LOUD, 50)
    const { loud } = caller
    for (let frame = 0; frame < 200; frame++) caller.quiet(0)
    expect(caller.loud).toBe(loud)
    for (let frame = 0; frame < 1_000; frame++) caller.quiet(0)
    expect(caller.loud).toBeLessThan(loud / 10)
  })
})
