/** Real (synthesized) speech and noise for tests of what listens: 8 kHz samples, always the same for the same arguments. */
import load from "@echogarden/espeak-ng-emscripten"
import { resample } from "../../src/audio/Resample.ts"

/** Samples per second of the synthesizer. */
const ENGINE_RATE = 22_050

let engine: ReturnType<typeof load> | undefined
const spoken = new Map<string, Int16Array>()

/** `text` spoken by `voice` (an eSpeak name: `en`, `hi`, …), 8 kHz. Kept for the life of the process. */
export const speak = async (text: string, voice = "en", rate = 160, pitch = 50): Promise<Int16Array> => {
  const key = JSON.stringify([text, voice, rate, pitch])
  const known = spoken.get(key)
  if (known !== undefined) return known
  engine ??= load()
  const { eSpeakNGWorker } = await engine
  const worker = new eSpeakNGWorker()
  if (worker.set_voice(voice) !== 0) throw new Error(`no such voice: ${voice}`)
  worker.set_rate(rate)
  worker.set_pitch(pitch)
  const pieces: Array<Int16Array> = []
  worker.synthesize(text, (samples) => {
    pieces.push(samples.slice())
    return false
  })
  const pcm = resample(concat(pieces), ENGINE_RATE, 8_000)
  spoken.set(key, pcm)
  return pcm
}

/** One after the other. */
export const concat = (pieces: ReadonlyArray<Int16Array>): Int16Array => {
  const out = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

/** Digital silence of `ms` milliseconds. */
export const silence = (ms: number): Int16Array => new Int16Array(ms * 8)

/** Deterministic uniform numbers in [0, 1). */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Gaussian noise of standard deviation 1: equal power per Hz (white) or per octave (pink), or falling faster (brown: a car). */
export const noise = (color: "white" | "pink" | "brown", length: number, seed: number): Float64Array => {
  const next = random(seed)
  const white = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const out = new Float64Array(length)
  let [b0, b1, b2] = [0, 0, 0]
  for (let i = 0; i < length; i++) {
    const w = white()
    if (color === "white") {
      out[i] = w
    } else if (color === "pink") {
      // Kellet's filter.
      b0 = 0.99765 * b0 + w * 0.099046
      b1 = 0.963 * b1 + w * 0.2965164
      b2 = 0.57 * b2 + w * 1.0526913
      out[i] = b0 + b1 + b2 + w * 0.1848
    } else {
      b0 = 0.97 * b0 + w
      out[i] = b0
    }
  }
  const level = rms(out)
  return out.map((sample) => sample / level)
}

/** Root mean square. */
export const rms = (samples: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i] * samples[i]
  return Math.sqrt(sum / Math.max(1, samples.length))
}
