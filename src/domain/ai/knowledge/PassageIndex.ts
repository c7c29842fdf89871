/**
 * What is stored of a passage so that it is found: how much each of its words counts for it, as it is written and as its stem. The weight of a word
 * grows with how often it occurs and falls with the length of the passage (BM25); a word of the title or of a heading counts like three of the text.
 */
import type { Chunk } from "./Chunks.ts"
import { searchWords } from "./SearchWords.ts"

/** A passage of a source. */
export interface SourcePassage extends Chunk {
  readonly title: string
  readonly url: string | null
}

/** A passage with the weights of its words, each from 0 to 1. */
export interface IndexedPassage extends SourcePassage {
  readonly words: ReadonlyMap<string, number>
}

/** The stem of each word; null for a word that means nothing by itself, such as "the". */
export type Stems = ReadonlyMap<string, string | null>

const saturation = 1.2
const lengthShare = 0.6
/** Words of an average passage. */
const usualWords = 150
const headingCounts = 3

const headingOf = ({ title, headings }: SourcePassage): string => [title, ...headings].join(" ")

/** All words of the passages, each once. */
export const allWords = (passages: ReadonlyArray<SourcePassage>): ReadonlyArray<string> => [
  ...new Set(passages.flatMap((passage) => searchWords(`${headingOf(passage)} ${passage.text}`)))
]

/** The weights of the words of a passage. */
export const indexed = (passage: SourcePassage, stems: Stems): IndexedPassage => {
  const counts = new Map<string, number>()
  const add = (word: string, times: number) => {
    const stem = stems.get(word)
    if (stem === null) return
    for (const form of new Set([word, stem ?? word])) counts.set(form, (counts.get(form) ?? 0) + times)
  }
  const inText = searchWords(passage.text)
  for (const word of inText) add(word, 1)
  for (const word of searchWords(headingOf(passage))) add(word, headingCounts)
  const norm = saturation * (1 - lengthShare + (lengthShare * inText.length) / usualWords)
  return { ...passage, words: new Map([...counts].map(([word, times]) => [word, times / (times + norm)])) }
}
