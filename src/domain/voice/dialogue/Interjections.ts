/** Short utterances while the agent speaks: listening noises, which do not interrupt, and words that always do. */
import { asksForHuman } from "./Escalation.ts"
import { languageOf } from "./language/Language.ts"
import { madeOf, says, unstretched, wordsOf } from "./language/Words.ts"

/** More of them in a row are more than listening. */
const maxBackchannels = 3

/** Only listening noises ("mm-hm", "okay", "हाँ जी"), one to three of them. `language` is a BCP 47 tag. */
export const isBackchannel = (text: string, language: string): boolean => {
  const noises = madeOf(unstretched(wordsOf(text)), languageOf(language).backchannels)
  return noises > 0 && noises <= maxBackchannels
}

/** Says to stop, to wait, or for a human; `phrases` are the agent's own escalation phrases. Few words are enough then. */
export const alwaysInterrupts = (text: string, language: string, phrases: ReadonlyArray<string>): boolean =>
  says(unstretched(wordsOf(text)), languageOf(language).interruptions) || asksForHuman(text, phrases)

/** Whole words, for `interruption.minWords`. */
export const wordCount = (text: string): number => wordsOf(text).length
