/**
 * When the caller's turn is over, and when the caller interrupts. One clock (media time, ms) and one anchor (the last voiced
 * frame) for every delay, so that delays never add up; decided synchronously from voice activity and final transcripts:
 *
 * - A turn ends when every pause of it has its transcript and the silence is long enough. The end of speech overtakes its own
 *   transcript, so the text of an earlier pause alone does not end a turn while a later one is being transcribed.
 * - What noise does cannot postpone that for ever: short voiced blips do not move the deadline.
 * - A transcript that comes after its turn was taken is a new turn that ends by the same rule.
 */
import { FRAME_MS } from "./Frame.ts"
import { PendingFinals } from "./PendingFinals.ts"
import { VadEvent } from "./Vad.ts"

export const TurnEvent = {
  None: 0,
  /** The caller began to speak. */
  SpeechStarted: 1,
  /** The caller has spoken long enough over the agent to mean it; once per agent utterance. */
  BargeIn: 2,
  /** The caller paused: time to ask speech-to-text for what was said. */
  SpeechPaused: 3,
  /** The turn is over: `takeText` has it. */
  TurnEnded: 4,
  /** Something was heard but no transcript ever came: nothing was said. */
  TurnLost: 5
} as const
export type TurnEvent = (typeof TurnEvent)[keyof typeof TurnEvent]

export interface TurnOptions {
  /** Silence after the last voiced frame before a turn can end, ms. */
  readonly minSilenceMs: number
  /** Silence after which a turn ends with what is known of it, ms. */
  readonly maxSilenceMs: number
  /** Voiced speech over the agent that makes an interruption, ms. */
  readonly minSpeechMs: number
  readonly interruptible: boolean
}

/** How much later than `maxSilenceMs` a first transcript may come. */
const GUARD_MS = 1_500
/** Less voiced audio than this may be a word or may be a noise: its transcript is not waited for as long. */
const BLIP_MS = 200
const BLIP_WAIT_MS = 1_000
const NEVER = Number.NEGATIVE_INFINITY

export class Turn {
  private readonly options: TurnOptions
  private readonly pending = new PendingFinals()
  private texts: Array<string> = []
  private ended = false
  private speaking = false
  /** Voiced milliseconds of the running stretch of speech, and those of it that were over the agent. */
  private voicedMs = 0
  private overAgentMs = 0
  private lastVoicedMs = NEVER
  /** Last voiced frame of a stretch too long to be a noise, and last transcript: only these move deadlines. */
  private lastSpeechMs = NEVER
  private lastTranscriptMs = NEVER
  /** Last voiced frame before the first pause of a turn without text. */
  private openedMs = NEVER
  private agent = false
  private interrupted = false

  constructor(options: TurnOptions) {
    this.options = options
  }

  /** Whether the caller hears the agent just now. Turning it on begins an agent utterance. */
  get agentSpeaking(): boolean {
    return this.agent
  }
  set agentSpeaking(speaking: boolean) {
    if (speaking && !this.agent) {
      this.interrupted = false
      this.overAgentMs = 0
    }
    this.agent = speaking
  }

  /** Whether there is text that was not taken. */
  get hasText(): boolean {
    return this.texts.length > 0
  }

  /** Takes what the detector said of the frame at `mediaMs`. At most one event per frame; allocates nothing but at a pause. */
  step(vadEvent: VadEvent, voiced: boolean, mediaMs: number): TurnEvent {
    if (vadEvent === VadEvent.SpeechStopped) return this.paused(mediaMs)
    if (!this.speaking && !voiced) this.voicedMs = 0
    if (voiced) this.voicedMs += FRAME_MS
    if (vadEvent === VadEvent.SpeechStarted) {
      this.speaking = true
      this.overAgentMs = this.agent ? this.voicedMs : 0
      this.lastVoicedMs = mediaMs
      return TurnEvent.SpeechStarted
    }
    if (this.speaking && voiced) {
      this.lastVoicedMs = mediaMs
      if (this.voicedMs >= BLIP_MS) this.lastSpeechMs = mediaMs
      if (this.agent) this.overAgentMs += FRAME_MS
      if (this.bargesIn()) return TurnEvent.BargeIn
    }
    // A voiced frame in silence may be the first of the next word.
    if (!this.speaking && voiced) return TurnEvent.None
    return this.decide(mediaMs)
  }

  /** Takes a final transcript that came at `mediaMs`; an empty one says that nothing was said before that pause. */
  transcript(text: string, mediaMs: number): TurnEvent {
    this.pending.answered(mediaMs)
    const trimmed = text.trim()
    if (trimmed !== "") {
      this.texts.push(trimmed)
      this.ended = false
      this.lastTranscriptMs = mediaMs
    }
    return this.decide(mediaMs)
  }

  /** Hands over what was said, the pauses joined by spaces, and begins the next turn. Empty when nothing is there. */
  takeText(): string {
    const text = this.texts.join(" ")
    this.texts = []
    this.ended = false
    this.openedMs = NEVER
    return text
  }

  private bargesIn(): boolean {
    if (!this.agent || !this.options.interruptible || this.interrupted) return false
    this.interrupted = this.overAgentMs >= this.options.minSpeechMs
    return this.interrupted
  }

  private paused(mediaMs: number): TurnEvent {
    const wait = this.isBlip() ? Math.min(BLIP_WAIT_MS, this.options.maxSilenceMs) : this.options.maxSilenceMs
    this.pending.ask(mediaMs, this.lastVoicedMs + wait)
    this.speaking = false
    this.voicedMs = 0
    this.overAgentMs = 0
    if (!this.hasText && this.openedMs === NEVER) this.openedMs = this.lastVoicedMs
    return TurnEvent.SpeechPaused
  }

  /** Whether what is being heard is still too short to be surely speech. */
  private isBlip(): boolean {
    return this.voicedMs < BLIP_MS
  }

  private decide(nowMs: number): TurnEvent {
    if (this.ended || (this.speaking && !this.isBlip())) return TurnEvent.None
    if (!this.hasText) return this.openedMs === NEVER ? TurnEvent.None : this.lost(nowMs)
    const { minSilenceMs, maxSilenceMs } = this.options
    const settled = !this.speaking && nowMs - this.lastVoicedMs >= minSilenceMs && !this.pending.waiting(nowMs)
    const overdue = nowMs - Math.max(this.lastSpeechMs, this.lastTranscriptMs) >= maxSilenceMs
    if (!settled && !overdue) return TurnEvent.None
    this.ended = true
    return TurnEvent.TurnEnded
  }

  private lost(nowMs: number): TurnEvent {
    if (nowMs - Math.max(this.openedMs, this.lastSpeechMs) < this.options.maxSilenceMs + GUARD_MS) return TurnEvent.None
    this.openedMs = NEVER
    this.pending.clear()
    return TurnEvent.TurnLost
  }
}
