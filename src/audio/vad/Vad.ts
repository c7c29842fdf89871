/**
 * Voice activity on one telephone channel, frame by frame. A frame is voiced when its 16 sub-bands are unlikely under the tracked
 * noise of the line (a likelihood ratio, so that a band counts by its certainty), and more unlikely than that noise makes by itself.
 * A frame is not voiced when it is a click (its power lies within 5 ms), a note of music, or background sound (too far below the
 * caller's own level for too long). Four states with frame counts turn voiced frames into "speech started" and "speech stopped". The
 * spectrum is computed only when the power does not decide. 20 ms in, a small number out; allocates nothing.
 */
import { CallerLevel } from "./CallerLevel.ts"
import { Music } from "./Music.ts"
import { NoiseFloor } from "./NoiseFloor.ts"
import { NoiseHabits } from "./NoiseHabits.ts"
import { NoiseOverAgent } from "./NoiseOverAgent.ts"
import { OwnEcho } from "./OwnEcho.ts"
import { SteadySound } from "./SteadySound.ts"
import { SubBands } from "./SubBands.ts"
import { Threshold } from "./Threshold.ts"
import { UnbrokenSound } from "./UnbrokenSound.ts"

export const VadState = { Quiet: 0, Starting: 1, Speaking: 2, Stopping: 3 } as const
export type VadState = (typeof VadState)[keyof typeof VadState]

export const VadEvent = { None: 0, SpeechStarted: 1, SpeechStopped: 2 } as const
export type VadEvent = (typeof VadEvent)[keyof typeof VadEvent]

/** Voiced frames that start speech (60 ms). A strong frame counts as two; one unmistakable frame is enough. */
const START_FRAMES = 3
/** Unvoiced frames that end it (160 ms). */
const STOP_FRAMES = 8
/** Mean power below which a frame is digital silence: no noise, which is to be forgotten once it lasts (100 ms). */
const SILENT_POWER = 1
const SILENT_FRAMES = 5
/** Once speech has paused for so long, the full evidence is needed again: a noise must not prolong it. */
const NEAR_FRAMES = 3
/** Unvoiced frames counted as voiced after a run of voiced ones: closures and soft ends of words. */
const HANG_FRAMES = 5
const HANG_AFTER = 3
/** Frames more that it takes to begin over music: until then it may be a new note. */
const MUSIC_FRAMES = 2
/** A caller this many times louder than the noise is surely heard over it. */
const CALLER_ABOVE = 5
/** A frame of so many times the evidence needed counts as two towards the start of speech. */
const STRONG = 4
/** A frame with this many times the evidence, this many times louder than the noise's peaks, and spread over the frame as only a voice is, begins speech at once. */
const UNMISTAKABLE = 8
const ABOVE_PEAKS = 4
const SPREAD = 0.5
const SPREAD_GAPS = 1
/** A sound begins speech only when it is this many times louder than the noise's peaks: on a calm line, on a restless line. */
const ABOVE_CALM_PEAK = 1.15
const ABOVE_RESTLESS_PEAK = 1.3
/** On a restless line, speech does not begin with a sound so many times softer than the caller (10 dB) and near the noise's peaks. */
const CALLER_RANGE = 10
const NEAR_PEAK = 2
/** How much longer it takes to be sure that the caller stopped on a line whose noise has been calm. */
const CALM_PATIENCE = 1.3
/** In speech, a frame so many times louder than usual noise is speech without looking at its bands. */
const OBVIOUS = 30
/** How fast the noise estimate follows: when every frame is looked at, and after a long time of every fourth. */
const EVERY_RATE = 0.04
const CALM_RATE = 0.03
/** Quiet frames after speech until what is heard says how restless the noise is: the last sounds of a word are no noise. */
const AFTER_SPEECH = 10

export class Vad {
  state: VadState = VadState.Quiet
  /** Whether the last frame was voiced. */
  voiced = false
  /** How far the last frame was from the line's noise: 0 is noise itself, `needed` is where speech begins. */
  evidence = 0
  /** What the agent says, as far as it may come back. */
  readonly echo = new OwnEcho()
  private readonly overAgent = new NoiseOverAgent()
  /** Power of the softest frame before the noise was known. */
  private softest = Number.POSITIVE_INFINITY
  private readonly bands = new SubBands()
  private readonly noise = new NoiseFloor()
  private readonly habits = new NoiseHabits()
  private readonly threshold = new Threshold(this.habits)
  private readonly steady = new SteadySound()
  private readonly unbroken = new UnbrokenSound()
  private readonly music = new Music()
  private readonly caller = new CallerLevel()
  /** Voiced frames while starting, unvoiced ones while stopping; else 0. */
  private count = 0
  /** Voiced frames in a row, and the unvoiced ones that will still count as voiced. */
  private run = 0
  private hang = 0
  private passed = 0
  /** Noise frames learned from since the last speech: the more, the less a single one counts. */
  private calm = 0
  private quietFrames = 0
  private startEvidence = 0
  /** Frames of digital silence in a row. */
  private silentFrames = 0

  /** Between "speech started" and "speech stopped". */
  get speaking(): boolean {
    return this.state === VadState.Speaking || this.state === VadState.Stopping
  }

  /** Whether the speech being heard is about as loud as the caller usually is. A voice in the background is not. */
  get near(): boolean {
    return this.caller.near
  }

  /** Takes the next 160 samples. */
  step(pcm: Int16Array): VadEvent {
    const raw = this.isSpeech(pcm)
    if (this.hasFaded(raw)) return this.stop()
    if (raw) {
      this.run++
      if (this.run >= HANG_AFTER) this.hang = HANG_FRAMES
      this.voiced = true
    } else {
      this.run = 0
      this.voiced = this.hang > 0
      if (this.hang > 0) this.hang--
    }
    return this.advance(raw)
  }

  /** Whether the caller stopped a while ago, so that what was heard since, `taken` for speech or not, is the noise of the line. */
  private hasFaded(taken: boolean): boolean {
    const { caller, habits } = this
    if (!this.speaking) {
      caller.quiet(this.bands.energy, this.echo.agentHeard)
      return false
    }
    caller.speech(this.bands.energy, habits.restless ? 1 : CALM_PATIENCE)
    if (caller.behind === 0 || !habits.maySwellTo(caller.behind)) return false
    if (taken || this.hang > 0) habits.tookForSpeech(this.evidence, caller.behind)
    return true
  }

  private isSpeech(pcm: Int16Array): boolean {
    const { bands, noise, habits } = this
    bands.push(pcm)
    const echo = this.echo.step(bands.energy)
    this.music.tick()
    this.threshold.tick()
    if (bands.energy < SILENT_POWER) return this.hearSilence()
    this.silentFrames = 0
    habits.tick()
    const { overAgent } = this
    overAgent.take(echo, habits.energy)
    const covered = overAgent.covers(bands.energy)
    if (covered && overAgent.hidden && (noise.ready || !this.isSoft())) return this.hearEcho()
    const quiet = this.state === VadState.Quiet
    this.quietFrames = quiet ? this.quietFrames + 1 : 0
    // In quiet, an unbiased sample of the frames is enough to follow the noise; the louder ones in between are only judged.
    this.passed = (this.passed + 1) & 3
    const settled = quiet && noise.ready
    const learns = (!settled && this.state !== VadState.Speaking) || this.passed === 0
    if (!learns && settled && habits.isUsual(bands.energy, bands.edge)) {
      this.evidence = 0
      this.findNoise(undefined, false)
      return false
    }
    if (!learns && this.state === VadState.Speaking && this.isObvious()) {
      this.findNoise(undefined, true)
      this.threshold.sure()
      return true
    }
    bands.analyse()
    this.evidence = noise.evidence(bands.power)
    this.threshold.heard(this.evidence)
    let speech =
      !covered &&
      bands.isAudible() &&
      this.evidence > this.needed() &&
      !this.music.isNote(bands.spectrum) &&
      !noise.blind &&
      !this.isBehind()
    const click = speech && bands.isClick(habits.energy, this.state === VadState.Speaking)
    if (click) speech = false
    this.findNoise(bands.power, this.speaking && !click)
    if (!speech && !covered) overAgent.wasNoise(bands.energy)
    if (!click && !(noise.ready && overAgent.hidden)) this.learn(speech, settled, learns)
    return speech
  }

  /**
   * Whether a frame is about as soft as the softest so far (6 dB). Before any noise is known such a frame is the noise, also while an echo is expected: who
   * answers right after the greeting would else be compared with nothing.
   */
  private isSoft(): boolean {
    const { energy } = this.bands
    if (energy < this.softest) this.softest = energy
    return energy < 4 * this.softest
  }

  /** A frame that may be nothing but the agent's own speech tells nothing of the caller, and nothing of the line's noise. */
  private hearEcho(): boolean {
    this.evidence = 0
    this.threshold.nothingHeard()
    return false
  }

  private hearSilence(): boolean {
    this.silentFrames++
    const lasts = this.silentFrames >= SILENT_FRAMES
    this.noise.silent(lasts)
    if (lasts) this.habits.silent()
    this.steady.clear()
    this.evidence = 0
    this.threshold.nothingHeard()
    return false
  }

  /** Finds noise by its steady level, in all frames and in those taken for speech. */
  private findNoise(power: Float64Array | undefined, taken: boolean): void {
    const { noise, habits, steady, unbroken } = this
    const { energy } = this.bands
    if (steady.take(energy, power)) noise.raise(steady.mean.power)
    if (!taken || !unbroken.take(energy, power)) return
    const faint = !this.isCallerKnown() && unbroken.isFaint(Math.max(habits.peak, habits.energy))
    if (!faint && !unbroken.isUnbroken(habits.energy)) return
    noise.raise(unbroken.mean.power)
    habits.foundOut(unbroken.energy)
  }

  /** Learns the noise from an analysed frame. */
  private learn(speech: boolean, settled: boolean, learns: boolean): void {
    const { bands, noise, habits } = this
    const settledNoise = this.quietFrames > AFTER_SPEECH
    if (!speech && settledNoise) habits.heard(this.evidence, bands.energy, bands.edge)
    if (!learns && this.state !== VadState.Speaking) return
    this.calm = settled && !speech ? this.calm + 1 : 0
    const rate = settled ? Math.max(CALM_RATE, 1 / (8 + this.calm)) : EVERY_RATE
    noise.update(bands.power, speech, rate, habits.restless)
    if (!speech) habits.usual(bands.energy, bands.edge, settledNoise ? this.evidence : undefined)
  }

  /** Whether a sound is no louder than the noise gets at times, or, on a restless line, too soft to be the caller. */
  private isBehind(): boolean {
    const { bands, habits } = this
    if (this.state === VadState.Speaking || (this.speaking && !habits.restless)) return false
    if (this.state === VadState.Stopping && this.count <= NEAR_FRAMES) return false
    const margin = this.speaking ? 1 : habits.restless ? ABOVE_RESTLESS_PEAK : ABOVE_CALM_PEAK
    if (bands.energy < margin * habits.peak && bands.edge < margin * habits.peakEdge) return true
    if (this.speaking) return false
    const nearPeak = bands.energy < NEAR_PEAK * Math.max(habits.peak, habits.energy)
    return habits.restless && nearPeak && bands.energy * CALLER_RANGE < this.caller.loud
  }

  /** Whether a caller was heard who is well above the noise. */
  private isCallerKnown(): boolean {
    return this.caller.loud > CALLER_ABOVE * this.habits.energy
  }

  private isObvious(): boolean {
    const { bands } = this
    return bands.energy > OBVIOUS * this.habits.energy && !bands.isClick(this.habits.energy, true)
  }

  /** Evidence needed now. */
  private needed(): number {
    const { threshold } = this
    if (this.state === VadState.Quiet) return threshold.full(this.isCallerKnown())
    if (this.state === VadState.Starting) return threshold.starting(this.isCallerKnown())
    return this.state === VadState.Stopping && this.count > NEAR_FRAMES ? threshold.full(true) : threshold.goingOn()
  }

  private advance(voiced: boolean): VadEvent {
    switch (this.state) {
      case VadState.Quiet:
        if (!voiced) return VadEvent.None
        this.count = 0
        this.startEvidence = 0
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
    if (voiced) this.startEvidence = Math.max(this.evidence, this.startEvidence)
    this.count += voiced ? this.weight() : -1
    if (this.count <= 0) {
      this.state = VadState.Quiet
      this.habits.heard(this.startEvidence, 0, 0)
    }
    if (this.count < START_FRAMES + (this.music.playing ? MUSIC_FRAMES : 0)) return VadEvent.None
    this.state = VadState.Speaking
    return VadEvent.SpeechStarted
  }

  /** How many voiced frames a voiced frame counts as while speech may be starting. */
  private weight(): number {
    const { bands, evidence, habits } = this
    const needed = this.needed()
    if (evidence <= STRONG * needed) return 1
    const isUnmistakable =
      evidence > UNMISTAKABLE * needed &&
      bands.energy > ABOVE_PEAKS * Math.max(habits.peak, habits.energy) &&
      bands.concentration(habits.energy) < SPREAD &&
      bands.gaps() <= SPREAD_GAPS
    return isUnmistakable ? START_FRAMES : 2
  }

  private stopping(voiced: boolean): VadEvent {
    if (voiced && (this.count <= NEAR_FRAMES || this.run > 1 || this.state === VadState.Speaking)) {
      this.state = VadState.Speaking
      return VadEvent.None
    }
    this.count = this.state === VadState.Speaking ? 1 : this.count + 1
    this.state = VadState.Stopping
    if (this.count < STOP_FRAMES) return VadEvent.None
    return this.stop()
  }

  private stop(): VadEvent {
    this.unbroken.clear()
    this.run = 0
    this.hang = 0
    this.voiced = false
    this.state = VadState.Quiet
    return VadEvent.SpeechStopped
  }
}
