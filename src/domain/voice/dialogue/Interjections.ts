/** Short utterances while the agent speaks: listening noises, which do not interrupt, and words that always do. */
import { asksForHuman } from "./Escalation.ts"
import { languageOf } from "./language/Language.ts"
import { madeOf, says, unstretched, wordsOf } from "./language/Words.ts"

/** More listening noises in a row than this count as an interruption. */
const maxBackchannels = 3

/** Whether `text` is only listening noises ("mm-hm", "okay", "हाँ जी"), one to three of them. `language` is a BCP 47 tag. */
export const isBackchannel = (text: string, language: string): boolean => {
  const noises = madeOf(unstretched(wordsOf(text)), languageOf(language).backchannels)
  return noises > 0 && noises <= maxBackchannels
}

/** Whether `text` is only a hesitation of a word or three ("um", "well"): what it begins is not said yet. */
export const isHesitation = (text: string, language: string): boolean => {
  const words = unstretched(wordsOf(text))
  return words.length <= maxBackchannels && madeOf(words, languageOf(language).hesitations) > 0
}

/** Whether the caller asks to stop, to wait, or for a human; a few words are enough. `phrases` are the agent's own escalation phrases. */
export const alwaysInterrupts = (text: string, language: string, phrases: ReadonlyArray<string>): boolean =>
  says(unstretched(wordsOf(text)), languageOf(language).interruptions) || asksForHuman(text, phrases)

/** The number of whole words, for `interruption.minWords`. */
export const wordCount = (text: string): number => wordsOf(text).length
