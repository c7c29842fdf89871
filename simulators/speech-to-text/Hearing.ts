/** Compares received audio with a known utterance at a given offset, 20 ms by 20 ms. */
import type { Known, Unit } from "./Bank.ts"

/** Noise above this share of the speech's power (−9 dB) does not count as noise: it may be another voice. */
const mostNoise = 0.12
const mostNoiseFrame = 6

/** A known utterance laid over the received audio. */
export interface Placement {
  readonly offset: number
  /** True when every frame of the unit is there. */
  readonly hears: (unit: Unit) => boolean
}

/** Σ reference × received for the reference placed at `offset`. */
const agreement = (received: Float32Array, reference: Float32Array, offset: number): number => {
  const from = Math.max(0, -offset)
  const to = Math.min(reference.length, received.length - offset)
  let sum = 0
  for (let i = from; i < to; i++) sum += reference[i] * received[i + offset]
  return sum
}

/** Landmarks may be a sample or two off in noise; speech agrees best at the true offset. */
const refine = (received: Float32Array, known: Known, offset: number): number => {
  let best = offset
  let most = Number.NEGATIVE_INFINITY
  for (let shift = -2; shift <= 2; shift++) {
    const sum = agreement(received, known.heard, offset + shift)
    if (sum <= most) continue
    most = sum
    best = offset + shift
  }
  return best
}

const quantile = (values: Array<number>, share: number) =>
  values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

/**
 * Estimates gain and noise from the received audio itself, by quantiles that a few damaged frames do not change. A frame counts as present when the
 * rest after subtracting the expected speech is about the noise, and when it correlates where speech is louder than noise.
 */
export const place = (received: Float32Array, known: Known, rough: number, sure: boolean): Placement => {
  const offset = sure ? rough : refine(received, known, rough)
  const { energy, frames, heard, power } = known
  const shared = new Float64Array(energy.length)
  const other = new Float64Array(energy.length)
  const gains: Array<number> = []
  for (let index = 0; index < energy.length; index++) {
    const [start, end] = [frames[2 * index], frames[2 * index + 1]]
    const last = Math.min(end, received.length - offset)
    for (let i = Math.max(start, -offset); i < last; i++) {
      const sample = received[i + offset]
      shared[index] += heard[i] * sample
      other[index] += sample * sample
    }
    shared[index] /= end - start
    other[index] /= end - start
    if (energy[index] > power / 2 && shared[index] > 0) gains.push(shared[index] / energy[index])
  }
  const gain = quantile(gains, 0.5)
  const full = gain * gain * power
  const residual = (index: number) => (other[index] - 2 * gain * shared[index]) / full + energy[index] / power
  const inside: Array<number> = []
  for (let index = 0; index < energy.length; index++) if (other[index] > 0) inside.push(residual(index))
  const noise = Math.min(mostNoise, 1.5 * quantile(inside, 0.25))
  const frameHeard = (index: number) => {
    const level = energy[index] / power
    if (residual(index) > mostNoiseFrame * noise + 0.01 * level + 0.004) return false
    if (level < noise || level < 0.001) return true
    const correlation = shared[index] / Math.sqrt(energy[index] * other[index] + 1)
    return correlation > Math.sqrt(level / (level + noise)) - 0.35
  }
  const hears = (unit: Unit) => {
    if (gain <= 0) return false
    for (let index = unit.from; index < unit.to; index++) if (!frameHeard(index)) return false
    return true
  }
  return { offset, hears }
}
