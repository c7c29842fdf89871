/** Short sounds of a caller's room that are no speech: 8 kHz samples, always the same. */
import { random, toPcm } from "../../simulators/voice/Noise.ts"
import type { Sound } from "./Dialogue.ts"

const rate = 8_000

interface Burst {
  readonly atMs: number
  readonly ms: number
  readonly peak: number
  /** How fast it dies away, ms. */
  readonly decayMs: number
}

const bursts: Readonly<Record<Sound, ReadonlyArray<Burst>>> = {
  cough: [
    { atMs: 0, ms: 220, peak: 12_000, decayMs: 80 },
    { atMs: 330, ms: 200, peak: 9_000, decayMs: 70 }
  ],
  click: [{ atMs: 0, ms: 12, peak: 16_000, decayMs: 3 }],
  bang: [{ atMs: 0, ms: 160, peak: 20_000, decayMs: 35 }]
}

export const soundOf = (sound: Sound): Int16Array => {
  const next = random(sound.length)
  const list = bursts[sound]
  const endMs = Math.max(...list.map(({ atMs, ms }) => atMs + ms))
  const out = new Float64Array((endMs * rate) / 1_000)
  for (const { atMs, ms, peak, decayMs } of list) {
    const from = (atMs * rate) / 1_000
    for (let i = 0; i < (ms * rate) / 1_000; i++) {
      const sinceMs = (i * 1_000) / rate
      out[from + i] += peak * Math.min(1, sinceMs / 2) * Math.exp(-sinceMs / decayMs) * (2 * next() - 1)
    }
  }
  return toPcm(out)
}
