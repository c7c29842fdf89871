/** The utterances that the simulated recogniser knows by their sound. It finds where each of them may start in received audio. */
import { createHash } from "node:crypto"
import { decode, encode } from "../../src/audio/frames/Mulaw.ts"
import type { Spoken } from "../voice/Voice.ts"
import { highPassed } from "./HighPass.ts"
import { eachLandmark } from "./Landmarks.ts"

/** A stretch of a known utterance that is either heard whole or not: a word, or (text "") the pause between two words. */
export interface Unit {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Its frames: indexes into `Known.frames`, `to` not included. */
  readonly from: number
  readonly to: number
}

export interface Known {
  readonly spoken: Spoken
  /** The audio as the telephone line carries it (through mu-law), filtered for the comparison. */
  readonly heard: Float32Array
  readonly units: ReadonlyArray<Unit>
  /** Boundaries of the frames of all units, about 20 ms each: start, end, start, end … */
  readonly frames: ReadonlyArray<number>
  /** Mean square of each frame. */
  readonly energy: ReadonlyArray<number>
  /** Mean square of the frames with speech. */
  readonly power: number
}

/** A known utterance that seems to start at `offset` in the received audio (negative: its start is missing). */
export interface Candidate {
  readonly known: Known
  readonly offset: number
  readonly votes: number
  /** The offset is exact to the sample. */
  readonly sure: boolean
  /** The part of the received audio that supports it. */
  readonly from: number
  readonly to: number
}

interface Ballot {
  votes: number
  from: number
  to: number
}

/** Keys shared by more places than this say nothing about the place. */
const commonKey = 48
const leastVotes = 3
const room = 2 ** 24

const frame = 160

/** Words and the pauses between them. A remainder shorter than half a frame belongs to the frame before it. */
const divide = (spoken: Spoken): { units: Array<Unit>; frames: Array<number> } => {
  const units: Array<Unit> = []
  const frames: Array<number> = []
  const add = (text: string, start: number, end: number) => {
    const from = frames.length / 2
    for (let at = start; at < end; ) {
      const next = end - at < 1.5 * frame ? end : at + frame
      frames.push(at, next)
      at = next
    }
    units.push({ text, start, end, from, to: frames.length / 2 })
  }
  for (const word of spoken.words) {
    const start = word.startMs * 8
    const before = units.at(-1)
    if (before && start > before.end) add("", before.end, start)
    add(word.text, start, Math.min(spoken.samples.length, word.endMs * 8))
  }
  return { units, frames }
}

/** The least level for landmarks: only the loud part of an utterance makes landmarks that survive noise. */
const landmarkLevel = (samples: Int16Array) =>
  0.12 * Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1))

const makeKnown = (spoken: Spoken, heard: Float32Array): Known => {
  const { units, frames } = divide(spoken)
  const energy = Array.from({ length: frames.length / 2 }, (_, index) => {
    const [start, end] = [frames[2 * index], frames[2 * index + 1]]
    return heard.subarray(start, end).reduce((sum, sample) => sum + sample * sample, 0) / (end - start)
  })
  const loudest = Math.max(0, ...energy)
  const loud = energy.filter((it) => it > loudest / 100)
  const power = loud.reduce((sum, it) => sum + it, 0) / loud.length || 1
  return { spoken, heard, units, frames, energy, power }
}

export class Bank {
  readonly #known: Array<Known> = []
  readonly #seen = new Set<string>()
  readonly #places = new Map<number, Array<number>>()

  constructor(utterances: Iterable<Spoken> = []) {
    for (const spoken of utterances) this.learn(spoken)
  }

  get all(): ReadonlyArray<Known> {
    return this.#known
  }

  get size(): number {
    return this.#known.length
  }

  /** Adds an utterance; the same audio again changes nothing. */
  learn(spoken: Spoken): void {
    const samples = decode(encode(spoken.samples))
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
    const key = createHash("sha1").update(spoken.text).update(bytes).digest("base64")
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const index = this.#known.push(makeKnown(spoken, highPassed(samples))) - 1
    eachLandmark(samples, landmarkLevel(samples), false, (landmark, position) => {
      const places = this.#places.get(landmark)
      if (places) places.push(index * room + position)
      else this.#places.set(landmark, [index * room + position])
    })
  }

  /** Where known utterances may be in `samples`, most votes first, without neighbours of a better candidate. `doubt` searches more thoroughly. */
  candidates(samples: Int16Array, doubt = false): Array<Candidate> {
    const ballots = new Map<number, Ballot>()
    eachLandmark(samples, 60, doubt, (landmark, position) => {
      const places = this.#places.get(landmark)
      if (!places || places.length > commonKey) return
      for (const place of places) {
        // One number for utterance and offset. Offsets may be negative, so half of the room is added.
        const known = Math.floor(place / room)
        const key = known * room + (position - (place % room) + room / 2)
        const ballot = ballots.get(key)
        if (ballot) {
          ballot.votes++
          ballot.to = position
        } else ballots.set(key, { votes: 1, from: position, to: position })
      }
    })
    const peaks: Array<Candidate> = []
    for (const [key, { votes, from, to }] of ballots) {
      if (votes < 2) continue
      const before = ballots.get(key - 1)?.votes ?? 0
      const after = ballots.get(key + 1)?.votes ?? 0
      if (votes + before + after < leastVotes || votes < before || votes < after) continue
      const known = this.#known[Math.floor(key / room)]
      const offset = (key % room) - room / 2
      peaks.push({ known, offset, votes: votes + before + after, sure: votes > 4 * (before + after), from, to })
    }
    return peaks.sort((a, b) => b.votes - a.votes)
  }
}
