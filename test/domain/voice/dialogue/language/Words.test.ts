import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  endsWith,
  madeOf,
  normalise,
  phraseSet,
  says,
  without,
  wordsOf
} from "../../../../../src/domain/voice/dialogue/language/Words.ts"

describe("whole words", () => {
  it("have one spelling each, and normalising twice changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "grapheme" })), (text) => {
        assert.strictEqual(normalise(normalise(text)), normalise(text))
      }),
      { numRuns: 500 }
    )
  })

  it("are the same for the spellings that people and speech-to-text use", () => {
    for (const [one, other] of [
      ["हाँ", "हां"],
      ["ज़रूर", "जरूर"],
      ["ज़रूर", "ज\u093cरूर"],
      ["എന്റെ", "എൻ്റെ"],
      ["ഞാന്\u200d", "ഞാൻ"],
      ["অ্যাপ\u200d", "অ্যাপ"],
      ["It’s", "it's"],
      ["café", "cafe\u0301"],
      ["९८", "98"],
      ["௯௮", "98"],
      ["mm-hm", "mm hm"]
    ])
      assert.strictEqual(normalise(one), normalise(other))
  })

  it("are found as phrases at the end, anywhere, or as the whole text", () => {
    const set = phraseSet("hold on, stop, -ing")
    assert.isTrue(endsWith(wordsOf("please hold on!"), set))
    assert.isFalse(endsWith(wordsOf("hold on please"), set))
    assert.isTrue(says(wordsOf("hold on please"), set))
    assert.isTrue(says(wordsOf("I am going"), set))
    assert.isFalse(says(wordsOf("ing"), set))
    assert.isFalse(says(wordsOf("household onions"), set))
    assert.strictEqual(madeOf(wordsOf("stop, hold on"), set), 2)
    assert.strictEqual(madeOf(wordsOf("stop it"), set), 0)
    assert.strictEqual(madeOf([], set), 0)
    assert.deepStrictEqual(without(wordsOf("now stop and hold on"), set), ["now", "and"])
  })
})
