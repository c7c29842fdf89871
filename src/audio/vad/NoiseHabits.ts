/**
 * How the noise of a line behaves: its usual loudness, its peaks, and how much evidence of speech it shows. A hiss shows little and is calm.
 * Music, a room of people and passing cars are restless; speech over them needs more evidence.
 */

/** The part of what was learned that remains after a frame of digital silence. */
const SILENT_KEPT = 0.96
/** How fast usual loudness follows louder and softer frames; a restless noise is remembered as it is when loud. */
const USUAL_RISE = 0.1
const USUAL_FALL = 0.08
const RESTLESS_FALL = 0.005
/** How fast peaks and unrest follow what exceeds them. */
const RISE = 0.5
/** The part of peaks and unrest that remains after a frame. Peaks of a calm noise are rare; those of a restless noise return. */
const UNREST_KEPT = 0.995
const CALM_PEAK_KEPT = 0.998
const RESTLESS_PEAK_KEPT = 0.995
/** Highest peak as a multiple of usual power; anything louder was not only noise. */
const MOST_PEAK = 4
const MOST_UNREST = 250
const MOST_CALM_UNREST = 22
/** Noise whose frames have so much evidence of speech on average is restless; no frame counts for more than the second. */
const RESTLESS = 15
const MOST_EVIDENCE = 100
const SWING_RATE = 0.03
/** Evidence assumed of a noise that was taken for speech for over a second. */
const FOUND_OUT = 20
/** Frames for which a line stays restless when noise was taken for speech on it: 10 s. */
const UNEASY_FRAMES = 500
/** A frame up to this much louder than usual noise is noise. */
const USUAL_MARGIN = 1.05
/** Up to so many times usual power (12 dB), a sound may be the noise getting louder. */
const SWELL = 16

export class NoiseHabits {
  /** Usual power of frames of noise, and of the differences in them. */
  energy = 0
  edge = 0
  /** What they reach now and then. */
  peak = 0
  peakEdge = 0
  /** The evidence of speech that the noise itself reaches now and then. */
  unrest = 0
  /** Its evidence on average. */
  private swing = 0
  private frames = 0
  private uneasyFrames = 0

  /** Whether the noise is one of ups and downs. */
  get restless(): boolean {
    return this.swing > RESTLESS || this.uneasyFrames > 0
  }

  /** Counts a frame that is not digital silence. */
  tick(): void {
    this.unrest *= UNREST_KEPT
    if (this.uneasyFrames > 0) this.uneasyFrames--
    if (!this.restless && this.unrest > MOST_CALM_UNREST) this.unrest = MOST_CALM_UNREST
  }

  /** Takes the power and edge of a frame of noise, and its evidence when it is none of the soft sounds around speech. */
  usual(energy: number, edge: number, evidence: number | undefined): void {
    const first = 1 / ++this.frames
    if (evidence !== undefined) {
      this.swing += Math.max(SWING_RATE, first) * (Math.min(MOST_EVIDENCE, evidence) - this.swing)
    }
    const fall = this.restless ? RESTLESS_FALL : USUAL_FALL
    this.energy += Math.max(first, energy > this.energy ? USUAL_RISE : fall) * (energy - this.energy)
    this.edge += Math.max(first, edge > this.edge ? USUAL_RISE : fall) * (edge - this.edge)
  }

  /** Takes the evidence, power and edge of a sound that turned out to be noise. */
  heard(evidence: number, energy: number, edge: number): void {
    const kept = this.restless ? RESTLESS_PEAK_KEPT : CALM_PEAK_KEPT
    this.peak = peakAfter(kept * this.peak, energy, MOST_PEAK * this.energy)
    this.peakEdge = peakAfter(kept * this.peakEdge, edge, MOST_PEAK * this.edge)
    const most = this.restless ? MOST_UNREST : MOST_CALM_UNREST
    if (evidence > this.unrest && this.unrest < most) {
      this.unrest = Math.min(most, this.unrest + RISE * (evidence - this.unrest))
    }
  }

  /** Noise of this evidence and power kept a caller's speech from ending. */
  tookForSpeech(evidence: number, energy: number): void {
    this.uneasyFrames = UNEASY_FRAMES
    this.heard(evidence, energy, 0)
  }

  /** Noise of this mean power was taken for speech for long. */
  foundOut(energy: number): void {
    this.energy = Math.max(this.energy, energy)
    this.swing = Math.max(this.swing, FOUND_OUT)
  }

  /** Whether a frame is no louder than the usual noise, in low and in high sounds, so that it cannot be speech. */
  isUsual(energy: number, edge: number): boolean {
    return energy < USUAL_MARGIN * this.energy && edge < USUAL_MARGIN * this.edge
  }

  /** Whether a sound of this power may be the noise getting louder. */
  maySwellTo(energy: number): boolean {
    return energy < SWELL * this.energy
  }

  /** Takes a frame of digital silence. */
  silent(): void {
    this.energy *= SILENT_KEPT
    this.edge *= SILENT_KEPT
    this.peak *= SILENT_KEPT
    this.peakEdge *= SILENT_KEPT
  }
}

const peakAfter = (kept: number, seen: number, most: number): number => {
  const peak = Math.min(kept, most)
  return seen > peak ? Math.min(most, peak + RISE * (seen - peak)) : peak
}
