/** Why something failed, as a sentence: the service's own where there is one. */
export const sentenceOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
