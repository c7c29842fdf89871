import { assert, describe, it } from "@effect/vitest"
import { frameBytes, newMark, readMark, stamp } from "../../bench/crowd/Watermark.ts"

/** Bytes by a generator of Park and Miller, the same in each run. */
const chance = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state & 0xff
  }
}

describe("the watermark of a frame", () => {
  it("is read as it was written", () => {
    const next = chance(1)
    const frame = Uint8Array.from({ length: frameBytes }, next)
    const mark = { caller: 65_534, utterance: 40_001, index: 4_095, total: 4_095 }
    stamp(frame, 0, mark)
    const read = newMark()
    assert.isTrue(readMark(frame, 0, read))
    assert.deepStrictEqual(read, mark)
  })

  it("is not found in frames that have none, of which a long run has thousands", () => {
    const next = chance(7)
    const frame = new Uint8Array(frameBytes)
    let found = 0
    for (let n = 0; n < 400_000; n++) {
      // What comes first has to be right: only the rest is by chance.
      stamp(frame, 0, newMark())
      for (let at = 8; at < 88; at++) frame[at] = next()
      if (readMark(frame, 0, newMark())) found++
    }
    assert.isAtMost(found, 20)
  })
})
