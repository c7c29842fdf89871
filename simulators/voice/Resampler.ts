/** 22,050 Hz → 8,000 Hz by a windowed sinc, one precomputed filter per output phase (8000 / 22050 = 160 / 441). */

const up = 160
const down = 441
const reach = 40
/** Cut off a little below 4 kHz so that nothing folds back into the telephone band. */
const cutoff = 3_600 / 22_050

const phases = Array.from({ length: up }, (_, phase) => {
  const taps = new Float64Array(2 * reach)
  let sum = 0
  for (let k = 0; k < taps.length; k++) {
    const x = k - reach + 1 - phase / up
    const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x)
    const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / reach)
    taps[k] = Math.abs(x) < reach ? sinc * window : 0
    sum += taps[k]
  }
  return taps.map((tap) => tap / sum)
})

/** Samples at 22,050 Hz in, samples at 8,000 Hz out, same scale, not rounded. */
export const toTelephoneRate = (input: ArrayLike<number>): Float64Array => {
  const output = new Float64Array(Math.ceil((input.length * up) / down))
  for (let n = 0; n < output.length; n++) {
    const position = n * down
    const first = Math.floor(position / up) - reach + 1
    const taps = phases[position % up]
    const from = Math.max(0, -first)
    const to = Math.min(taps.length, input.length - first)
    let sum = 0
    for (let k = from; k < to; k++) sum += taps[k] * input[first + k]
    output[n] = sum
  }
  return output
}
