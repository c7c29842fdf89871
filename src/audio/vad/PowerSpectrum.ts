/**
 * Power spectrum of 256 real samples by one complex FFT of 128 points. This is the most expensive part of the frame path, so
 * stages are merged: load + window + radix-4, two radix-4 passes, and the last radix-2 pass together with untangling.
 */

const HALF = 128
/** Samples taken. */
export const FFT_SIZE = 2 * HALF
/** Bins given: 0 … 127, 31.25 Hz apart at 8 kHz (the bin at half the sample rate carries nothing on a telephone line). */
export const BINS = HALF

// Shared by all instances: constants of the transform, working memory of one synchronous call.
const window = Float64Array.from(
  { length: FFT_SIZE },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / FFT_SIZE)
)
const cos = Float64Array.from({ length: HALF }, (_, i) => Math.cos((2 * Math.PI * i) / FFT_SIZE))
const sin = Float64Array.from({ length: HALF }, (_, i) => -Math.sin((2 * Math.PI * i) / FFT_SIZE))
const re = new Float64Array(HALF)
const im = new Float64Array(HALF)
/** Sample index of the first of four inputs of each first-stage butterfly: bit-reversed, as a real-sample index. */
const firstInput = Uint8Array.from({ length: HALF / 4 }, (_, group) => {
  let value = 0
  for (let bit = 0; bit < 5; bit++) value |= ((group >> bit) & 1) << (4 - bit)
  return 2 * value
})

/** Writes |X|² of the Hann-windowed `samples` (256) to `power` (128 bins). Allocates nothing. */
export const powerSpectrum = (samples: Float64Array, power: Float64Array): void => {
  load(samples)
  radix4(4)
  radix4(16)
  finish(power)
}

/** Packs even samples as real and odd ones as imaginary parts, and does the butterflies of distance 1 and 2. */
const load = (x: Float64Array): void => {
  for (let g = 0, i = 0; i < HALF; g++, i += 4) {
    const a = firstInput[g]
    const b = a + 128
    const c = a + 64
    const d = a + 192
    const ar = x[a] * window[a]
    const ai = x[a + 1] * window[a + 1]
    const br = x[b] * window[b]
    const bi = x[b + 1] * window[b + 1]
    const cr = x[c] * window[c]
    const ci = x[c + 1] * window[c + 1]
    const dr = x[d] * window[d]
    const di = x[d + 1] * window[d + 1]
    re[i] = ar + br + (cr + dr)
    im[i] = ai + bi + (ci + di)
    re[i + 1] = ar - br + (ci - di)
    im[i + 1] = ai - bi - (cr - dr)
    re[i + 2] = ar + br - (cr + dr)
    im[i + 2] = ai + bi - (ci + di)
    re[i + 3] = ar - br - (ci - di)
    im[i + 3] = ai - bi + (cr - dr)
  }
}

/** The butterflies of distance `h` and `2h` in one pass. */
const radix4 = (h: number): void => {
  const step = FFT_SIZE / (4 * h)
  for (let k = 0; k < h; k++) {
    const vr = cos[k * step]
    const vi = sin[k * step]
    const wr = vr * vr - vi * vi
    const wi = 2 * vr * vi
    const ur = vr * wr - vi * wi
    const ui = vr * wi + vi * wr
    for (let a = k; a < HALF; a += 4 * h) {
      const b = a + h
      const c = b + h
      const d = c + h
      const t1r = re[b] * wr - im[b] * wi
      const t1i = re[b] * wi + im[b] * wr
      const t2r = re[c] * vr - im[c] * vi
      const t2i = re[c] * vi + im[c] * vr
      const t3r = re[d] * ur - im[d] * ui
      const t3i = re[d] * ui + im[d] * ur
      const sr = re[a] + t1r
      const si = im[a] + t1i
      const mr = re[a] - t1r
      const mi = im[a] - t1i
      const pr = t2r + t3r
      const pi = t2i + t3i
      const qr = t2r - t3r
      const qi = t2i - t3i
      re[a] = sr + pr
      im[a] = si + pi
      re[c] = sr - pr
      im[c] = si - pi
      re[b] = mr + qi
      im[b] = mi - qr
      re[d] = mr - qi
      im[d] = mi + qr
    }
  }
}

/** The butterflies of distance 64, and the spectrum of the real signal out of that of the packed one. */
const finish = (power: Float64Array): void => {
  const z0r = re[0] + re[64]
  const z0i = im[0] + im[64]
  power[0] = (z0r + z0i) * (z0r + z0i)
  const z64r = re[0] - re[64]
  const z64i = im[0] - im[64]
  power[64] = z64r * z64r + z64i * z64i
  for (let k = 1; k <= 32; k++) {
    const j = 64 - k
    const kr = re[k + 64] * cos[2 * k] - im[k + 64] * sin[2 * k]
    const ki = re[k + 64] * sin[2 * k] + im[k + 64] * cos[2 * k]
    const jr = re[j + 64] * cos[2 * j] - im[j + 64] * sin[2 * j]
    const ji = re[j + 64] * sin[2 * j] + im[j + 64] * cos[2 * j]
    untangle(power, k, re[k] + kr, im[k] + ki, re[j] - jr, im[j] - ji)
    untangle(power, j, re[j] + jr, im[j] + ji, re[k] - kr, im[k] - ki)
  }
}

/** Bins `k` and `128 - k` from the packed transform at both (`p` and `q`). */
const untangle = (power: Float64Array, k: number, pr: number, pi: number, qr: number, qi: number): void => {
  const evenRe = 0.5 * (pr + qr)
  const evenIm = 0.5 * (pi - qi)
  const oddRe = 0.5 * (pi + qi)
  const oddIm = 0.5 * (qr - pr)
  const turnedRe = oddRe * cos[k] - oddIm * sin[k]
  const turnedIm = oddRe * sin[k] + oddIm * cos[k]
  const aRe = evenRe + turnedRe
  const aIm = evenIm + turnedIm
  const bRe = evenRe - turnedRe
  const bIm = evenIm - turnedIm
  power[k] = aRe * aRe + aIm * aIm
  power[HALF - k] = bRe * bRe + bIm * bIm
}
