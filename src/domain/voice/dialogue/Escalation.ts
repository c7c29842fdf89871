/**
 * Recognizes that the caller asks for a human. It looks for the words of every language, not only the agent's, and for the agent's own phrases.
 * Whole words are matched, in any case.
 */
import { allTables } from "./language/Language.ts"
import { type PhraseSet, phraseSet, phraseSetOf, says, without, wordsOf } from "./language/Words.ts"

const humans = phraseSet(...allTables.map((tables) => tables.humans))
const somebodyElse = phraseSet(...allTables.map((tables) => tables.notHumans))
/** Two and more: in some languages the word for a human also counts people ("a table for four"). */
const several = phraseSet(
  ...allTables.flatMap((tables) => tables.digits.split(",").slice(2)).map((words) => words.replaceAll("/", ","))
)

const uncounted = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((_, index) => {
    const before = words.slice(Math.max(0, index - 1), index)
    return !(says(before, several) || (Number(before[0]) > 1 && words.length > 1))
  })

const spelled = new WeakMap<ReadonlyArray<string>, PhraseSet>()

/** An agent's phrases in normal spelling. They are compiled once per list, because every turn of a call uses them. */
const own = (phrases: ReadonlyArray<string>): PhraseSet => {
  const known = spelled.get(phrases)
  if (known !== undefined) return known
  const set = phraseSetOf(phrases)
  spelled.set(phrases, set)
  return set
}

/** Whether `text` asks for a human, also in the middle of a sentence ("can I talk to a human please"). */
export const asksForHuman = (text: string, phrases: ReadonlyArray<string>): boolean => {
  const words = wordsOf(text)
  return says(uncounted(without(words, somebodyElse)), humans) || says(words, own(phrases))
}
