/** Bounds of recordings that are transcribed. Without imports, since a thread that decodes one starts for each. */

/** Samples a second of a recording that is transcribed as a whole. */
export const recordedRate = 16_000
/** The longest recording that the provider takes at once. Samples. */
export const longestPiece = 28 * recordedRate
/** The longest voice message that is transcribed. */
export const longestVoiceNoteSeconds = 300
