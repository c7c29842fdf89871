/**
 * The caller's speech while the agent speaks: when it is long enough to pause the agent, and whether it was an interruption. What the words mean
 * is decided elsewhere; this file decides by sound alone.
 */
import { FRAME_MS } from "../frames/Frame.ts"

/** What the caller hears of the agent: nothing; speech that may be interrupted; speech that may not. */
export type AgentVoice = "silent" | "interruptible" | "uninterruptible"

export interface OverAgentOptions {
  /** How much voiced speech over the agent softens it, ms. */
  readonly minSpeechMs: number
  /** How much of it pauses the agent: longer than a listening noise or a cough, ms. */
  readonly pausesAfterMs: number
}

/** Speech that begins this soon after the agent's belongs to the caller's earlier words; it does not comment on the agent (peers: 250 ms). */
const COMMENT_AFTER_MS = 250
/** A line whose sounds keep pausing the agent needs longer ones, up to so many times `pausesAfterMs`. */
const MAX_WARINESS = 3
/** A softened agent is loud again when no voice was near for so long, though the detector still hears one, ms. The same for a paused one. */
const SOFT_MS = 1_000
const PAUSED_MS = 2_000
const NEVER = Number.NEGATIVE_INFINITY

export class OverAgent {
  /** The running (or last) stretch of the caller's speech began while the agent was heard: it comments on it. */
  comment = false
  /** The agent is softer until it is clear what the sound was. */
  softened = false
  /** The agent waits for the words that decide whether it goes on, since `pausedMs`. */
  paused = false
  pausedMs = NEVER
  private readonly options: OverAgentOptions
  private current: AgentVoice = "silent"
  private sinceMs = NEVER
  private nearMs = NEVER
  private overMs = 0
  private interrupted = false
  private falseAlarms = 0

  constructor(options: OverAgentOptions) {
    this.options = options
  }

  get voice(): AgentVoice {
    return this.current
  }
  /** Leaving `silent` begins an agent utterance. */
  setVoice(voice: AgentVoice, nowMs: number): void {
    if (voice !== "silent" && this.current === "silent") {
      this.interrupted = false
      this.overMs = 0
      this.falseAlarms = 0
      this.sinceMs = nowMs
    }
    if (voice === "silent") this.goOn()
    this.current = voice
  }

  /** Whether words can interrupt the agent now. */
  get interruptible(): boolean {
    return this.current === "interruptible" && !this.interrupted
  }
  /** Whether the agent goes on speaking, so that what was said waits for its end. */
  get goesOn(): boolean {
    return this.current !== "silent" && !this.interrupted
  }
  /** Whether the agent is softened or paused, so that it must be decided what the sound was. */
  get undecided(): boolean {
    return this.softened || this.paused
  }

  /**
   * A stretch of the caller's speech was recognised as such, `voicedMs` after its first voiced frame. `near`: as loud as the caller. What is said
   * while the agent is softened or paused counts together.
   */
  speechBegan(voicedMs: number, near: boolean, mediaMs: number): void {
    const over = this.current === "interruptible"
    if (near) this.nearMs = mediaMs
    const goesOn = over && this.undecided
    this.overMs = (goesOn ? this.overMs : 0) + (over ? voicedMs : 0)
    if (!goesOn) this.comment = over && mediaMs - voicedMs - this.sinceMs >= COMMENT_AFTER_MS
  }

  /** One more voiced frame of it. */
  voiced(near: boolean, mediaMs: number): void {
    if (this.current === "interruptible") this.overMs += FRAME_MS
    if (near) this.nearMs = mediaMs
  }

  speechEnded(): void {
    if (!this.undecided) this.overMs = 0
  }

  /** Whether the voice over the agent has become long enough to soften it. It is softer then. */
  softens(): boolean {
    if (!this.interruptible || this.undecided) return false
    this.softened = this.overMs >= this.options.minSpeechMs
    return this.softened
  }

  /** Whether the voice over the agent has become too long for a listening noise. The agent is paused then. */
  pauses(mediaMs: number): boolean {
    if (!this.interruptible || this.paused) return false
    const wariness = Math.min(MAX_WARINESS, 1 + this.falseAlarms)
    this.paused = this.overMs >= this.options.pausesAfterMs * wariness
    if (this.paused) this.pausedMs = mediaMs
    return this.paused
  }

  /** Whether no voice was near for so long that what is still heard does not hold the agent back. */
  isFar(mediaMs: number): boolean {
    return mediaMs - this.nearMs >= (this.paused ? PAUSED_MS : SOFT_MS)
  }

  /** It was an interruption. Nothing can interrupt the agent again before its next utterance. */
  interrupt(): void {
    this.interrupted = true
    this.goOn()
  }

  /** It was not an interruption. */
  resume(): void {
    if (this.paused) this.falseAlarms++
    this.goOn()
    this.overMs = 0
  }

  private goOn(): void {
    this.softened = false
    this.paused = false
  }
}
