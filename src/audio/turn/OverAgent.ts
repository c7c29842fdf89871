/**
 * The caller's speech while the agent speaks: when it is long enough to pause the agent, and whether it was an interruption. What the words mean
 * is decided elsewhere; this file decides by sound alone.
 */
import { FRAME_MS } from "../frames/Frame.ts"

/** What the caller hears of the agent: nothing; speech that may be interrupted; speech that may not. */
export type AgentVoice = "silent" | "interruptible" | "uninterruptible"

export interface OverAgentOptions {
  /** How much voiced speech over the agent pauses it, ms. */
  readonly minSpeechMs: number
  /** How much voiced speech over the agent is an interruption whatever its words are, ms. */
  readonly surelySpeechMs: number
}

/** Speech that begins this soon after the agent's belongs to the caller's earlier words; it does not comment on the agent (peers: 250 ms). */
const COMMENT_AFTER_MS = 250
/** A line whose noises keep pausing the agent needs longer ones, up to so many times `minSpeechMs`. */
const MAX_WARINESS = 3
/** The same on a line where speech without words was heard. */
const NOISY_LINE = 8

export class OverAgent {
  /** The running (or last) stretch of the caller's speech began while the agent was heard: it comments on it. */
  comment = false
  /** The agent waits for the words that decide whether it goes on. */
  paused = false
  private readonly options: OverAgentOptions
  private current: AgentVoice = "silent"
  private sinceMs = Number.NEGATIVE_INFINITY
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
    if (voice === "silent") this.paused = false
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

  /** A stretch of the caller's speech was recognised as such, `voicedMs` after its first voiced frame. */
  speechBegan(voicedMs: number, mediaMs: number): void {
    const over = this.current === "interruptible"
    this.overMs = over ? voicedMs : 0
    this.comment = over && mediaMs - voicedMs - this.sinceMs >= COMMENT_AFTER_MS
  }

  /** One more voiced frame of it. */
  voiced(): void {
    if (this.current === "interruptible") this.overMs += FRAME_MS
  }

  speechEnded(): void {
    this.overMs = 0
  }

  /** Whether the voice over the agent has become long enough to pause it. It is paused then. */
  pauses(noisyLine: boolean): boolean {
    if (!this.interruptible || this.paused) return false
    const wariness = noisyLine ? NOISY_LINE : Math.min(MAX_WARINESS, 1 + this.falseAlarms)
    this.paused = this.overMs >= this.options.minSpeechMs * wariness
    return this.paused
  }

  /** Whether a paused agent is surely interrupted, without waiting for words. */
  get surely(): boolean {
    return this.paused && this.overMs >= this.options.surelySpeechMs
  }

  /** It was an interruption. Nothing can interrupt the agent again before its next utterance. */
  interrupt(): void {
    this.interrupted = true
    this.paused = false
  }

  /** It was not an interruption. */
  resume(): void {
    this.paused = false
    this.falseAlarms++
    this.overMs = 0
  }
}
