/** Which known name somebody may have meant who wrote another one. */

/** Names that differ in more than a third of their characters are not meant. */
const mostDifferent = 3
/** Longer names are not compared. */
const longest = 64

/** How many characters must be added, removed, replaced or swapped with their neighbour to get from one text to the other (Damerau, Levenshtein). */
const difference = (from: string, to: string): number => {
  let before: Array<number> = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1)
    }
    before = last
    last = row
  }
  return last[to.length]
}

/** A name without what people vary: case, and the characters between words. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Whether one name is the beginning of the other, long enough to be meant. */
const isBeginning = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= 4 && one !== other && (one.startsWith(other) || other.startsWith(one))

/** The known name that is nearest to `name`; `undefined` when none is near. */
export const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  const written = plain(name)
  if (written === "" || written.length > longest) return undefined
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const other = plain(candidate)
    const allowed = Math.max(1, Math.floor(Math.max(written.length, other.length) / mostDifferent))
    const apart = isBeginning(written, other) ? 1 : difference(written, other)
    if (apart > allowed || apart >= least) continue
    nearest = candidate
    least = apart
  }
  return nearest
}
