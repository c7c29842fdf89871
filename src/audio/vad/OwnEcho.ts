/**
 * The echo of the agent's own speech on the caller's line. What the agent says is known, so how loud its echo can be is known, too. Each call
 * teaches how much comes back and when: the delay at which the line's loudness follows that of the agent, and by how much. Before that is known, a
 * usual echo is assumed. One step a frame; allocates nothing.
 */
import { FRAME_MS } from "../frames/Frame.ts"

/** Delays that an echo may have, in frames (0 … 580 ms). */
const DELAYS = 30
/** Ring of the agent's frames, half of it for those that will be played; a power of 2. */
const RING = 64
const AHEAD = RING / 2
/** Frames that are on their way when the provider is told to drop its buffer. */
const ON_THE_WAY = 3
/** Root mean square of the softest frame that is speech of the agent, not the room around it. */
const AUDIBLE = 250
/** The echo that is assumed before one was learned (-24 dB), and when none was found, for it may be no louder than the noise (-30 dB). */
const ASSUMED = 0.063
const HIDDEN = 0.03
/** A frame is echo when it is no more than this (10 dB) above the echo expected. */
const MARGIN = 3
/** A room answers for a while: the part of the expected echo that remains after a frame. */
const ROOM = 0.6
/** No echo is louder than this part of the agent (-8 dB): such a frame has the caller in it, and teaches nothing. */
const LOUDEST = 0.4
/** The part of what was learned that remains after a frame (half after 3 s). */
const KEPT = 0.995
/** Frames of the agent's speech after which an echo may be found, and after which there is none if none was found. */
const FOUND_AFTER = 75
const NONE_AFTER = 125
/** How much of the line's ups and downs the agent's must explain (square of the correlation). */
const EXPLAINED = 0.12
const JUDGED_EVERY = 25
/** The part of a learned echo that remains after a judgement (0.5 s) that found none. */
const UNSEEN_KEPT = 0.9

export class OwnEcho {
  /** Whether the agent was heard within the longest delay. */
  agentHeard = false
  /** Root mean square of the agent's frames, by the frame of the line during which they are played. */
  private readonly sent = new Float64Array(RING)
  private frame = 0
  private lastSent = -RING
  private expected = 0
  /** The learned echo: its part of the agent's loudness, and its delay; -1 before it is known. */
  private coupling = -1
  private delay = 0
  /** Sums over the frames heard while the agent spoke; the agent's for each delay. */
  private frames = 0
  private line = 0
  private lineSquares = 0
  private readonly agent = new Float64Array(DELAYS)
  private readonly agentSquares = new Float64Array(DELAYS)
  private readonly products = new Float64Array(DELAYS)

  /** A frame of the agent's of mean power `power` will be played `aheadMs` from now. */
  plays(power: number, aheadMs: number): void {
    const ahead = Math.round(aheadMs / FRAME_MS)
    const loudness = Math.sqrt(power)
    if (loudness < AUDIBLE || ahead < 0 || ahead >= AHEAD) return
    const at = this.frame + ahead
    this.sent[at & (RING - 1)] = loudness
    if (at > this.lastSent) this.lastSent = at
  }

  /** What the provider has not played will not be played. */
  cleared(): void {
    for (let ahead = ON_THE_WAY; ahead < AHEAD; ahead++) this.sent[(this.frame + ahead) & (RING - 1)] = 0
    this.lastSent = Math.min(this.lastSent, this.frame + ON_THE_WAY)
  }

  /** Takes the mean power of the next frame of the line; gives the power up to which it may be nothing but echo, 0 for none. */
  step(power: number): number {
    const { sent } = this
    this.frame++
    sent[(this.frame + AHEAD) & (RING - 1)] = 0
    this.agentHeard = this.frame - this.lastSent <= DELAYS
    this.expected *= ROOM
    if (!this.agentHeard) return (MARGIN * this.expected) ** 2
    let loudest = 0
    for (let delay = 0; delay < DELAYS; delay++) loudest = Math.max(loudest, sent[(this.frame - delay) & (RING - 1)])
    const loudness = Math.sqrt(power)
    if (loudness < LOUDEST * loudest) this.learn(loudness)
    const assumed = loudest * (this.coupling < 0 ? ASSUMED : HIDDEN)
    this.expected = Math.max(this.expected, assumed, this.coupling * this.around())
    return (MARGIN * this.expected) ** 2
  }

  /** The agent's loudness at the learned delay, which is no whole number of frames. */
  private around(): number {
    let loudest = 0
    for (let delay = Math.max(0, this.delay - 1); delay <= this.delay + 2; delay++)
      loudest = Math.max(loudest, this.sent[(this.frame - delay) & (RING - 1)])
    return loudest
  }

  private learn(loudness: number): void {
    const { agent, agentSquares, products, sent } = this
    this.frames = KEPT * this.frames + 1
    this.line = KEPT * this.line + loudness
    this.lineSquares = KEPT * this.lineSquares + loudness * loudness
    for (let delay = 0; delay < DELAYS; delay++) {
      const said = sent[(this.frame - delay) & (RING - 1)]
      agent[delay] = KEPT * agent[delay] + said
      agentSquares[delay] = KEPT * agentSquares[delay] + said * said
      products[delay] = KEPT * products[delay] + said * loudness
    }
    if (this.frame % JUDGED_EVERY === 0 && this.frames >= FOUND_AFTER) this.judge()
  }

  /** Finds the delay at which the agent explains most of what was heard. */
  private judge(): void {
    const { agent, agentSquares, frames, line, products } = this
    const lineSpread = this.lineSquares - (line * line) / frames
    let most = 0
    let slope = 0
    for (let delay = 0; delay < DELAYS; delay++) {
      const common = products[delay] - (agent[delay] * line) / frames
      const spread = agentSquares[delay] - (agent[delay] * agent[delay]) / frames
      const explained = common <= 0 || spread <= 0 || lineSpread <= 0 ? 0 : (common * common) / (spread * lineSpread)
      if (explained <= most) continue
      most = explained
      slope = common / spread
      this.delay = explained > EXPLAINED ? delay : this.delay
    }
    if (most > EXPLAINED) this.coupling = slope
    // A caller who speaks hides the echo for as long.
    else if (this.coupling >= 0) this.coupling *= UNSEEN_KEPT
    else if (frames >= NONE_AFTER) this.coupling = 0
  }
}
