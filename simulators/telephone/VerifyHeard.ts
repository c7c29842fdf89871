/**
 * Checks a recording of what a caller heard against the speech that was synthesized: every frame that is not silence must be
 * the next frame of a synthesized clause, clauses in order, each cut off at most at a frame (an interruption) and never
 * continued afterwards. Silent frames may be missing or added anywhere (an empty play-out buffer sounds like silence).
 */
import { frameBytes, silence } from "./Mulaw.ts"

export interface Synthesized {
  readonly text: string
  readonly mulaw: Uint8Array
  /** Synthesized ahead of time: it may be played at any moment and more than once. */
  readonly cached?: boolean
}

export interface Played {
  /** Index in the list given. */
  readonly index: number
  readonly text: string
  /** 20 ms frame of the recording at which it begins, and the end (exclusive). */
  readonly fromFrame: number
  readonly toFrame: number
  /** False when it was cut off. */
  readonly complete: boolean
}

export interface HeardReport {
  readonly ok: boolean
  readonly played: ReadonlyArray<Played>
  /** Frames of the recording that belong to no clause. */
  readonly foreignFrames: ReadonlyArray<number>
  /** Clauses that were heard before an earlier one, or twice. */
  readonly outOfOrder: ReadonlyArray<string>
  readonly silentFrames: number
}

const isSilent = (frame: Uint8Array): boolean => frame.every((byte) => byte === silence)

/** A clause as its non-silent frames; the last one is filled up with silence, as it is sent. */
const framesOf = (mulaw: Uint8Array): Array<Uint8Array> => {
  const frames: Array<Uint8Array> = []
  for (let at = 0; at < mulaw.length; at += frameBytes) {
    const frame = new Uint8Array(frameBytes).fill(silence)
    frame.set(mulaw.subarray(at, at + frameBytes))
    if (!isSilent(frame)) frames.push(frame)
  }
  return frames
}

const same = (a: Uint8Array, b: Uint8Array | undefined): boolean => b !== undefined && Buffer.compare(a, b) === 0

/** How many frames of `clause` the recording follows from `at` on. */
const run = (recording: ReadonlyArray<Uint8Array>, at: number, clause: ReadonlyArray<Uint8Array>): number => {
  let length = 0
  while (length < clause.length && at + length < recording.length && same(recording[at + length], clause[length]))
    length++
  return length
}

/**
 * `heard`: mu-law in whole 160-byte ticks, as `CallResult.heard`. `synthesized`: in the order of synthesis. Clauses whose
 * frames were joined without filling up the last one are given joined.
 */
export const verifyHeard = (heard: Uint8Array, synthesized: ReadonlyArray<Synthesized>): HeardReport => {
  const clauses = synthesized.map(({ mulaw }) => framesOf(mulaw))
  const sounding: Array<Uint8Array> = []
  const frameNumbers: Array<number> = []
  for (let at = 0; at < heard.length; at += frameBytes) {
    const frame = heard.subarray(at, at + frameBytes)
    if (isSilent(frame)) continue
    sounding.push(frame)
    frameNumbers.push(at / frameBytes)
  }
  const played: Array<Played> = []
  const foreignFrames: Array<number> = []
  const outOfOrder: Array<string> = []
  let newest = -1
  for (let at = 0; at < sounding.length; ) {
    const candidates = clauses
      .map((clause, index) => ({ index, length: run(sounding, at, clause) }))
      .filter(({ length }) => length > 0)
      .sort((a, b) => b.length - a.length || Number(a.index <= newest) - Number(b.index <= newest) || a.index - b.index)
    const best = candidates[0]
    if (best === undefined) {
      foreignFrames.push(frameNumbers[at])
      at++
      continue
    }
    const { text, cached } = synthesized[best.index]
    if (cached !== true) {
      if (best.index <= newest) outOfOrder.push(text)
      newest = Math.max(newest, best.index)
    }
    played.push({
      index: best.index,
      text,
      fromFrame: frameNumbers[at],
      toFrame: frameNumbers[at + best.length - 1] + 1,
      complete: best.length === clauses[best.index].length
    })
    at += best.length
  }
  return {
    ok: foreignFrames.length === 0 && outOfOrder.length === 0,
    played,
    foreignFrames,
    outOfOrder,
    silentFrames: heard.length / frameBytes - sounding.length
  }
}
