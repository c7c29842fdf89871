/**
 * The noise of a line, band by band. Frames that are not speech are averaged in; beside that, the minimum of the smoothed power
 * over the last 1.6 s finds noise that rose while it was taken for speech: no one speaks that long without a dip in every band.
 */
import { BANDS } from "./SubBands.ts"

/** Below this no line noise is believed: the power that rounding in mu-law itself makes in a bin. */
const FLOOR = 3_000
/** Frames whose mean is the first estimate: a single one would be wrong by several dB. */
const LEARNING_FRAMES = 12
/** Frames before which the estimate is of no use at all. */
const FIRST_FRAMES = 4
const FALL_RATE = 0.25
/** A band this many times louder than its noise counts as that much: soft ends of words are not all noise. */
const OUTLIER = 1.8
const SMOOTHING = 0.8
/** The minimum of smoothed noise lies about this much under its mean. */
const MINIMUM_BIAS = 1.7
const WINDOW_FRAMES = 16
const WINDOWS = 5
/** Frames of equal loudness after which a sound is taken for noise: 400 ms. Speech is never that steady. */
const STEADY_FRAMES = 20
/** Loudest to softest frame, in power, of a steady sound. */
const STEADY_RATIO = 2

export class NoiseFloor {
  /** Noise power per bin in each band. */
  readonly power = new Float64Array(BANDS).fill(FLOOR)
  private learned = 0
  /** The first analysis reaches back before the call: it holds too little power to learn from. */
  private whole = false
  private readonly smoothed = new Float64Array(BANDS)
  private readonly steadySum = new Float64Array(BANDS)
  private steadyFrames = 0
  private steadyLow = 0
  private steadyHigh = 0
  /** Minima of the last windows, one row per window. */
  private readonly minima = new Float64Array(BANDS * WINDOWS).fill(Number.POSITIVE_INFINITY)
  private window = 0
  private windowFrames = 0

  /** True when there is no estimate yet that anything could be compared with. */
  get blind(): boolean {
    return this.learned < FIRST_FRAMES
  }

  /** True once the estimate is good. */
  get ready(): boolean {
    return this.learned >= LEARNING_FRAMES
  }

  /** Digital silence: a line without noise, unless noise was heard on it before. */
  silent(): void {
    this.whole = true
    if (this.learned < LEARNING_FRAMES && ++this.learned === LEARNING_FRAMES) this.power.fill(FLOOR)
    this.steadyFrames = 0
  }

  /** Takes the band powers of a frame, its mean power, whether it was taken for speech, and how much it weighs (0 … 1) if not. */
  update(bands: Float64Array, energy: number, speech: boolean, rate: number): void {
    if (!this.whole) {
      this.whole = true
      return
    }
    if (this.learned < LEARNING_FRAMES && !speech) this.learn(bands)
    else this.track(bands, speech, rate)
    this.minimum(bands)
    this.steady(bands, energy)
  }

  private learn(bands: Float64Array): void {
    const rate = 1 / ++this.learned
    for (let band = 0; band < BANDS; band++) {
      const next = this.power[band] + rate * (bands[band] - this.power[band])
      this.power[band] = Math.max(FLOOR, next)
    }
  }

  private track(bands: Float64Array, speech: boolean, rate: number): void {
    const { power, smoothed } = this
    for (let band = 0; band < BANDS; band++) {
      const fallen = smoothed[band] > 0 && smoothed[band] < 0.5 * power[band]
      if (speech && !fallen) continue
      const seen = Math.min(bands[band], OUTLIER * power[band])
      const next = power[band] + (fallen ? FALL_RATE : rate) * (seen - power[band])
      power[band] = Math.max(FLOOR, next)
    }
  }

  private minimum(bands: Float64Array): void {
    const { minima, power, smoothed } = this
    const row = this.window * BANDS
    for (let band = 0; band < BANDS; band++) {
      const value = smoothed[band] === 0 ? bands[band] : SMOOTHING * smoothed[band] + (1 - SMOOTHING) * bands[band]
      smoothed[band] = value
      if (value < minima[row + band]) minima[row + band] = value
    }
    if (++this.windowFrames < WINDOW_FRAMES) return
    this.windowFrames = 0
    for (let band = 0; band < BANDS; band++) {
      let least = minima[band]
      for (let at = band + BANDS; at < minima.length; at += BANDS) if (minima[at] < least) least = minima[at]
      const noise = least * MINIMUM_BIAS
      if (noise > 1.25 * power[band] && noise < Number.POSITIVE_INFINITY) power[band] = noise
    }
    this.window = (this.window + 1) % WINDOWS
    minima.fill(Number.POSITIVE_INFINITY, this.window * BANDS, (this.window + 1) * BANDS)
  }

  /** Learns at once a sound that has kept its loudness for 400 ms: a fan that was switched on, a tone. */
  private steady(bands: Float64Array, energy: number): void {
    const low = Math.min(energy, this.steadyLow)
    const high = Math.max(energy, this.steadyHigh)
    if (this.steadyFrames === 0 || high > STEADY_RATIO * low) {
      this.steadyFrames = 1
      this.steadyLow = energy
      this.steadyHigh = energy
      this.steadySum.set(bands)
      return
    }
    this.steadyLow = low
    this.steadyHigh = high
    for (let band = 0; band < BANDS; band++) this.steadySum[band] += bands[band]
    if (++this.steadyFrames < STEADY_FRAMES) return
    for (let band = 0; band < BANDS; band++) {
      const mean = this.steadySum[band] / STEADY_FRAMES
      if (mean > this.power[band]) this.power[band] = mean
    }
    this.learned = LEARNING_FRAMES
    this.steadyFrames = 0
  }
}
