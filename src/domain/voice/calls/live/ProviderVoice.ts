/** Sentences that the telephony provider's own voice says, where no engine is on the line: in a waiting line, or when all else failed. */
import { type FixedPhrases, fixedPhrases } from "../../dialogue/FixedPhrases.ts"

export interface ProviderLine {
  readonly sentence: string
  /** BCP 47, picks the provider's voice. */
  readonly language: string
}

/** In the agent's language; the provider has no voice for Odia, so those callers hear English. */
export const spokenByProvider = (language: string, pick: (phrases: FixedPhrases) => string): ProviderLine => {
  const spoken = language === "od-IN" ? "en-IN" : language
  return { sentence: pick(fixedPhrases(spoken)), language: spoken }
}
