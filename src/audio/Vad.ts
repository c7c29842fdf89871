/**
 * Voice activity on one telephone channel, frame by frame. A frame is voiced when its 16 sub-bands are unlikely under the tracked
 * noise of the line (a likelihood ratio, so that a band counts by how sure it is); four states with frame counts make
 * "speech started" and "speech stopped" of voiced frames. 20 ms in, a small number out; allocates nothing.
 */
import { NoiseFloor } from "./NoiseFloor.ts"
import { BANDS, bandWidths, SubBands } from "./SubBands.ts"

export const VadState = { Quiet: 0, Starting: 1, Speaking: 2, Stopping: 3 } as const
export type VadState = (typeof VadState)[keyof typeof VadState]

export const VadEvent = { None: 0, SpeechStarted: 1, SpeechStopped: 2 } as const
export type VadEvent = (typeof VadEvent)[keyof typeof VadEvent]

export interface VadOptions {
  /** Voiced frames that make speech (default 3: 60 ms). */
  readonly startFrames?: number
  /** Unvoiced frames that end it (default 10: 200 ms). */
  readonly stopFrames?: number
  /** Evidence needed while quiet; higher means deafer. */
  readonly threshold?: number
}

/** Mean power below which a frame is silence whatever the noise says (about -64 dB of full scale). */
const SILENT_POWER = 16 * 16
/** Evidence needed in speech, as a part of that needed in quiet: weak frames between strong ones are speech. */
const HYSTERESIS = 0.55
/** The same while it is not sure yet that speech began. */
const STARTING = 0.75
/** Once speech has paused for so long, the full evidence is needed again: a noise must not prolong it. */
const NEAR_FRAMES = 5
/** Unvoiced frames counted as voiced after a run of voiced ones: closures and soft ends of words. */
const HANG_FRAMES = 4
const HANG_AFTER = 3
/** While the line's noise is still being learned, only what is far above the first frames is speech. */
const LEARNING_FACTOR = 4
/** A frame up to this much louder than usual noise is noise. */
const USUAL_MARGIN = 1.05
const USUAL_RATE = 0.1
/** How fast the noise estimate follows: when every frame is looked at, and after a long time of every fourth. */
const EVERY_RATE = 0.04
const CALM_RATE = 0.03

export class Vad {
  state: VadState = VadState.Quiet
  /** Whether the last frame was voiced. */
  voiced = false
  /** How far the last frame was from the line's noise: 0 is noise itself, the threshold is where speech begins. */
  evidence = 0
  private readonly startFrames: number
  private readonly stopFrames: number
  private readonly threshold: number
  private readonly bands = new SubBands()
  private readonly noise = new NoiseFloor()
  /** Voiced frames while starting, unvoiced ones while stopping; else 0. */
  private count = 0
  private run = 0
  private hang = 0
  /** Usual energy of frames that are not speech, and of the differences in them. */
  private usualEnergy = 0
  private usualEdge = 0
  private passed = 0
  /** Noise frames learned from since the last speech: the more, the less a single one counts. */
  private calm = 0

  constructor(options: VadOptions = {}) {
    this.startFrames = options.startFrames ?? 3
    this.stopFrames = options.stopFrames ?? 10
    this.threshold = options.threshold ?? 18
  }

  /** Between "speech started" and "speech stopped". */
  get speaking(): boolean {
    return this.state === VadState.Speaking || this.state === VadState.Stopping
  }

  /** Takes the next 160 samples. */
  step(pcm: Int16Array): VadEvent {
    const raw = this.isSpeech(pcm)
    if (raw) {
      this.run++
      if (this.run >= HANG_AFTER) this.hang = HANG_FRAMES
      this.voiced = true
    } else {
      this.run = 0
      this.voiced = this.hang > 0
      if (this.hang > 0) this.hang--
    }
    return this.advance(this.voiced)
  }

  private isSpeech(pcm: Int16Array): boolean {
    const { bands, noise } = this
    bands.push(pcm)
    if (bands.energy < SILENT_POWER) {
      noise.silent()
      this.evidence = 0
      return false
    }
    // In quiet, an unbiased sample of the frames is enough to follow the noise; the louder ones in between are only judged.
    this.passed = (this.passed + 1) & 3
    const settled = this.state === VadState.Quiet && noise.ready
    const learns = !settled || this.passed === 0
    if (!learns && this.isOrdinary()) {
      this.evidence = 0
      return false
    }
    bands.analyse()
    this.evidence = this.distance()
    const speech = this.evidence > this.needed() && !noise.blind
    if (!learns) return speech
    this.calm = settled && !speech ? this.calm + 1 : 0
    noise.update(bands.power, bands.energy, speech, settled ? Math.max(CALM_RATE, 1 / (8 + this.calm)) : EVERY_RATE)
    if (!speech) {
      this.usualEnergy += USUAL_RATE * (bands.energy - this.usualEnergy)
      this.usualEdge += USUAL_RATE * (bands.edge - this.usualEdge)
    }
    return speech
  }

  /** Whether a frame is no louder than the line's noise usually is, in low and high sounds, so that nothing can come of it. */
  private isOrdinary(): boolean {
    const { bands } = this
    return bands.energy < USUAL_MARGIN * this.usualEnergy && bands.edge < USUAL_MARGIN * this.usualEdge
  }

  private needed(): number {
    if (!this.noise.ready) return this.threshold * LEARNING_FACTOR
    const paused = this.state === VadState.Stopping && this.count > NEAR_FRAMES
    if (this.state === VadState.Starting) return this.threshold * STARTING
    return this.state === VadState.Quiet || paused ? this.threshold : this.threshold * HYSTERESIS
  }

  /** Log-likelihood ratio of "louder than the noise" over all bands, each at its most likely loudness. */
  private distance(): number {
    const { power } = this.bands
    const noise = this.noise.power
    let sum = 0
    for (let band = 0; band < BANDS; band++) {
      const ratio = power[band] / noise[band]
      if (ratio > 1) sum += bandWidths[band] * (ratio - 1 - Math.log(ratio))
    }
    return sum
  }

  private advance(voiced: boolean): VadEvent {
    switch (this.state) {
      case VadState.Quiet:
        if (!voiced) return VadEvent.None
        this.count = 0
        this.state = VadState.Starting
        return this.starting(true)
      case VadState.Starting:
        return this.starting(voiced)
      default:
        return this.stopping(voiced)
    }
  }

  /** A single unvoiced frame takes one back, so that a soft first syllable still counts. */
  private starting(voiced: boolean): VadEvent {
    this.count += voiced ? 1 : -1
    if (this.count <= 0) this.state = VadState.Quiet
    if (this.count < this.startFrames) return VadEvent.None
    this.state = VadState.Speaking
    return VadEvent.SpeechStarted
  }

  private stopping(voiced: boolean): VadEvent {
    if (voiced) {
      this.state = VadState.Speaking
      return VadEvent.None
    }
    this.count = this.state === VadState.Speaking ? 1 : this.count + 1
    this.state = VadState.Stopping
    if (this.count < this.stopFrames) return VadEvent.None
    this.state = VadState.Quiet
    return VadEvent.SpeechStopped
  }
}
