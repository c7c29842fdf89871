/**
 * What the caller hears of the agent: it turns planned clauses into 20 ms frames and sends them a little ahead of real time. Synchronous.
 * It knows at every moment what the caller has heard, so that it can stop, pause, and go on at the right word.
 */

import { FRAME_BYTES, FRAME_MS } from "../../../audio/frames/Frame.ts"
import { softenInto } from "../../../audio/frames/Mulaw.ts"
import type { Ambience } from "../../../audio/playout/Ambience.ts"
import { Overlay } from "../../../audio/playout/Overlay.ts"
import { Playout } from "../../../audio/playout/Playout.ts"
import { AgentState } from "./AgentState.ts"
import type { Heard, SoundCommand } from "./CallSound.ts"
import { PersonVoice } from "./PersonVoice.ts"
import { type PlannedClause, PlannedClauses } from "./PlannedClauses.ts"
import { SentSound, type SentSoundOptions } from "./SentSound.ts"

/** How far ahead of real time frames are sent, so that network jitter does not empty the provider's buffer. Milliseconds. */
export const leadMs = 100
/** Background alone is sent less far ahead, because the speech that comes next waits behind it. Milliseconds. */
const backgroundLeadMs = 40
/** When no mark is echoed, everything sent counts as heard this long after its end: the agent must not "speak" for ever. Milliseconds. */
const markGraceMs = 2_000
/** Shortest pause between two utterances of the agent (disclosure and welcome): a shorter one would sound like a gap in the audio. Milliseconds. */
const sentencePauseMs = 300

// Working memory of one synchronous tick.
const out = new Uint8Array(FRAME_BYTES)

export interface AgentSpeechOptions extends SentSoundOptions {
  /** Background under speech and silence. */
  readonly ambience: Ambience | undefined
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Asked before each interruptible utterance; false while the caller has the floor. */
  readonly mayStart: () => boolean
  /** The first frame of an utterance is about to go out. `interruptible`: the caller may interrupt it. */
  readonly onStarted: (interruptible: boolean) => void
  /** An utterance that had started was heard to its end, or silenced. */
  readonly onEnded: () => void
  /** The caller has heard everything planned, and nothing more is coming. */
  readonly onDrained: (heard: HeardSoFar) => void
  /** Audio of a planned clause came. */
  readonly onAudio: () => void
  /** A frame of speech is about to go out. */
  readonly onFrame: () => void
  /** Nothing has come from the person who has the call for too long. Once. */
  readonly onPersonLost: () => void
}

/** What was heard, without the count of commands, which the speech does not know. */
export type HeardSoFar = Omit<Heard, "seen">

type Command<Tag extends SoundCommand["_tag"]> = Extract<SoundCommand, { readonly _tag: Tag }>

export class AgentSpeech {
  private readonly state = new AgentState()
  private silencings = 0

  private readonly options: AgentSpeechOptions
  private readonly playout = new Playout({ leadMs })
  private readonly overlay = new Overlay()
  /** What is in the overlay is heard before the agent goes on. */
  private bridging = false
  /** The person who talks with the caller instead of the agent. */
  private person: PersonVoice | undefined
  private readonly sent: SentSound
  /** No new speech begins before this. */
  private notBefore = 0
  /** Planned since the agent last fell silent. */
  private readonly clauses = new PlannedClauses(this.playout)

  constructor(options: AgentSpeechOptions) {
    this.options = options
    this.sent = new SentSound(options)
  }

  /** Counts silencings: speech planned in an older epoch is dropped. */
  get epoch(): number {
    return this.silencings
  }

  /** Whether an utterance has begun and not ended yet, also while it is paused. */
  get audible(): boolean {
    return this.state.audible
  }

  /** Whether the planned speech is kept back until a guess is right. */
  get held(): boolean {
    return this.state.held
  }

  /** Milliseconds for which the agent was not heard and has nothing planned to say. */
  get quietMs(): number {
    return !this.clauses.audioComplete || this.playout.queuedMs > 0
      ? 0
      : Math.max(0, this.options.now() - this.sent.speechUntil)
  }

  /** Milliseconds for which the agent was not heard, whatever is planned. */
  get unheardMs(): number {
    return this.playout.queuedMs >= FRAME_MS ? 0 : Math.max(0, this.options.now() - this.sent.speechUntil)
  }

  /** Milliseconds of sound that came and were not sent to the provider yet. */
  get unplayedMs(): number {
    return this.playout.queuedMs
  }

  /** Whether all clauses are known and at most `ms` milliseconds of them are left to hear. */
  nearlyDone(ms: number): boolean {
    if (this.state.replying || !this.clauses.audioComplete) return false
    return this.playout.queuedMs + Math.max(0, this.sent.speechUntil - this.options.now()) <= ms
  }

  /**
   * The model will reply, and the caller may interrupt the reply. Returns the epoch in which clauses may be planned until `replyEnded`.
   * `onDrained` follows when everything was heard, also when no clause comes. `held`: the reply is to a guess, and is kept back until
   * `release`. A reply that begins while the agent is speaking joins the utterance under way and is not kept back.
   */
  expectReply({ held }: { readonly held: boolean }): number {
    this.state.expectReply(held)
    return this.silencings
  }

  /** The model adds no more clauses to the reply of `epoch`. */
  replyEnded(epoch: number): void {
    if (epoch === this.silencings) this.state.replyEnded()
  }

  /**
   * A fixed line will be said. Returns the epoch to plan it in. `onDrained` follows when it was heard. `interruptible`: whether the caller may
   * interrupt the utterance; it changes nothing when the utterance has already begun.
   */
  expectLine({ interruptible }: { readonly interruptible: boolean }): number {
    this.state.expectLine(interruptible)
    return this.silencings
  }

  /** Plans one clause, spoken after those planned before. False when its epoch is over: the agent was silenced meanwhile. */
  plan({ epoch, clause, text, line }: Omit<Command<"Plan">, "_tag">): boolean {
    if (epoch !== this.silencings || this.state.silent) return false
    this.clauses.add({ clause, text, line })
    return true
  }

  /** Audio of a planned clause. It is ignored, as are `endClause` and `dropClause`, once the clause's epoch is over. */
  append({ epoch, clause, audio }: Omit<Command<"Sound">, "_tag">): void {
    if (epoch !== this.silencings || !this.clauses.isOpen(clause)) return
    this.options.onAudio()
    this.clauses.append(audio)
    this.begin()
  }
  endClause({ epoch, clause }: Omit<Command<"End">, "_tag">): void {
    if (epoch === this.silencings && this.clauses.isOpen(clause)) this.clauses.end()
  }
  /** Drops the clause that was begun and has no audio yet. */
  dropClause({ epoch, clause }: Omit<Command<"Drop">, "_tag">): void {
    if (epoch === this.silencings && this.clauses.isOpen(clause)) this.clauses.drop()
  }

  /**
   * Everything planned since the agent last fell silent. Another mind goes on with it: the clause whose sound is coming waits for the rest, and those
   * without sound are dropped. They are among what is returned.
   */
  settle(): ReadonlyArray<PlannedClause> {
    const all = this.clauses.settle()
    this.replyEnded(this.silencings)
    return all
  }

  /** The guess was right: the speech that was kept back may be heard. */
  release(epoch: number): void {
    if (epoch === this.silencings && this.state.release()) this.begin()
  }

  /** The first frames of an utterance do not wait for the next tick: waiting would cost 10 ms on average. */
  private begin(): void {
    if (this.state.waiting) this.tick(this.options.now())
  }

  /** Plays a listening sound unless the agent is speaking. It is no part of what the agent says. */
  murmur(audio: Uint8Array): void {
    if (this.audible || this.overlay.active) return
    this.bridging = false
    this.overlay.play(audio)
  }
  /** Plays a line to a caller who waits for more of what the agent says, which comes after it. It is no part of that. */
  bridge(audio: Uint8Array): void {
    this.bridging = true
    this.overlay.play(audio)
  }

  /** A person talks with the caller from now on, and the agent is not heard; or the agent talks again. */
  giveTo(on: boolean): void {
    this.overlay.stop()
    this.person = on ? new PersonVoice(this.options.now()) : undefined
  }
  /** 20 ms of the voice of the person who has the call; ignored when nobody has it. */
  personSays(frame: Uint8Array): void {
    this.person?.push(frame, this.options.now())
  }

  /**
   * The process's media clock calls it every 20 ms. It sends what is due, then checks whether everything was heard. `dueMs`, when the tick was
   * due, decides what is sent. By the time at which the tick came, a tick that is a little late would send a frame 20 ms too early.
   */
  tick(dueMs: number): void {
    if (this.hasNothingToSend) return
    const now = this.options.now()
    this.sent.catchUp(now)
    const speaks = this.audible || this.mayBegin(now)
    while (this.sent.aheadMs(dueMs) < leadMs && this.nextFrame(speaks, now, dueMs)) {
      this.sent.frame(out, now)
      if (speaks) this.sendMarks()
    }
    // A clause may end after its last frame was sent.
    this.sendMarks()
    if (this.state.waiting || this.state.speaking) this.checkDrained(now)
    if (this.person?.gone(now)) {
      this.person = undefined
      this.options.onPersonLost()
    }
  }

  /** The provider echoed the mark: it has played the audio before it. */
  mark(name: string): void {
    this.playout.markEchoed(name)
  }

  /** Goes on more softly (12 dB), in the same tick: the provider drops what it has, and gets it again from where the caller is. */
  soften(): void {
    if (!this.state.soften()) return
    const now = this.options.now()
    this.playout.rewind(now)
    this.sent.clear(now)
    this.tick(now)
  }

  /** Stops the audio here and at the provider, in the same tick, and keeps what is left to say. */
  pause(): void {
    const now = this.options.now()
    if (!this.state.pause(now)) return
    this.playout.pause(now)
    this.sent.clear(now)
  }

  /** Goes on as loud as before; after a pause from the word after the last one heard. */
  resume(): void {
    if (this.state.resume()) this.playout.resume()
  }

  /** Stops for good, in the same tick, and returns what the caller heard. */
  silence(): HeardSoFar {
    const epoch = this.silencings
    const clauses = this.clauses.count
    const now = this.options.now()
    const span = this.span(now)
    const text = this.clauses.heard(now)
    if (this.state.speaking) this.sent.clear(now)
    this.playout.clear(now)
    this.silencings++
    this.fallSilent()
    return { epoch, clauses, text, ...span }
  }

  /** What was heard of an epoch that was over already. */
  nothingHeard(epoch: number): HeardSoFar {
    return { epoch, clauses: 0, text: "", ...this.span(this.options.now()) }
  }

  /** The usual case: most of the time the caller speaks, or nobody does. */
  private get hasNothingToSend(): boolean {
    const { state, overlay, person } = this
    return state.silent && this.options.ambience === undefined && !overlay.active && person === undefined
  }

  private mayBegin(now: number): boolean {
    if (!this.state.waiting || now < this.notBefore || this.playout.queuedMs === 0) return false
    return !this.state.interruptible || this.options.mayStart()
  }

  /** Fills `out` with the next 20 ms: speech, else a listening sound, else the background. False when there is nothing to send. */
  private nextFrame(speaks: boolean, now: number, dueMs: number): boolean {
    const { ambience } = this.options
    if (this.person !== undefined) return this.person.next(out, this.sent.aheadMs(now) <= 0)
    if (speaks && !(this.bridging && this.overlay.active) && this.playout.next(out, now)) {
      this.spoke(now)
      if (this.state.soft) softenInto(out)
      ambience?.mixInto(out)
      return true
    }
    if (this.overlay.next(out)) {
      ambience?.mixInto(out)
      return true
    }
    if (ambience === undefined || this.sent.aheadMs(dueMs) >= backgroundLeadMs) return false
    ambience.nextFrame(out)
    return true
  }

  private spoke(now: number): void {
    const interruptible = this.state.begin(now)
    if (interruptible !== undefined) {
      this.overlay.stop()
      this.options.onStarted(interruptible)
    }
    this.sent.speaks()
    this.options.onFrame()
  }

  private sendMarks(): void {
    for (let name = this.playout.takeMark(); name !== undefined; name = this.playout.takeMark()) this.sent.mark(name)
  }

  private checkDrained(now: number): void {
    if (this.state.replying || !this.clauses.audioComplete || this.playout.queuedMs > 0) return
    if (!this.playout.idle && now < this.sent.speechUntil + markGraceMs) return
    const heard = {
      epoch: this.silencings,
      clauses: this.clauses.count,
      text: this.clauses.text,
      ...this.span(now)
    }
    this.playout.clear(now)
    this.notBefore = this.sent.speechUntil + sentencePauseMs
    this.fallSilent()
    this.options.onDrained(heard)
  }

  /** When the utterance under way began and ended, in milliseconds of the call. Both are the same when nothing was heard. */
  private span(now: number): { readonly startMs: number; readonly endMs: number } {
    const { elapsed } = this.options
    return {
      startMs: Math.round(elapsed(this.state.beganAt(now))),
      endMs: Math.round(elapsed(this.state.endedAt(now)))
    }
  }

  private fallSilent(): void {
    if (this.audible) this.options.onEnded()
    this.state.fallSilent()
    this.clauses.clear()
  }
}
