/** Sentences for the telephony provider's own voice. It speaks when no engine does: in a waiting line, or when everything else failed. */
import { type FixedPhrases, fixedPhrases } from "../../dialogue/FixedPhrases.ts"

export interface ProviderLine {
  readonly sentence: string
  /** BCP 47 tag that selects the provider's voice. */
  readonly language: string
}

/** The sentence in the agent's language. The provider has no voice for Odia, so those callers hear English. */
export const spokenByProvider = (language: string, pick: (phrases: FixedPhrases) => string): ProviderLine => {
  const spoken = language === "od-IN" ? "en-IN" : language
  return { sentence: pick(fixedPhrases(spoken)), language: spoken }
}
