/** Recorded and synthesized speech → 8,000 Hz by a windowed sinc; from 22,050 Hz with one precomputed filter per output phase (160 / 441). */

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

const telephoneRate = 8_000

/** Samples at any rate (Hz) in, samples at 8,000 Hz out, same scale, not rounded. Slow: for files, not for streams. */
export const resampled = (input: ArrayLike<number>, rate: number): Float64Array => {
  if (rate === telephoneRate) return Float64Array.from(input)
  // Half a period of the highest frequency that both rates can carry, in samples of the input.
  const cut = (0.9 * Math.min(rate, telephoneRate)) / 2 / rate
  const width = reach * Math.max(1, rate / telephoneRate)
  return Float64Array.from({ length: Math.floor((input.length * telephoneRate) / rate) }, (_, n) => {
    const position = (n * rate) / telephoneRate
    let [sum, weight] = [0, 0]
    for (let at = Math.max(0, Math.ceil(position - width)); at <= position + width && at < input.length; at++) {
      const x = at - position
      const sinc = x === 0 ? 2 * cut : Math.sin(2 * Math.PI * cut * x) / (Math.PI * x)
      const tap = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / width))
      sum += tap * input[at]
      weight += tap
    }
    return weight === 0 ? 0 : sum / weight
  })
}
