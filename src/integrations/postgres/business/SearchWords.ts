/** The words by which a record is found. */
import { searchable } from "../../../domain/people/contacts/Contact.ts"

const mostWords = 100
const longestWord = 64

/** The words of texts, each once, without case and accents. */
export const wordsOf = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  const words = texts.flatMap((text) => (text === null ? [] : searchable(text).split(/[^\p{L}\p{N}\p{M}]+/u)))
  return [
    ...new Set(words.filter((word) => word !== "").map((word) => [...word].slice(0, longestWord).join("")))
  ].slice(0, mostWords)
}

/** The words as a record keeps them beside its fields: a blank stands before each. */
export const searchText = (texts: ReadonlyArray<string | null>): string =>
  wordsOf(texts)
    .map((word) => ` ${word}`)
    .join("")
