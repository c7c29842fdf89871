/**
 * Audio → text, by recognising known utterances word by word. A word counts only if all of it is there. A word that is cut, has a lost frame or
 * another voice in it becomes "…", and so does a jump in the middle of an utterance. Words that lie completely outside the audio are left out.
 * Unknown audio gives "".
 */
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"
import type { Bank, Candidate, Unit } from "./Bank.ts"
import { type Placement, place } from "./Hearing.ts"
import { highPassed } from "./HighPass.ts"

/** Offsets this close (0.5 s) belong to one saying of an utterance, with something lost or inserted in between. */
const sameSaying = 4_000
const mostSayings = 6
const mostOffsets = 3
/** A match of less than this (150 ms) counts as chance. */
const leastHeard = 1_200

interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly heard: boolean
}

interface Saying {
  readonly pieces: ReadonlyArray<Piece>
  readonly heard: number
  readonly score: number
  /** Whether nothing is missing in it. */
  readonly whole: boolean
}

/** Candidates of one saying, the best one first. */
const group = (candidates: ReadonlyArray<Candidate>): Array<Array<Candidate>> => {
  const groups: Array<Array<Candidate>> = []
  for (const candidate of candidates) {
    const near = (it: Candidate) => it.known === candidate.known && Math.abs(it.offset - candidate.offset) < sameSaying
    const home = groups.find((it) => near(it[0]))
    if (!home) {
      if (groups.length < mostSayings) groups.push([candidate])
    } else if (home.length < mostOffsets && home.every((it) => Math.abs(it.offset - candidate.offset) > 8)) {
      home.push(candidate)
    }
  }
  return groups
}

const compare = (received: Float32Array, candidates: ReadonlyArray<Candidate>): Saying => {
  const { known } = candidates[0]
  // Usually the first offset explains everything; the others are tried only where it does not.
  const placed: Array<Placement> = []
  const placement = (index: number) => {
    const { offset, sure } = candidates[index]
    placed[index] ??= place(received, known, offset, sure)
    return placed[index]
  }
  const hearing = (unit: Unit) => {
    for (let index = 0; index < candidates.length; index++) if (placement(index).hears(unit)) return placed[index]
    return undefined
  }
  const pieces: Array<Piece> = []
  let heard = 0
  let missed = 0
  let last: number | undefined
  for (const unit of known.units) {
    const place = hearing(unit)
    const { offset } = place ?? placement(0)
    const start = unit.start + offset
    const end = unit.end + offset
    const inside = end > 0 && start < received.length
    const whole = start >= 0 && end <= received.length
    const pause = unit.text === ""
    // A pause matches anywhere, so it says nothing about the offset. Neither does a pause at the edge of the audio.
    if (pause && (place || !whole)) continue
    if (!inside) continue
    if (place && last !== undefined && last !== offset) pieces.push({ text: "…", start, end: start, heard: false })
    if (place) last = offset
    pieces.push({ text: place ? unit.text : "…", start, end, heard: place !== undefined })
    if (place) heard += unit.end - unit.start
    else missed += unit.end - unit.start
  }
  return { pieces, heard, score: heard - missed, whole: heard > 0 && pieces.every((piece) => piece.heard) }
}

const overlap = (a: Piece, b: Piece) => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start))

/** Keeps the best explanation of each stretch. A saying is left out when a better one has already claimed its words. */
const explain = (sayings: ReadonlyArray<Saying>): Array<Piece> => {
  const claimed: Array<Piece> = []
  const kept: Array<Saying> = []
  for (const saying of sayings.toSorted((a, b) => b.score - a.score)) {
    if (saying.heard < leastHeard) continue
    const own = saying.pieces.filter((piece) => piece.heard)
    const taken = own.reduce((sum, piece) => sum + claimed.reduce((most, it) => most + overlap(piece, it), 0), 0)
    if (taken > 0.3 * saying.heard) continue
    claimed.push(...own)
    kept.push(saying)
  }
  const free = (piece: Piece) => claimed.every((it) => overlap(piece, it) <= (piece.end - piece.start) / 2)
  return kept
    .flatMap((saying) => saying.pieces.filter((piece) => piece.heard || piece.start === piece.end || free(piece)))
    .sort((a, b) => a.start - b.start)
}

const sayingsOf = (received: Float32Array, candidates: ReadonlyArray<Candidate>): Array<Saying> => {
  const sayings: Array<Saying> = []
  for (const saying of group(candidates)) {
    const [{ from, to }] = saying
    // What a faultless saying explains needs no second explanation.
    const explained = sayings.some(({ whole, pieces }) => whole && pieces[0].start <= from && pieces.at(-1)!.end >= to)
    if (!explained) sayings.push(compare(received, saying))
  }
  return sayings
}

/** Transcribes 8 kHz samples with the utterances of the bank. Synchronous; it takes about half a millisecond per second of audio. */
export const recognise = (bank: Bank, samples: Int16Array): string => {
  const line = decode(encode(samples))
  const received = highPassed(line)
  let pieces = explain(sayingsOf(received, bank.candidates(line)))
  if (pieces.length === 0) pieces = explain(sayingsOf(received, bank.candidates(line, true)))
  const words: Array<string> = []
  for (const { text } of pieces) if (text !== "…" || words.at(-1) !== "…") words.push(text)
  return words.join(" ")
}
