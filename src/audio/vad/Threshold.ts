/** How much evidence a frame needs to be speech on this line: how restless its noise is, whether a caller is known, and how sure the last frames were. */
import type { NoiseHabits } from "./NoiseHabits.ts"

/** Evidence needed while quiet; a higher value misses more soft speech. */
const LEAST = 14
/** Evidence needed, as a multiple of what the noise itself reaches at times. */
const ABOVE_UNREST = 1.7
/** Evidence needed in speech, as a part of that needed in quiet: weak frames between strong ones are speech. */
const HYSTERESIS = 0.45
/** The same while the start of speech is not certain yet. */
const STARTING = 0.65
/** The same when no frame was sure for so long: one with so many times the evidence that noise has, or that speech needs. */
const UNSURE_FRAMES = 4
const SURE_ABOVE_UNREST = 5
const SURE_ABOVE_LEAST = 2
/** Above this value unrest asks for no more evidence of a caller who is known. */
const KNOWN_UNREST = 60
/** In the first second of a call the noise is still being learned: only a sound above it by this factor is speech. */
const EARLY = 40
const EARLY_FRAMES = 50

export class Threshold {
  private readonly habits: NoiseHabits
  /** Frames of the call, counted up to a limit. */
  private age = 0
  /** Frames since one that was sure to be speech. */
  private unsure = 0

  constructor(habits: NoiseHabits) {
    this.habits = habits
  }

  /** Counts a frame. */
  tick(): void {
    if (this.age < EARLY_FRAMES) this.age++
  }

  /** Takes the evidence of a frame. */
  heard(evidence: number): void {
    const isSure = evidence > SURE_ABOVE_UNREST * this.habits.unrest && evidence > SURE_ABOVE_LEAST * LEAST
    this.unsure = isSure ? 0 : this.unsure + 1
  }
  /** A frame was speech beyond doubt. */
  sure(): void {
    this.unsure = 0
  }
  /** A frame told nothing of the caller. */
  nothingHeard(): void {
    this.unsure++
  }

  /** Evidence needed to begin. `known`: a caller was heard who is well above the noise, or is heard. */
  full(known: boolean): number {
    const early = this.age < EARLY_FRAMES ? EARLY : 1
    const unrest = known ? Math.min(KNOWN_UNREST, this.habits.unrest) : this.habits.unrest
    return Math.max(early * LEAST, ABOVE_UNREST * unrest)
  }
  /** Evidence needed once it may have begun. */
  starting(known: boolean): number {
    return this.full(known) * STARTING
  }
  /** Evidence needed to go on. */
  goingOn(): number {
    return this.unsure > UNSURE_FRAMES ? this.full(true) : this.full(true) * HYSTERESIS
  }
}
