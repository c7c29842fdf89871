/** Filters the audio for the comparison: only the signal above 300 Hz counts, because low noise hides speech more than it matters on a telephone. */

const pole = 1 - (2 * Math.PI * 300) / 8_000

export const highPassed = (samples: Int16Array): Float32Array => {
  const out = new Float32Array(samples.length)
  let value = 0
  let last = 0
  for (let i = 0; i < samples.length; i++) {
    value = pole * (value + samples[i] - last)
    last = samples[i]
    out[i] = value
  }
  return out
}
