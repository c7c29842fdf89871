/**
 * When the caller's turn is over, and when the caller interrupts. One clock (media time, ms) and one anchor (the last voiced
 * frame) for every delay, so that delays never add up; decided synchronously from voice activity and transcripts:
 *
 * - A turn ends when every pause of it has its transcript and the silence since its last words is as long as they ask for
 *   (`patienceMs`). A sound without words delays that only until its transcript has come, and no pause is learned from it. The end
 *   of speech overtakes its own transcript, so the text of an earlier pause alone does not end a turn while a later one is being
 *   transcribed. Noise cannot postpone that for ever: short voiced blips do not move the deadline.
 * - A transcript that comes after its turn was taken is a new turn that ends by the same rule.
 * - A detector that hears speech without end on a noisy line stops neither of the two: what counts then is that no more words come.
 * - Speech over the agent softens it at once, and pauses it when it is too long for a listening noise; the words, which are known only after the
 *   caller pauses, decide whether that was an interruption. No words, or only a listening noise: the agent goes on. A voice that is far from the
 *   telephone does neither.
 */
import { FRAME_MS } from "../frames/Frame.ts"
import { VadEvent } from "../vad/Vad.ts"
import { Nearness } from "./Nearness.ts"
import { type AgentVoice, OverAgent, type OverAgentOptions } from "./OverAgent.ts"
import { type AskedSpeech, PendingFinals } from "./PendingFinals.ts"
import { TurnEvent } from "./TurnEvent.ts"
import { TurnText } from "./TurnText.ts"

/** What the words of the caller mean; called when a transcript comes, never per frame. */
export interface TurnRules {
  /** Silence after the last voiced frame at which a turn that says `text` so far is over, ms. */
  readonly patienceMs: (text: string) => number
  /** Silence after which a turn that says `text` so far is announced as likely over, ms; `Infinity` for never. */
  readonly likelyAfterMs: (text: string) => number
  /**
   * What words said over the agent are: an interruption; something that can wait for the agent to finish (`answer`); or nothing
   * that asks for an answer. `paused`: the agent has been waiting since the caller's voice was too long for a listening noise.
   */
  readonly overAgent: (text: string, paused: boolean) => "interruption" | "answer" | "overheard"
  /** The caller made a pause of `ms` without having finished. */
  readonly paused: (ms: number) => void
}

export interface TurnOptions extends OverAgentOptions {
  /** Silence after which a turn ends with what is known of it, ms. */
  readonly maxSilenceMs: number
  readonly rules: TurnRules
}

/** How much later than `maxSilenceMs` a first transcript may come. */
const GUARD_MS = 1_500
/** Less voiced audio than this may be a word or a noise, so its transcript is waited for less long. */
const BLIP_MS = 200
const BLIP_WAIT_MS = 1_000
/**
 * Speech-to-text is asked this long after the last voiced frame (which the detector's hang-over has put 80 ms after the voice): sooner
 * it would often be between two words of a sentence, and a word torn apart is lost. Its answer is still there in time.
 */
const ASK_AFTER_MS = 180
/** A paused agent goes on after this much silence without words (peers: 1.5 to 2 s); one that is only softer is loud again sooner. */
const FALSE_INTERRUPTION_MS = 2_000
const SOFT_MS = 800
/** A sound that goes on and brings no words pauses the agent no longer than this, though speech-to-text does not answer. */
const LONGEST_PAUSE_MS = 6_000
/** When speech brings no words for this long, speech-to-text is asked before the speech ends. */
const WORDLESS_MS = 8_000
/**
 * The same while the agent waits to speak: in the next gap between two words, since a word torn apart is lost; a little later in any case. With
 * words the caller keeps the floor. Without, the sound is noise. If no answer comes at all, the agent waits no longer than `FLOOR_MS`.
 */
const WORDLESS_GAP_MS = 2_500
const WORDLESS_FLOOR_MS = 4_000
const FLOOR_MS = 8_000
const NEVER = Number.NEGATIVE_INFINITY

export class Turn {
  private readonly options: TurnOptions
  private readonly over: OverAgent
  private readonly pending = new PendingFinals()
  private readonly said = new TurnText()
  private readonly nearness = new Nearness()
  /** Words said over the agent that nobody took yet. */
  private overheard = ""
  private speaking = false
  /** Voiced milliseconds of the running stretch of speech, and of all since speech-to-text was last asked. */
  private voicedMs = 0
  private unaskedMs = 0
  /** First voiced frame since speech-to-text was last asked. */
  private beganMs = NEVER
  /** The detector heard the end of speech, and speech-to-text was not asked for it yet. */
  private stopped = false
  private lastVoicedMs = NEVER
  /** Last voiced frame of a stretch too long to be a noise, and last transcript: only these move deadlines. */
  private lastSpeechMs = NEVER
  private lastTranscriptMs = NEVER
  /** Last voiced frame of what has words. */
  private wordedMs = NEVER
  /** Last voiced frame before the first pause of a turn without text. */
  private openedMs = NEVER
  private nowMs = NEVER
  /** When the agent was last heard, or began to be. */
  private agentMs = NEVER
  /** When speech without words was last asked about; whether that answer is still to come, and whether it was that it is noise. */
  private askedMs = NEVER
  private asking = false
  private noisy = false
  /** Whether words came of the running speech before the detector heard its end: speech-to-text may have heard it already. */
  private wordsInSpeech = false
  private floorSinceMs = NEVER
  /** Nobody makes words of what is said, and when somebody last began to do so again: the time between does not count as waiting. */
  private wordsAway = false
  private wordsBackMs = NEVER

  constructor(options: TurnOptions) {
    this.options = options
    this.over = new OverAgent(options)
  }

  /** What the caller hears of the agent just now, also while it is paused. Leaving `silent` begins an agent utterance. */
  get agent(): AgentVoice {
    return this.over.voice
  }
  set agent(voice: AgentVoice) {
    if (voice !== "silent" || this.over.voice !== "silent") this.agentMs = this.nowMs
    this.over.setVoice(voice, this.nowMs)
  }

  /** Whether of what the detector hears as speech only a voice far from the telephone is left. */
  get onlyFar(): boolean {
    return this.nearness.onlyFar
  }

  /** Whether something was heard whose words have not come. */
  get awaitsWords(): boolean {
    return this.speaking || this.stopped || this.pending.waiting(this.nowMs)
  }

  /** Whether there is text that was not taken. */
  get hasText(): boolean {
    return !this.said.isEmpty
  }

  /** What was said so far in this turn, the pauses joined by spaces. */
  get text(): string {
    return this.said.text
  }

  /**
   * Whether the caller is speaking, or has spoken and the words are on their way: not the moment to begin to speak. Bounded, so
   * that a noisy line does not silence the agent for ever.
   */
  get callerHasFloor(): boolean {
    if (this.noisy) return false
    const busy =
      this.speaking || this.stopped
        ? this.unaskedMs >= BLIP_MS
        : this.openedMs !== NEVER && this.pending.waiting(this.nowMs)
    if (!busy) this.floorSinceMs = NEVER
    else if (this.floorSinceMs === NEVER) this.floorSinceMs = this.nowMs
    return busy && this.nowMs - Math.max(this.floorSinceMs, this.lastTranscriptMs) < FLOOR_MS
  }

  /**
   * Takes what the detector said of the frame at `mediaMs`; `near`: the sound is as loud as the caller. At most one event per frame; allocates
   * nothing but at a pause.
   */
  step(vadEvent: VadEvent, voiced: boolean, mediaMs: number, near = true): TurnEvent {
    this.nowMs = mediaMs
    const event = this.nearness.ofCaller(vadEvent, voiced && near, this.speaking, mediaMs)
    if (event === VadEvent.SpeechStopped && this.nearness.onlyFar) {
      this.lastVoicedMs = this.nearness.nearMs
      this.lastSpeechMs = Math.min(this.lastSpeechMs, this.lastVoicedMs)
    }
    return this.stepOfCaller(event, voiced && !this.nearness.onlyFar, mediaMs, near)
  }

  private stepOfCaller(vadEvent: VadEvent, voiced: boolean, mediaMs: number, near: boolean): TurnEvent {
    if (vadEvent === VadEvent.SpeechStopped) this.speechStopped()
    // A voiced frame may be the first of the next word.
    if (this.stopped && !voiced && mediaMs - this.lastVoicedMs >= ASK_AFTER_MS) return this.speechPaused(mediaMs)
    if (!this.speaking && !voiced) this.voicedMs = 0
    if (voiced) this.voicedMs += FRAME_MS
    if (vadEvent === VadEvent.SpeechStarted) return this.speechStarted(mediaMs, near)
    if (this.speaking && voiced) {
      this.lastVoicedMs = mediaMs
      this.unaskedMs += FRAME_MS
      if (this.voicedMs >= BLIP_MS && !this.isBeside) this.lastSpeechMs = mediaMs
      this.over.voiced(near, mediaMs)
      const disturbed = this.disturbed(near)
      if (disturbed !== TurnEvent.None) return disturbed
    }
    if (this.speaking && this.isWordless(voiced)) return this.askInSpeech(mediaMs)
    // A voiced frame in silence may be the first of the next word.
    if (!this.speaking && voiced) return TurnEvent.None
    return this.decide(mediaMs)
  }

  /** Nobody makes words of what the caller says from now on: what waits for words waits until `wordsComeAgain`. */
  noWordsCome(): void {
    this.wordsAway = true
    this.pending.hold()
  }
  /** Speech-to-text hears everything again that has no words. */
  wordsComeAgain(): void {
    if (!this.wordsAway) return
    this.wordsAway = false
    this.wordsBackMs = this.nowMs
    this.pending.askAgain(this.nowMs)
  }

  /** Takes a final transcript that came at `mediaMs`; an empty one says that nothing was said before that pause. */
  transcript(text: string, mediaMs: number): TurnEvent {
    const asked = this.pending.answered(mediaMs)
    const overAgent = asked?.overAgent ?? ((this.speaking || this.stopped) && this.over.comment)
    const trimmed = text.trim()
    if (trimmed === "") return this.nothingSaid(asked, mediaMs)
    this.lastTranscriptMs = mediaMs
    if (asked !== undefined) this.learnPause(asked)
    this.wordedMs = Math.max(this.wordedMs, asked?.endedMs ?? this.lastVoicedMs)
    if (asked === undefined || this.asking) this.wordsInSpeech = this.speaking
    this.asking = false
    this.noisy = false
    if (this.over.interruptible) {
      const meaning = overAgent ? this.options.rules.overAgent(trimmed, this.over.paused) : "interruption"
      if (meaning === "overheard") {
        this.overheard = this.overheard === "" ? trimmed : `${this.overheard} ${trimmed}`
        this.openedMs = NEVER
        return TurnEvent.Overheard
      }
      this.add(trimmed)
      if (meaning === "answer") return this.decide(mediaMs)
      const meant = overAgent || this.over.undecided
      this.over.interrupt()
      return meant ? TurnEvent.Interrupted : TurnEvent.Superseded
    }
    this.add(trimmed)
    return this.decide(mediaMs)
  }

  /** A turn that says `text` is known to be finished: it is over after `patienceMs` of silence. Nothing, when more was said meanwhile. */
  finished(text: string, patienceMs: number, mediaMs: number): TurnEvent {
    if (this.text !== text) return TurnEvent.None
    this.said.patienceMs = Math.min(this.said.patienceMs, patienceMs)
    return this.decide(mediaMs)
  }

  /** What else is to be noticed at `mediaMs` after an event of `transcript`; ask until there is nothing. */
  settle(mediaMs: number): TurnEvent {
    return this.decide(mediaMs)
  }

  /** No more frames will come: `SpeechPaused` when speech-to-text is to be asked for what was said last. */
  close(): TurnEvent {
    if (!this.speaking && !this.stopped) return TurnEvent.None
    this.speechStopped()
    return this.speechPaused(this.nowMs)
  }

  /** Hands over what was said, the pauses joined by spaces, and begins the next turn. Empty when nothing is there. */
  takeText(): string {
    this.openedMs = NEVER
    return this.said.take()
  }

  /** Hands over what was said over the agent without interrupting it. */
  takeOverheard(): string {
    const { overheard } = this
    this.overheard = ""
    return overheard
  }

  /** The last transcript, or when transcripts could come again. */
  private get lastHeardOfMs(): number {
    return Math.max(this.lastTranscriptMs, this.wordsBackMs)
  }

  private add(text: string): void {
    this.said.add(text)
    this.said.patienceMs = this.options.rules.patienceMs(this.text)
    this.said.likelyAfterMs = this.options.rules.likelyAfterMs(this.text)
  }

  private speechStarted(mediaMs: number, near: boolean): TurnEvent {
    this.speaking = true
    if (!this.stopped) {
      this.unaskedMs = 0
      this.beganMs = mediaMs - this.voicedMs
    }
    this.unaskedMs += this.voicedMs
    this.stopped = false
    this.askedMs = mediaMs
    this.wordsInSpeech = false
    this.over.speechBegan(this.voicedMs, near, mediaMs)
    this.lastVoicedMs = mediaMs
    const disturbed = this.disturbed(near)
    return disturbed === TurnEvent.None ? TurnEvent.SpeechStarted : disturbed
  }

  /** What the voice over the agent does by its sound alone. A noise without words does nothing, and neither does a voice that is far away. */
  private disturbed(near: boolean): TurnEvent {
    if (this.noisy || !near) return TurnEvent.None
    if (this.over.pauses(this.nowMs)) return TurnEvent.AgentPaused
    return this.over.softens() ? TurnEvent.AgentSoftened : TurnEvent.None
  }

  /** Learns the pause before speech that has words, when the caller went on with the same turn. */
  private learnPause({ beganMs }: AskedSpeech): void {
    if (this.over.voice !== "silent" || this.agentMs >= this.wordedMs) return
    const pauseMs = beganMs - this.wordedMs
    if (pauseMs > 0 && pauseMs < this.options.maxSilenceMs) this.options.rules.paused(pauseMs)
  }

  private speechStopped(): void {
    this.stopped = true
    this.speaking = false
    // What comes next is another sound.
    this.noisy = false
    this.voicedMs = 0
    this.over.speechEnded()
  }

  private speechPaused(mediaMs: number): TurnEvent {
    const { maxSilenceMs } = this.options
    const wait = this.unaskedMs < BLIP_MS ? Math.min(BLIP_WAIT_MS, maxSilenceMs) : maxSilenceMs
    this.ask(mediaMs, this.isBeside ? mediaMs : this.lastVoicedMs + wait)
    this.stopped = false
    if (!this.hasText && this.openedMs === NEVER) this.openedMs = this.lastVoicedMs
    return TurnEvent.SpeechPaused
  }

  private ask(pausedMs: number, waitUntilMs: number): void {
    const { beganMs, lastVoicedMs: endedMs } = this
    this.pending.ask({ beganMs, endedMs, pausedMs, waitUntilMs, overAgent: this.over.comment })
  }

  /** Whether running speech has brought no words for so long that it may be none. */
  private isWordless(voiced: boolean): boolean {
    const wordlessMs = this.nowMs - Math.max(this.askedMs, this.lastTranscriptMs)
    const waitedFor = this.over.paused || (this.floorSinceMs !== NEVER && !this.over.goesOn)
    return wordlessMs >= (waitedFor ? (voiced ? WORDLESS_FLOOR_MS : WORDLESS_GAP_MS) : WORDLESS_MS)
  }

  private askInSpeech(mediaMs: number): TurnEvent {
    this.askedMs = mediaMs
    this.asking = true
    this.ask(mediaMs, mediaMs + this.options.maxSilenceMs)
    this.beganMs = mediaMs
    if (!this.hasText && this.openedMs === NEVER) this.openedMs = mediaMs
    return TurnEvent.SpeechPaused
  }

  /**
   * Whether the running speech is a voice that was never as loud as the caller, after words of the caller: it does not keep their turn from ending.
   * Without such words it may be a caller who has moved away.
   */
  private get isBeside(): boolean {
    return this.nearness.neverNear && this.hasText
  }

  /** Whether what is being heard is still too short to be surely speech. */
  private isBlip(): boolean {
    return this.voicedMs < BLIP_MS
  }

  private decide(nowMs: number): TurnEvent {
    if (this.wordsAway && (this.awaitsWords || this.over.undecided)) return TurnEvent.None
    if (this.over.undecided) return this.judgeSound(nowMs)
    // What was said while the agent goes on speaking is answered when it has finished.
    if (this.over.goesOn || this.said.ended) return TurnEvent.None
    const sounds = (this.speaking || this.stopped) && !this.isBeside
    if (this.speaking && sounds && !this.isBlip()) return this.spokenOut(nowMs)
    if (!this.hasText) return this.openedMs === NEVER ? TurnEvent.None : this.lost(nowMs)
    const { maxSilenceMs } = this.options
    const settled = !sounds && !this.pending.waiting(nowMs)
    const silentMs = nowMs - this.wordedMs
    const overdue = nowMs - Math.max(this.lastSpeechMs, this.lastHeardOfMs) >= maxSilenceMs
    if ((settled && silentMs >= this.said.patienceMs) || overdue) {
      this.said.ended = true
      return TurnEvent.TurnEnded
    }
    return settled && this.said.announceLikely(silentMs) ? TurnEvent.TurnLikely : TurnEvent.None
  }

  /** The detector still hears speech. When no more words come of it, the turn is over all the same. */
  private spokenOut(nowMs: number): TurnEvent {
    const { maxSilenceMs } = this.options
    if (!this.hasText || !this.wordsInSpeech) return TurnEvent.None
    if (nowMs - this.lastHeardOfMs < maxSilenceMs + GUARD_MS) return TurnEvent.None
    this.noisy = true
    this.said.ended = true
    return TurnEvent.TurnEnded
  }

  /** The agent is softened or paused, and the words that could be an interruption have not come. */
  private judgeSound(nowMs: number): TurnEvent {
    const { over } = this
    const pausedMs = Math.max(over.pausedMs, this.wordsBackMs)
    if (this.speaking && over.paused && nowMs - pausedMs >= LONGEST_PAUSE_MS) return this.noWordsInSpeech()
    if ((this.speaking || this.stopped) && !over.isFar(nowMs)) return TurnEvent.None
    const waitMs = over.paused ? FALSE_INTERRUPTION_MS : SOFT_MS
    const endedMs = Math.max(this.lastVoicedMs, this.wordsBackMs)
    if (this.pending.waiting(nowMs) && nowMs - endedMs < waitMs) return TurnEvent.None
    return this.resume()
  }

  /** Speech-to-text found no words before a pause: when that was the only one, there is nothing to wait for. */
  private nothingSaid(asked: AskedSpeech | undefined, nowMs: number): TurnEvent {
    // The words of one transcript may be those of several pauses: the others get an empty one with it.
    if (asked !== undefined && this.lastTranscriptMs === nowMs) this.wordedMs = Math.max(this.wordedMs, asked.endedMs)
    if (this.asking && this.speaking) return this.noWordsInSpeech()
    if (this.hasText && !this.awaitsWords) this.lastSpeechMs = this.wordedMs
    const decided = this.decide(nowMs)
    const waits = this.speaking || this.hasText || this.over.voice !== "silent" || this.pending.waiting(nowMs)
    return decided !== TurnEvent.None || waits || this.openedMs === NEVER ? decided : this.giveUp()
  }

  /** The sound that goes on like speech is the noise of the line. */
  private noWordsInSpeech(): TurnEvent {
    this.asking = false
    this.noisy = true
    if (this.over.undecided) return this.resume()
    return this.over.voice === "silent" && !this.hasText && this.openedMs !== NEVER ? this.giveUp() : TurnEvent.None
  }

  private resume(): TurnEvent {
    this.over.resume()
    if (!this.hasText) this.openedMs = NEVER
    return TurnEvent.AgentResumed
  }

  private lost(nowMs: number): TurnEvent {
    const since = nowMs - Math.max(this.openedMs, this.lastSpeechMs, this.wordsBackMs)
    return since < this.options.maxSilenceMs + GUARD_MS ? TurnEvent.None : this.giveUp()
  }

  private giveUp(): TurnEvent {
    this.openedMs = NEVER
    this.pending.clear()
    return TurnEvent.TurnLost
  }
}
