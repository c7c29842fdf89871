/**
 * Landmarks: short fingerprints of voiced speech that survive noise and do not depend on where the audio starts. The signal is
 * reduced to its first formants (150 to 800 Hz); at each upward zero crossing the signs of the next 12 ms make a 24-bit key.
 */

/** One sample after the crossing, so that a formant of 500 Hz is not sampled where it crosses again. */
const first = 1
const stride = 4
const bits = 24
/** How many samples a landmark covers. */
const span = first + stride * bits
const mostDoubts = 6

/** Second-order low pass at 800 Hz and first-order high pass at 150 Hz, 8 kHz. */
export const lowBand = (samples: Int16Array): Float32Array => {
  const out = new Float32Array(samples.length)
  const k = Math.tan((Math.PI * 800) / 8_000)
  const norm = 1 / (1 + Math.SQRT2 * k + k * k)
  const b0 = k * k * norm
  const a1 = 2 * (k * k - 1) * norm
  const a2 = (1 - Math.SQRT2 * k + k * k) * norm
  const pole = 1 - (2 * Math.PI * 150) / 8_000
  let [x1, x2, y1, y2, high, last] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i]
    const y = b0 * (x + 2 * x1 + x2) - a1 * y1 - a2 * y2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    high = pole * (high + y - last)
    last = y
    out[i] = high
  }
  return out
}

/** The bits that noise changes first, as masks: those of values below half the mean level. */
const doubtful = (band: Float32Array, from: number, mean: number): Array<number> => {
  const masks: Array<number> = []
  for (let bit = 0; bit < bits; bit++) {
    if (Math.abs(band[from + bit * stride]) < mean / 2) masks.push(1 << (bits - 1 - bit))
  }
  return masks.slice(0, mostDoubts)
}

/**
 * Calls `found(key, position)` for every landmark whose mean level in the band reaches `level`; with `doubt` also for the keys that
 * differ in one doubtful bit, which finds more in noise and costs several times as much.
 */
export const eachLandmark = (
  samples: Int16Array,
  level: number,
  doubt: boolean,
  found: (key: number, position: number) => void
) => {
  const band = lowBand(samples)
  for (let n = 1; n + span <= band.length; n++) {
    if (band[n - 1] >= 0 || band[n] < 0) continue
    let key = 0
    let sum = 0
    for (let bit = 0; bit < bits; bit++) {
      const value = band[n + first + bit * stride]
      sum += Math.abs(value)
      key = (key << 1) | (value >= 0 ? 1 : 0)
    }
    if (sum < level * bits) continue
    found(key, n)
    if (doubt) for (const mask of doubtful(band, n + first, sum / bits)) found(key ^ mask, n)
  }
}
