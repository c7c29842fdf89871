/** Which word of a call is marked while its recording plays. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Utterance } from "../../clients/typescript/src/generated/types.ts"
import { wordAt, wordsOf } from "../../web/src/features/calls/spokenWords.ts"

const said = (text: string, startMs: number, endMs: number): Utterance => ({
  ...{ id: "utt_1", sequence: 1, role: "caller", interrupted: false },
  ...{ text, startMs, endMs }
})
/** Ten seconds, of which each tenth of a second is as loud as told. */
const peaksOf = (loudAt: (ms: number) => boolean) => ({
  durationMs: 10_000,
  caller: Array.from({ length: 100 }, (_, index) => (loudAt(index * 100) ? 200 : 4)),
  agent: []
})

describe("the words of an utterance", () => {
  it("are spread by their length over the time in which they were said", () => {
    const words = wordsOf(said("Is it  ready?", 1_000, 2_000))
    expect(words.map(({ text, startMs }) => [text, startMs])).toEqual([
      ["Is", 1_000],
      ["it", 1_200],
      ["ready?", 1_400]
    ])
    expect(words.at(-1)?.endMs).toBe(2_000)
  })
  it("leave out the pauses that the recording has", () => {
    // Half a second of voice, a second of silence, half a second of voice.
    const peaks = peaksOf((ms) => (ms >= 1_000 && ms < 1_500) || (ms >= 2_500 && ms < 3_000))
    const words = wordsOf(said("hello world", 1_000, 3_000), peaks)
    expect(words.map(({ startMs }) => startMs)).toEqual([1_000, 1_500])
    expect(words.map(({ endMs }) => endMs)).toEqual([1_500, 3_000])
    expect(wordAt(words, 1_400)?.text).toBe("hello")
    expect(wordAt(words, 2_700)?.text).toBe("world")
  })
  it("are found in a recording that has nothing of them, and in a text without any", () => {
    expect(
      wordsOf(
        said("yes", 1_000, 2_000),
        peaksOf(() => false)
      )
    ).toHaveLength(1)
    expect(wordsOf(said(" ", 1_000, 2_000))).toEqual([])
    expect(wordAt([], 10)).toBeUndefined()
  })
  it("are the whole text in its order, within the time of the utterance, whatever was said and recorded", () => {
    const loud = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 200 })
    fc.assert(
      fc.property(fc.string(), fc.nat(8_000), fc.nat(4_000), loud, (text, startMs, length, caller) => {
        const words = wordsOf(said(text, startMs, startMs + length), { durationMs: 10_000, caller, agent: [] })
        expect(words.map((word) => word.gap + word.text).join("")).toBe(text.trimEnd())
        let last = startMs
        for (const word of words) {
          expect(word.startMs).toBeGreaterThanOrEqual(last - 0.001)
          expect(word.endMs).toBeGreaterThanOrEqual(word.startMs - 0.001)
          expect(word.endMs).toBeLessThanOrEqual(startMs + length + 0.001)
          last = word.startMs
        }
      })
    )
  })
})
