/** The audio that the caller's telephone sends: queued speech over silence or line noise, 160 bytes per tick. */
import { decodeTable, encode, encodeSample, firstVoiced, frameBytes, silence } from "./Mulaw.ts"

/** Pink noise of this loudness (RMS, dB under full scale, e.g. -45), or a recording that is looped (8 kHz samples). */
export type LineNoise = { readonly rmsDbfs: number; readonly seed?: number } | Int16Array

const made = new Map<string, Int16Array>()

/** Ten seconds of pink noise (Kellet's filter over a seeded generator), made once per loudness and seed. */
const pinkNoise = (rmsDbfs: number, seed = 1): Int16Array => {
  const key = `${rmsDbfs}/${seed}`
  const noise = made.get(key) ?? makePinkNoise(rmsDbfs, seed)
  made.set(key, noise)
  return noise
}

const makePinkNoise = (rmsDbfs: number, seed: number): Int16Array => {
  let state = seed >>> 0 || 1
  const white = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  let [a, b, c] = [0, 0, 0]
  const raw = Float64Array.from({ length: 80_000 }, () => {
    const w = white()
    a = 0.99765 * a + w * 0.099046
    b = 0.963 * b + w * 0.2965164
    c = 0.57 * c + w * 1.0526913
    return a + b + c + w * 0.1848
  })
  const rms = Math.sqrt(raw.reduce((sum, sample) => sum + sample * sample, 0) / raw.length)
  const gain = (32_768 * 10 ** (rmsDbfs / 20)) / rms
  return Int16Array.from(raw, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))))
}

interface Utterance {
  readonly bytes: Uint8Array
  readonly firstVoiced: number
  read: number
  readonly done: () => void
}

export class Mouth {
  readonly #noise: Int16Array | undefined
  readonly #onVoice: (offsetMs: number) => void
  #noiseAt = 0
  #queue: Array<Utterance> = []

  /** Calls `onVoice` at the first voiced sample of each utterance, with its milliseconds within the running tick. */
  constructor(noise: LineNoise | undefined, onVoice: (offsetMs: number) => void) {
    this.#noise = noise === undefined || noise instanceof Int16Array ? noise : pinkNoise(noise.rmsDbfs, noise.seed)
    this.#onVoice = onVoice
  }

  get speaking(): boolean {
    return this.#queue.length > 0
  }

  /** Says it after the speech under way. Calls `done` at the tick in which its last byte is sent. */
  say(speech: Int16Array | Uint8Array, done: () => void): void {
    const bytes = speech instanceof Int16Array ? encode(speech) : speech
    if (bytes.length === 0) done()
    else this.#queue.push({ bytes, firstVoiced: firstVoiced(bytes), read: 0, done })
  }

  /** Writes the next 160 bytes into `out` at `at`; true when they are pure silence. */
  tick(out: Uint8Array, at: number): boolean {
    let filled = 0
    const finished: Array<() => void> = []
    while (filled < frameBytes && this.#queue.length > 0) {
      const utterance = this.#queue[0]
      const piece = utterance.bytes.subarray(utterance.read, utterance.read + frameBytes - filled)
      out.set(piece, at + filled)
      const voiced = utterance.firstVoiced - utterance.read
      if (voiced >= 0 && voiced < piece.length) this.#onVoice((filled + voiced) / 8)
      filled += piece.length
      utterance.read += piece.length
      if (utterance.read < utterance.bytes.length) break
      this.#queue.shift()
      finished.push(utterance.done)
    }
    out.fill(silence, at + filled, at + frameBytes)
    if (this.#noise !== undefined) this.#addNoise(this.#noise, out, at)
    for (const done of finished) done()
    return filled === 0 && this.#noise === undefined
  }

  #addNoise(noise: Int16Array, out: Uint8Array, at: number): void {
    for (let i = at; i < at + frameBytes; i++) {
      const mixed = decodeTable[out[i]] + noise[this.#noiseAt]
      out[i] = encodeSample(Math.max(-32_768, Math.min(32_767, mixed)))
      this.#noiseAt = (this.#noiseAt + 1) % noise.length
    }
  }
}
