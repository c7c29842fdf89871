/**
 * Recognises known utterances in recordings that were compressed: their samples are not those of the utterance any more, but the sound is. Loudness over time says
 * where an utterance may be; then each word must sound like the known one there.
 */
import type { Bank, Known } from "./Bank.ts"
import { lowBand } from "./Landmarks.ts"

/** 20 ms at 8 kHz. */
const frame = 160
/** How many places of the recording are looked at more closely for each utterance. */
const places = 6
/** Samples around such a place. */
const around = 2 * frame
const leastLikeness = 0.5
/** An utterance is looked for only where its loudness over time is this much like the recording's. */
const leastAlike = 0.7

const loudness = (band: Float32Array): Float32Array =>
  Float32Array.from({ length: Math.floor(band.length / frame) }, (_, at) => {
    let sum = 0
    for (let i = at * frame; i < (at + 1) * frame; i++) sum += band[i] * band[i]
    return Math.sqrt(sum / frame)
  })

/** The cosine between `a` from `fromA` and `b` from `fromB`; each `step`th of `length` samples. */
const likeness = (a: Float32Array, fromA: number, b: Float32Array, fromB: number, length: number, step: number) => {
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < length; i += step) {
    const [x, y] = [a[fromA + i] ?? 0, b[fromB + i] ?? 0]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb)
}

interface Found {
  readonly text: string
  readonly at: number
  readonly end: number
  readonly likeness: number
}

const best = (offsets: Iterable<number>, score: (offset: number) => number, most: number) =>
  [...offsets]
    .map((offset) => ({ offset, score: score(offset) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, most)

function* range(from: number, to: number, step = 1) {
  for (let at = from; at < to; at += step) yield at
}

const bands = new WeakMap<Known, Float32Array>()

const bandOf = (known: Known): Float32Array => {
  const band = bands.get(known) ?? lowBand(known.spoken.samples)
  bands.set(known, band)
  return band
}

const find = (received: Float32Array, levels: Float32Array, whole: Known): Found | undefined => {
  const known = bandOf(whole)
  const own = loudness(known)
  const rough = best(
    range(0, Math.max(1, levels.length - own.length + 3)),
    (offset) => likeness(own, 0, levels, offset, own.length, 1),
    places
  ).filter(({ score }) => score >= leastAlike)
  const exact = rough.flatMap(({ offset }) =>
    best(
      range(offset * frame - around, offset * frame + around, 2),
      (at) => likeness(known, 0, received, at, known.length, 16),
      2
    )
  )
  const fine = exact.flatMap(({ offset }) =>
    best(range(offset - 3, offset + 4), (at) => likeness(known, 0, received, at, known.length, 4), 1)
  )
  const [place] = fine.toSorted((a, b) => b.score - a.score)
  if (place === undefined || place.score < leastLikeness) return undefined
  const words = whole.units
    .filter(({ text }) => text !== "")
    .map(({ text, start, end }) =>
      likeness(known, start, received, place.offset + start, end - start, 2) >= leastLikeness ? text : "…"
    )
  const text = words.filter((word, at) => word !== "…" || words[at - 1] !== "…").join(" ")
  return { text, at: place.offset, end: place.offset + known.length, likeness: place.score }
}

/** Transcribes 8 kHz samples with the utterances of the bank. Each is found once. */
export const recogniseCompressed = (bank: Bank, samples: Int16Array): string => {
  const received = lowBand(samples)
  const levels = loudness(received)
  const found = bank.all
    .map((known) => find(received, levels, known))
    .filter((one) => one !== undefined)
    .sort((a, b) => b.likeness - a.likeness)
  const kept: Array<Found> = []
  for (const one of found)
    if (kept.every(({ at, end }) => Math.min(end, one.end) - Math.max(at, one.at) < (one.end - one.at) / 4))
      kept.push(one)
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(" ")
}
