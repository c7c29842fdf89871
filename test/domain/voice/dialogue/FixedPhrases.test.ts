import { assert, describe, it } from "@effect/vitest"
import { primaryLanguages } from "../../../../src/domain/voice/agents/VoiceAgent.ts"
import { asksForHuman } from "../../../../src/domain/voice/dialogue/Escalation.ts"
import { fillers, fixedPhrases, listeningSounds } from "../../../../src/domain/voice/dialogue/FixedPhrases.ts"
import { isBackchannel } from "../../../../src/domain/voice/dialogue/Interjections.ts"

const script: Readonly<Record<string, RegExp>> = {
  "hi-IN": /\p{Script=Devanagari}/u,
  "mr-IN": /\p{Script=Devanagari}/u,
  "ta-IN": /\p{Script=Tamil}/u,
  "te-IN": /\p{Script=Telugu}/u,
  "bn-IN": /\p{Script=Bengali}/u,
  "gu-IN": /\p{Script=Gujarati}/u,
  "pa-IN": /\p{Script=Gurmukhi}/u,
  "kn-IN": /\p{Script=Kannada}/u,
  "ml-IN": /\p{Script=Malayalam}/u,
  "od-IN": /\p{Script=Oriya}/u
}

const everything = (language: string) => {
  const { queue, ...sentences } = fixedPhrases(language)
  return [...Object.values(sentences), queue(2), ...fillers(language), ...listeningSounds(language)]
}

describe("what the agent says without asking the model", () => {
  it.each(primaryLanguages)("is in the agent's own language and script (%s)", (language) => {
    const letters = script[language] ?? /\p{Script=Latin}/u
    for (const sentence of everything(language)) {
      // A letter of another script in a word is a typing error, which text-to-speech mispronounces.
      for (const letter of sentence.match(/\p{L}|\p{M}/gu) ?? []) {
        if (/\p{Script=Inherited}|\p{Script=Common}/u.test(letter)) continue
        assert.match(letter, letters, sentence)
      }
      assert.match(sentence, /[.?।]$/u)
      assert.notInclude(sentence, "#")
    }
    assert.strictEqual(new Set(everything(language)).size, everything(language).length)
  })

  it.each(primaryLanguages)("names the place in the queue (%s)", (language) => {
    assert.match(fixedPhrases(language).queue(12), /(?<!\d)12(?!\d)/)
  })

  it.each(primaryLanguages)("has two or three fillers, one or two listening sounds (%s)", (language) => {
    assert.include([2, 3], fillers(language).length)
    assert.include([1, 2], listeningSounds(language).length)
    for (const sound of listeningSounds(language)) assert.isTrue(isBackchannel(sound, language), sound)
  })

  it("is English in a language without sentences, and the same Odia under both of its tags", () => {
    assert.strictEqual(fixedPhrases("fr-FR").apology, fixedPhrases("en-GB").apology)
    assert.strictEqual(fixedPhrases("or-IN").apology, fixedPhrases("od-IN").apology)
  })

  it("does not count as a wish for a human when it comes back as an echo", () => {
    for (const language of primaryLanguages)
      for (const sentence of everything(language)) assert.isFalse(asksForHuman(sentence, []), sentence)
  })
})
