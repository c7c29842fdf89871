/**
 * How loud the noise of a line is in each band: an average of the frames that are not speech. Noise that was taken for speech is found by the
 * minimum of the smoothed power over the last 1.6 s, because nobody speaks that long without a dip in every band.
 */
import { BANDS, bandWidths } from "./SubBands.ts"

/** Least noise power per bin: what mu-law rounding alone produces. */
const FLOOR = 3_000
/** Frames averaged for the first estimate; a single frame would be wrong by several dB. */
const LEARNING_FRAMES = 12
/** Frames needed before the estimate is of any use. */
const FIRST_FRAMES = 4
/** How fast a band follows noise that has become softer. */
const FALL_RATE = 0.25
/** The part of the learned noise that remains after a frame of digital silence. */
const SILENT_KEPT = 0.94
/** A band counts as at most this many times louder than its noise, because the soft end of a word is not all noise. */
const OUTLIER = 1.8
const SMOOTHING = 0.8
/** How far the minimum of smoothed noise lies below its mean, and how far above the estimate it must be to count. */
const MINIMUM_BIAS = 1.7
const MINIMUM_ABOVE = 1.25
const WINDOW_FRAMES = 16
const WINDOWS = 5
/**
 * A voice rises and falls. A band in speech whose loudest moment is this many times its minimum is not all noise, so its minimum counts for less:
 * right after digital silence there may have been no dip yet.
 */
const UNSTEADY = 6
const UNSTEADY_PART = 0.1

export class NoiseFloor {
  /** Noise power per bin in each band. */
  readonly power = new Float64Array(BANDS).fill(FLOOR)
  private learned = 0
  /** The first analysis reaches back before the call: it holds too little power to learn from. */
  private whole = false
  private readonly smoothed = new Float64Array(BANDS)
  /** Minima of the recent windows, one row per window. */
  private readonly minima = new Float64Array(BANDS * WINDOWS).fill(Number.POSITIVE_INFINITY)
  /** Maxima of this window. */
  private readonly maxima = new Float64Array(BANDS)
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

  /** Evidence of speech in bands of this power: log-likelihood ratio of "louder than the noise", each at its most likely loudness. */
  evidence(bands: Float64Array): number {
    const { power } = this
    let sum = 0
    for (let band = 0; band < BANDS; band++) {
      const ratio = bands[band] / power[band]
      if (ratio > 1) sum += bandWidths[band] * (ratio - 1 - Math.log(ratio))
    }
    return sum
  }

  /** Takes a frame of digital silence. When the silence `lasts`, the noise heard before is forgotten within a second. */
  silent(lasts: boolean): void {
    this.whole = true
    if (this.learned < LEARNING_FRAMES && ++this.learned === LEARNING_FRAMES) this.power.fill(FLOOR)
    if (!lasts) return
    for (let band = 0; band < BANDS; band++) this.power[band] = Math.max(FLOOR, SILENT_KEPT * this.power[band])
  }

  /**
   * Takes the band powers of a frame, whether it was taken for speech, and how much it weighs (0 … 1) if not. The estimate follows
   * a `restless` noise no faster down than up, since it will be loud again.
   */
  update(bands: Float64Array, speech: boolean, rate: number, restless: boolean): void {
    if (!this.whole) {
      this.whole = true
      return
    }
    if (this.learned < LEARNING_FRAMES && !speech) this.learn(bands)
    else this.track(bands, speech, rate, restless ? rate : FALL_RATE)
    this.minimum(bands, speech)
  }

  /** Noise of these band powers was found: the estimate is at least that, and good. */
  raise(found: Float64Array): void {
    for (let band = 0; band < BANDS; band++) this.power[band] = Math.max(this.power[band], found[band])
    this.learned = LEARNING_FRAMES
  }

  private learn(bands: Float64Array): void {
    const rate = 1 / ++this.learned
    for (let band = 0; band < BANDS; band++) {
      const next = this.power[band] + rate * (bands[band] - this.power[band])
      this.power[band] = Math.max(FLOOR, next)
    }
  }

  private track(bands: Float64Array, speech: boolean, rate: number, fall: number): void {
    const { power, smoothed } = this
    for (let band = 0; band < BANDS; band++) {
      const fallen = smoothed[band] > 0 && smoothed[band] < 0.5 * power[band]
      if (speech && !fallen) continue
      const seen = Math.min(bands[band], OUTLIER * power[band])
      const next = power[band] + (fallen ? fall : rate) * (seen - power[band])
      power[band] = Math.max(FLOOR, next)
    }
  }

  private minimum(bands: Float64Array, speech: boolean): void {
    const { maxima, minima, power, smoothed } = this
    const row = this.window * BANDS
    for (let band = 0; band < BANDS; band++) {
      const value = smoothed[band] === 0 ? bands[band] : SMOOTHING * smoothed[band] + (1 - SMOOTHING) * bands[band]
      smoothed[band] = value
      if (value < minima[row + band]) minima[row + band] = value
      if (value > maxima[band]) maxima[band] = value
    }
    if (++this.windowFrames < WINDOW_FRAMES) return
    this.windowFrames = 0
    for (let band = 0; band < BANDS; band++) {
      let least = minima[band]
      for (let at = band + BANDS; at < minima.length; at += BANDS) if (minima[at] < least) least = minima[at]
      if (speech && maxima[band] > UNSTEADY * least) least *= UNSTEADY_PART
      const noise = least * MINIMUM_BIAS
      if (noise > MINIMUM_ABOVE * power[band] && noise < Number.POSITIVE_INFINITY) power[band] = noise
    }
    maxima.fill(0)
    this.window = (this.window + 1) % WINDOWS
    minima.fill(Number.POSITIVE_INFINITY, this.window * BANDS, (this.window + 1) * BANDS)
  }
}
