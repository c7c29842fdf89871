/** How much of a text was heard when only a part of its audio was. */

/** What the caller heard of what was begun: `complete` when it was all of it. */
export interface Heard {
  readonly text: string
  readonly complete: boolean
}

/** A word ends where white space or the text does. */
const wordEnds = /\S(?=\s|$)/g

/**
 * The longest beginning of `text` made of whole words that fits in `fraction` (0 … 1) of it, words weighing as much as they are
 * long: the last word is cut off rather than claimed.
 */
export const wordsWithin = (text: string, fraction: number): string => {
  if (fraction >= 1) return text
  const limit = text.length * Math.max(0, fraction)
  let end = 0
  for (const match of text.matchAll(wordEnds)) {
    if (match.index + 1 > limit) break
    end = match.index + 1
  }
  return text.slice(0, end)
}
