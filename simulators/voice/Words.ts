/** Maps the synthesizer's word events to the words of the written text. */
import type { Answer } from "./Synthesis.ts"

export interface SpokenWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

interface Token {
  text: string
  start: number
  end: number
}

/** Splits at spaces; a token without a letter or digit (a dash, an emoji) belongs to the word after it, else before it. */
const tokens = (text: string): Array<Token> => {
  const found: Array<Token> = []
  let pending = ""
  let pendingStart = 0
  for (const match of text.matchAll(/\S+/gu)) {
    const start = Array.from(text.slice(0, match.index)).length
    const spoken = /[\p{L}\p{N}\p{M}]/u.test(match[0])
    const whole = pending ? `${pending} ${match[0]}` : match[0]
    if (!pending) pendingStart = start
    if (spoken) found.push({ text: whole, start: pendingStart, end: start + Array.from(match[0]).length })
    pending = spoken ? "" : whole
  }
  const last = found.at(-1)
  if (pending && last) last.text += ` ${pending}`
  return found
}

/** The last sample in the window that is louder than a hiss, so that a word does not include the pause after it. */
const trimmedEnd = (samples: Int16Array, startMs: number, endMs: number): number => {
  let end = Math.min(samples.length, Math.round(endMs * 8))
  const start = Math.round(startMs * 8)
  while (end > start && Math.abs(samples[end - 1]) < 60) end--
  return end === start ? endMs : Math.ceil(end / 8)
}

/** The words with their times in the audio. Words that the synthesizer reports as one ("of the") share its time by their length. */
export const wordsOf = (text: string, samples: Int16Array, events: Answer["events"]): ReadonlyArray<SpokenWord> => {
  const list = tokens(text)
  const starts = new Map<number, number>()
  let index = 0
  for (const event of events) {
    if (event.type !== "word") continue
    while (index + 1 < list.length && event.position >= list[index + 1].start) index++
    if (list[index] && event.position < list[index].end && !starts.has(index)) starts.set(index, event.atMs)
  }
  if (!starts.has(0)) starts.set(0, 0)
  const words: Array<SpokenWord> = []
  for (let first = 0; first < list.length; ) {
    let next = first + 1
    while (next < list.length && !starts.has(next)) next++
    const from = starts.get(first)!
    const to = trimmedEnd(samples, from, starts.get(next) ?? samples.length / 8)
    const group = list.slice(first, next)
    const letters = group.reduce((sum, token) => sum + token.text.length, 0)
    let at = from
    for (const token of group) {
      const end = at + ((to - from) * token.text.length) / letters
      words.push({ text: token.text, startMs: Math.round(at), endMs: Math.round(end) })
      at = end
    }
    first = next
  }
  return words
}
