/**
 * How loud the caller is, and whether the sound on the line has fallen far below that level. A voice returns to its loud syllables again and
 * again; background sound does not. The further the sound is below the level, the sooner the caller counts as having stopped.
 */

/** Weight of a frame in the momentary power, which averages about 50 ms. */
const MOMENT = 0.4
/** How fast loud moments raise the caller's level, and how fast softer speech lowers it (by a quarter in 6 s). */
const RISE = 0.3
const FALL = 0.002
/** After this many quiet frames the level falls by 1 dB a second: the caller may have moved away from the telephone. */
const KEPT_FRAMES = 250
const FORGET = 0.9954
/** Frames in a block. "Recent" means this block and the one before: long enough that the last word is over. */
const BLOCK_FRAMES = 5
/**
 * How long a voice may stay below the caller's level, for each bound from 16 to 6 dB. Far below, only as long as a closure or a weak syllable
 * lasts; nearly as loud, longer.
 */
const patience = [
  { below: 1 / 40, frames: 7 },
  { below: 1 / 14, frames: 10 },
  { below: 1 / 7, frames: 17 },
  { below: 1 / 4, frames: 26 }
] as const

/** A sound whose loud moments are at most so many times softer than the caller's (7 dB) is as near as the caller. */
const NEAR = 5

export class CallerLevel {
  /** Power of the caller's loud moments; 0 before the first one. */
  loud = 0
  /** Power of this moment. */
  private moment = 0
  /** Loudest recent power since the caller stopped; 0 while the caller speaks. */
  behind = 0
  /** Frames since a moment above each bound. */
  private readonly frames = new Uint32Array(patience.length)
  /** Frames counted in this block, its loudest moment, and the loudest moment of the block before. */
  private block = 0
  private now = 0
  private before = 0
  private quietFrames = 0
  /** Loudest moment of this speech within the last blocks. */
  private recent = 0

  /** Whether what is heard as speech is about as loud as the caller. True as long as no caller is known. */
  get near(): boolean {
    return this.recent * NEAR >= this.loud
  }

  /** Takes the power of a frame outside of speech. Whoever `listens` to the agent is quiet and has not gone away. */
  quiet(energy: number, listens = false): void {
    this.moment += MOMENT * (energy - this.moment)
    if (this.quietFrames === 0) this.forgetBehind()
    if (this.quietFrames > KEPT_FRAMES) {
      if (!listens) this.loud *= FORGET
    } else this.quietFrames++
  }

  /** Takes the power of a frame of speech. `patient`: how many times longer than usual to wait before the caller counts as having stopped. */
  speech(energy: number, patient: number): void {
    this.quietFrames = 0
    this.moment += MOMENT * (energy - this.moment)
    const { moment, frames } = this
    this.loud += (moment > this.loud ? RISE : FALL) * (moment - this.loud)
    this.behind = 0
    if (++this.block > BLOCK_FRAMES) {
      this.block = 1
      this.before = this.now
      this.now = 0
    }
    if (moment > this.now) this.now = moment
    const recent = Math.max(this.now, this.before)
    this.recent = recent
    for (let i = 0; i < patience.length; i++) {
      frames[i] = moment > patience[i].below * this.loud ? 0 : frames[i] + 1
      if (this.behind === 0 && frames[i] >= patient * patience[i].frames) this.behind = recent
    }
  }

  private forgetBehind(): void {
    this.behind = 0
    this.frames.fill(0)
    this.now = 0
    this.before = 0
  }
}
