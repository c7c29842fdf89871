/** Speech as a line has it whose samples are taken at other moments, as a browser's microphone does: by a fraction of a sample later. */
import type { Spoken } from "../../simulators/voice/Voice.ts"

/** Samples on each side that are weighed. */
const reach = 16

const weight = (x: number): number =>
  x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * 0.5 * (1 + Math.cos((Math.PI * x) / reach))

/** The sound `part` of a sample later, by a windowed sinc. */
const delayed = (samples: Int16Array, part: number): Int16Array => {
  const weights = Array.from({ length: 2 * reach }, (_, index) => weight(index - reach + 1 - part))
  return samples.map((_, at) => {
    const sum = weights.reduce((sum, one, index) => sum + one * (samples[at + index - reach + 1] ?? 0), 0)
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)))
  })
}

/** The speech, and the same by a quarter, a half and three quarters of a sample later. */
export const betweenSamples = (spoken: Spoken): ReadonlyArray<Spoken> => [
  spoken,
  ...[0.25, 0.5, 0.75].map((part) => ({ ...spoken, samples: delayed(spoken.samples, part) }))
]
