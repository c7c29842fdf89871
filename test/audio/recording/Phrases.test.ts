import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { phrasesOf } from "../../../src/audio/recording/Phrases.ts"

/** Seconds of voice (positive) and of quiet (negative), one after the other. */
const recorded = (...parts: ReadonlyArray<number>): Int16Array =>
  Int16Array.from(
    parts.flatMap((seconds) =>
      Array.from({ length: Math.round(Math.abs(seconds) * 8_000) }, (_, i) =>
        seconds > 0 ? Math.round(6_000 * Math.sin(i / 3)) : (i % 5) - 2
      )
    )
  )

const secondsOf = (samples: Int16Array) => phrasesOf(samples).map(({ from, to }) => [from / 8_000, to / 8_000])

describe("recorded speech", () => {
  it("is cut in the middle of its pauses, not in a breath", () => {
    assert.deepStrictEqual(secondsOf(recorded(2, -0.2, 2, -1, 3)), [
      [0, 4.46],
      [4.46, 8.2]
    ])
  })

  it("is one phrase when it is short, all voice, or all quiet, and none when there is nothing", () => {
    assert.deepStrictEqual(secondsOf(recorded(0.4, -0.6, 0.3)), [[0, 1.3]])
    assert.deepStrictEqual(secondsOf(recorded(9)), [[0, 9]])
    assert.deepStrictEqual(secondsOf(recorded(-4)), [[0, 4]])
    assert.deepStrictEqual(secondsOf(new Int16Array(0)), [])
  })

  it("has no phrase of silence alone, however long the silence between words or at the end", () => {
    assert.lengthOf(secondsOf(recorded(2, -8, 2, -8)), 2)
  })

  it("is cut where it is softest when nobody pauses", () => {
    const phrases = secondsOf(recorded(13, -0.1, 12))
    assert.lengthOf(phrases, 2)
    assert.approximately(phrases[0][1], 13, 0.15)
  })

  it("is never lost: phrases follow one another from beginning to end, and no phrase is too long", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -4, max: 20, noNaN: true }), { maxLength: 5 }), (parts) => {
        const samples = recorded(...parts)
        const phrases = phrasesOf(samples)
        assert.strictEqual(phrases[0]?.from ?? 0, 0)
        assert.strictEqual(phrases.at(-1)?.to ?? 0, samples.length)
        phrases.forEach(({ from, to }, index) => {
          assert.isAbove(to, from)
          if (index > 0) assert.strictEqual(from, phrases[index - 1].to)
          // Quiet may follow the last words.
          if (index < phrases.length - 1) assert.isAtMost(to - from, 15.02 * 8_000)
        })
      }),
      { numRuns: 40 }
    )
  })
})
