/** Finds sounds that keep one loudness for longer than speech does, e.g. a noise that began during the call. */
import { BandMean } from "./BandMean.ts"

/** Frames of equal loudness that make one: 400 ms. */
const STEADY_FRAMES = 20
/** Loudest to softest frame, in power, of a steady sound. */
const STEADY_RATIO = 2

export class SteadySound {
  readonly mean = new BandMean()
  private frames = 0
  private low = 0
  private high = 0

  /** Takes the power of a frame, its bands if they were analysed, and says whether a steady sound is found: `mean` is how it sounds. */
  take(energy: number, bands: Float64Array | undefined): boolean {
    if (this.frames >= STEADY_FRAMES && this.mean.frames > 0) this.clear()
    const low = Math.min(energy, this.low)
    const high = Math.max(energy, this.high)
    if (this.frames === 0 || high > STEADY_RATIO * low) {
      this.clear()
      this.low = energy
      this.high = energy
    } else {
      this.low = low
      this.high = high
    }
    this.frames++
    if (bands !== undefined) this.mean.add(bands)
    return this.frames >= STEADY_FRAMES && this.mean.frames > 0
  }

  clear(): void {
    this.frames = 0
    this.mean.clear()
  }
}
