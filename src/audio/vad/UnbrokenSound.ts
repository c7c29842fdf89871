/**
 * Finds noise that was taken for speech for over a second: a sound without dips as deep as those between syllables, or one that is never much
 * louder than the peaks of the known noise.
 */
import { BandMean } from "./BandMean.ts"

/** Frames after which a sound is judged: 1.2 s. */
const JUDGED_FRAMES = 60
/** Loudest moment to softest frame, in power, that no voice stays within. */
const UNBROKEN_RATIO = 14
/** How far above the noise known so far the softest frame must be, or a noisy line would fill the dips of a voice. */
const ABOVE_NOISE = 2
/** A sound is faint when it never is this many times louder than the peaks of the noise. */
const FAINT = 2.5
/** Smoothing of a frame's power into that of the moment (some 50 ms). */
const MOMENT = 0.4

export class UnbrokenSound {
  readonly mean = new BandMean()
  /** Mean power of the frames. */
  energy = 0
  private frames = 0
  private moment = 0
  private loudest = 0
  private softest = 0

  /** Takes a frame of what is taken for speech, and says whether there is a second of it to be judged. */
  take(energy: number, bands: Float64Array | undefined): boolean {
    if (this.frames >= JUDGED_FRAMES) this.clear()
    if (this.frames === 0) {
      this.energy = 0
      this.loudest = 0
      this.softest = Number.POSITIVE_INFINITY
    }
    this.energy += (energy - this.energy) / ++this.frames
    this.moment += MOMENT * (energy - this.moment)
    this.loudest = Math.max(this.loudest, this.moment)
    this.softest = Math.min(this.softest, energy)
    if (bands !== undefined) this.mean.add(bands)
    return this.frames >= JUDGED_FRAMES && this.mean.frames > 0
  }

  /** Whether it had no dip. `usual`: power of the noise known. */
  isUnbroken(usual: number): boolean {
    return this.softest > ABOVE_NOISE * usual && this.loudest < UNBROKEN_RATIO * this.softest
  }

  /** Whether it was hardly louder than a noise with these peaks. */
  isFaint(peak: number): boolean {
    return this.loudest < FAINT * peak
  }

  clear(): void {
    this.frames = 0
    this.mean.clear()
  }
}
