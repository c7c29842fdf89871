/** Which word of an utterance is heard when. Pure; `test/web/callWords.test.ts`. */
import type { CallPeaks, Utterance } from "@parley/client"

export interface SpokenWord {
  readonly text: string
  /** What stands before it: a space, mostly. */
  readonly gap: string
  readonly startMs: number
  readonly endMs: number
}

/** A part of the recording that has voice. */
interface Voiced {
  readonly beginMs: number
  readonly endMs: number
}

/** What is this much quieter than the loudest of an utterance is a pause in it. */
const pauseShare = 1 / 8

/** Where one side of the recording has voice between two times. All of it, where nothing stands out. */
const voicedIn = (
  { startMs, endMs, role }: Utterance,
  peaks: Pick<CallPeaks, "durationMs" | "caller" | "agent"> | undefined
): ReadonlyArray<Voiced> => {
  const all = [{ beginMs: startMs, endMs }]
  const side = peaks?.[role] ?? []
  if (peaks === undefined || side.length === 0 || peaks.durationMs <= 0) return all
  const each = peaks.durationMs / side.length
  const from = Math.max(0, Math.floor(startMs / each))
  const heard = side.slice(from, Math.ceil(endMs / each))
  const least = heard.reduce((most, value) => Math.max(most, value), 0) * pauseShare
  const found = heard.flatMap((value, index) => {
    if (value <= least) return []
    const beginMs = Math.max(startMs, (from + index) * each)
    const end = Math.min(endMs, (from + index + 1) * each)
    return end > beginMs ? [{ beginMs, endMs: end }] : []
  })
  return found.length === 0 ? all : found
}

/** The time when so much of what is voiced (0 … 1) has been heard. */
const timeAt = (voiced: ReadonlyArray<Voiced>, share: number): number => {
  let left = share * voiced.reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0)
  for (const { beginMs, endMs } of voiced) {
    if (left <= endMs - beginMs) return beginMs + left
    left -= endMs - beginMs
  }
  return voiced.at(-1)?.endMs ?? 0
}

/**
 * The words of the utterance with the time of each. The recogniser tells when an utterance began and ended, and not its words: they are spread by their
 * length over what has voice on the recording, so that pauses stay pauses. Written together they are the text again.
 */
export const wordsOf = (
  utterance: Utterance,
  peaks?: Pick<CallPeaks, "durationMs" | "caller" | "agent">
): ReadonlyArray<SpokenWord> => {
  const parts = [...utterance.text.matchAll(/(\s*)(\S+)/gu)]
  const letters = parts.reduce((sum, [, , word = ""]) => sum + word.length, 0)
  const voiced = voicedIn(utterance, peaks)
  let before = 0
  return parts.map(([, gap = "", word = ""]) => {
    const startMs = timeAt(voiced, before / letters)
    before += word.length
    return { text: word, gap, startMs, endMs: timeAt(voiced, before / letters) }
  })
}

/** The word that is heard at a time; between two, the one before. */
export const wordAt = (words: ReadonlyArray<SpokenWord>, ms: number): SpokenWord | undefined =>
  words.findLast(({ startMs }) => startMs <= ms)
