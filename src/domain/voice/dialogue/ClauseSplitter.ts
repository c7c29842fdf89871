/**
 * Cuts a model's streamed text into clauses for speech. The first clause is as short as possible, so that the caller hears something early.
 * Later clauses are whole sentences, so that they sound natural. Pure; no text is lost or repeated.
 */

/** Shortest first clause, in characters (what peers converged on). */
const firstClauseMinimum = 20
/** A text without punctuation is cut at the last space within this many characters. */
const clauseMaximum = 200
/**
 * How far an end is looked for. A clause is longer than `clauseMaximum` only when much text arrives at once; without this bound, a text without ends
 * would be searched whole for each of its cuts.
 */
const searched = 1_000

const sentenceEnd = /[.!?।॥]["')\]]*\s/g
const clauseEnd = /[,;:.!?।॥–—]["')\]]*\s/g

export interface ClauseSplitter {
  /** Adds streamed text; returns the clauses that are complete now. */
  readonly push: (text: string) => ReadonlyArray<string>
  /** How many clauses `push` would return for this text. Changes nothing. */
  readonly count: (text: string) => number
  /** The rest, when the model has finished; `undefined` when nothing is left. */
  readonly end: () => string | undefined
}

const cut = (buffer: string, pattern: RegExp, minimum: number): number => {
  const near = buffer.slice(0, searched)
  pattern.lastIndex = 0
  for (let match = pattern.exec(near); match !== null; match = pattern.exec(near)) {
    const end = match.index + match[0].length
    if (end > minimum) return end
  }
  if (buffer.length <= clauseMaximum) return -1
  const space = buffer.lastIndexOf(" ", clauseMaximum)
  if (space >= minimum) return space + 1
  // A cut never falls between the two halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(buffer.charAt(clauseMaximum - 1)) ? clauseMaximum - 1 : clauseMaximum
}

export const makeClauseSplitter = (): ClauseSplitter => {
  let buffer = ""
  let first = true
  /** Gives each complete clause of the text so far and `text` to `take`. Returns the rest. */
  const split = (text: string, take: (clause: string) => void): string => {
    // White space before a clause is not part of its length.
    let rest = (buffer + text).trimStart()
    for (let isFirst = first; ; isFirst = false) {
      const end = isFirst ? cut(rest, clauseEnd, firstClauseMinimum) : cut(rest, sentenceEnd, 1)
      if (end < 0) return rest
      take(rest.slice(0, end).trim())
      rest = rest.slice(end).trimStart()
    }
  }
  return {
    count: (text) => {
      let clauses = 0
      split(text, () => clauses++)
      return clauses
    },
    push: (text) => {
      const clauses: Array<string> = []
      buffer = split(text, (clause) => clauses.push(clause))
      if (clauses.length > 0) first = false
      return clauses
    },
    end: () => {
      const rest = buffer.trim()
      buffer = ""
      return rest === "" ? undefined : rest
    }
  }
}
