/** The words of a text as they are looked up: in small letters, without accents on Latin letters; codes such as "AB-1204/X" also as a whole. */

/** The most characters of a word. Longer ones are cut. */
const longestWord = 64

/** Accents of Latin, Greek and Cyrillic letters. The signs of Indian scripts are parts of their words. */
const accents = /[\u0300-\u036f]/g

/** Small letters without accents, in composed form. */
export const folded = (text: string): string =>
  text.normalize("NFKD").replace(accents, "").normalize("NFC").toLowerCase()

/** Letters, marks and digits. */
const word = /[\p{L}\p{M}\p{N}]+/gu
/** Words joined by signs without a blank, at least one with a digit: codes, numbers of models, versions. */
const joined = /[\p{L}\p{M}\p{N}]+(?:[-_./+#&][\p{L}\p{M}\p{N}]+)+/gu

/** The words in their order, codes after them. */
export const searchWords = (text: string): ReadonlyArray<string> => {
  const small = folded(text)
  const codes = (small.match(joined) ?? [])
    .filter((code) => /\p{N}/u.test(code))
    .map((code) => code.replace(/[^\p{L}\p{M}\p{N}]/gu, ""))
  return [...(small.match(word) ?? []), ...codes].map((each) => each.slice(0, longestWord))
}

/** The pieces of three letters of a word with its ends: words that share many are spelled alike. */
export const piecesOf = (single: string): ReadonlyArray<string> => {
  const letters = [...`  ${single} `]
  return [...new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join("")))]
}
