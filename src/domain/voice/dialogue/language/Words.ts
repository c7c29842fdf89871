/**
 * Splits a transcript into whole words in one spelling, and looks for sets of phrases in them. Every rule that reads what a caller said uses
 * these functions.
 */

/** The zeros of the Indic scripts: the caller's numerals arrive in the script of the language. */
const zeros = [0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66]

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((first) => code >= first && code <= first + 9)
  return zero === undefined ? digit : String(code - zero)
}

/** Malayalam's final consonants have an older spelling with a joiner. */
const chillu: Record<string, string> = { ന: "ൻ", ര: "ർ", ല: "ൽ", ള: "ൾ", ണ: "ൺ" }

/**
 * Lower case, whole words with one space between them, and numerals as 0-9. Only the apostrophe inside a word remains of the punctuation.
 * Spellings that vary (joiners, nuktas, chandrabindu or anusvara) become one. Idempotent.
 */
export const normalise = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/([നരലളണ])്\u200d/gu, (_, consonant: string) => chillu[consonant])
    .replaceAll("ൻ്റ", "ന്റ")
    .replace(/[\u200b-\u200d\u2060\ufeff\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/gu, "")
    .replace(/[\u0901\u0a81]/gu, (sign) => (sign === "\u0901" ? "\u0902" : "\u0a82"))
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .normalize("NFC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[^\p{L}\p{M}\p{N}']+|(?<![\p{L}\p{M}])'|'(?![\p{L}\p{M}])/gu, " ")
    .replace(/ +/g, " ")
    .trim()

/** The whole words of a text, normalised. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  const normal = normalise(text)
  return normal === "" ? [] : normal.split(" ")
}

/** Drawn-out noises as they are listed: "hmmmm" → "hmm". */
export const unstretched = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((word) => word.replace(/([\p{L}\p{M}])\1{2,}/gu, "$1$1"))

/** Phrases to look for in a list of words: at its end, anywhere in it, or covering all of it. */
export interface PhraseSet {
  readonly phrases: ReadonlySet<string>
  /** Word endings, written "-ing" in a table. */
  readonly endings: ReadonlyArray<string>
  /** Words in the longest phrase. */
  readonly longest: number
}

/** A set from comma-separated tables. "-x" stands for every longer word that ends with "x". */
export const phraseSet = (...tables: ReadonlyArray<string>): PhraseSet => {
  const entries = tables.flatMap((table) => table.split(",")).map((entry) => entry.trim())
  // Spelled like the words, behind a letter: an ending may begin with a vowel sign or an apostrophe.
  const endings = entries
    .filter((entry) => entry.startsWith("-"))
    .map((entry) => normalise(`x${entry.slice(1)}`).slice(1))
  const phrases = entries.filter((entry) => !entry.startsWith("-")).map(normalise)
  return phraseSetOf(phrases, endings)
}

/** A set of phrases as somebody typed them: commas and dashes mean nothing. */
export const phraseSetOf = (phrases: ReadonlyArray<string>, endings: ReadonlyArray<string> = []): PhraseSet => {
  const spoken = phrases.map(normalise).filter((phrase) => phrase !== "")
  const longest = spoken.reduce((most, phrase) => Math.max(most, phrase.split(" ").length), 1)
  return { phrases: new Set(spoken), endings, longest }
}

/** Words that a phrase of the set covers at `from`: the longest one; 0 for none. */
const covered = (words: ReadonlyArray<string>, from: number, set: PhraseSet): number => {
  for (let length = Math.min(set.longest, words.length - from); length > 0; length--)
    if (set.phrases.has(words.slice(from, from + length).join(" "))) return length
  const word = words[from]
  return set.endings.some((ending) => word.length > ending.length && word.endsWith(ending)) ? 1 : 0
}

/** Whether a phrase of the set is said anywhere. */
export const says = (words: ReadonlyArray<string>, set: PhraseSet): boolean =>
  words.some((_, index) => covered(words, index, set) > 0)

/** Whether the words end with a phrase of the set. */
export const endsWith = (words: ReadonlyArray<string>, set: PhraseSet): boolean => {
  for (let length = Math.min(set.longest, words.length); length > 0; length--)
    if (covered(words, words.length - length, set) === length) return true
  return false
}

/** The number of phrases of the set that together make up all the words; 0 when other words remain. */
export const madeOf = (words: ReadonlyArray<string>, set: PhraseSet): number => {
  let count = 0
  for (let at = 0; at < words.length; count++) {
    const length = covered(words, at, set)
    if (length === 0) return 0
    at += length
  }
  return count
}

/** The words without the phrases of the set. */
export const without = (words: ReadonlyArray<string>, set: PhraseSet): ReadonlyArray<string> => {
  const rest: Array<string> = []
  for (let at = 0; at < words.length; ) {
    const length = covered(words, at, set)
    if (length === 0) rest.push(words[at])
    at += Math.max(1, length)
  }
  return rest
}
