/**
 * What the caller hears of the agent: planned clauses become 20 ms frames, sent a little ahead of real time. Synchronous; it knows at
 * every moment what has been heard, so that it can fall silent, pause and go on at the word.
 */

import { FRAME_BYTES, FRAME_MS } from "../../../audio/frames/Frame.ts"
import type { TalkTime } from "../../../audio/frames/TalkTime.ts"
import type { Ambience } from "../../../audio/playout/Ambience.ts"
import { Overlay } from "../../../audio/playout/Overlay.ts"
import { Playout } from "../../../audio/playout/Playout.ts"
import type { Spoken } from "../../../domain/voice/dialogue/Call.ts"
import { MediaWriter } from "../../../domain/voice/telephony/twilio/MediaMessage.ts"
import type { Line } from "./Line.ts"
import type { Recorder } from "./Recording.ts"
import type { Verdict } from "./Verdict.ts"

/** How far ahead of real time frames are sent, so that network jitter does not empty the provider's buffer. Milliseconds. */
export const leadMs = 100
/** Background alone is sent less far ahead: speech that comes next would have to wait behind it. Milliseconds. */
const backgroundLeadMs = 40
/** A provider that never echoes a mark must not keep the agent "speaking": after so long all that was sent counts as heard. */
const markGraceMs = 2_000
/** Shortest pause between two things the agent says of itself (disclosure and welcome): less would sound like a hole. */
const sentencePauseMs = 300

// Working memory of one synchronous tick.
const out = new Uint8Array(FRAME_BYTES)

export interface AgentSpeechOptions {
  readonly streamSid: string
  readonly line: Line
  readonly recorder: Recorder | undefined
  /** Background under speech and silence. */
  readonly ambience: Ambience | undefined
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds of the call at a time of `now`. */
  readonly elapsed: (at: number) => number
  readonly talk: TalkTime
  /** Asked before each utterance that the caller may interrupt: not while the caller has the floor. */
  readonly mayStart: () => boolean
  /** The first frame of an utterance goes out. `interruptible`: the caller may interrupt it. */
  readonly onStarted: (interruptible: boolean) => void
  /** An utterance that had started was heard to its end, or silenced. */
  readonly onEnded: () => void
  /** Everything planned was heard, and nothing more is coming. */
  readonly onDrained: (spoken: Spoken) => void
  /** Audio for what is planned came, and its first frame went out. */
  readonly onAudio: () => void
  readonly onFrame: () => void
}

/** A clause that will be heard; what the model says has a verdict. */
interface Planned {
  readonly text: string
  readonly verdict: Verdict | undefined
}

const textOf = ({ text }: Planned): string => text
/** What nobody has judged yet counts as what may not be heard. */
const mayBeHeard = ({ verdict }: Planned): boolean => verdict === undefined || verdict.passed

/**
 * What the agent is doing. Times are those of `now`; `replying` is true while the model may still add clauses.
 *
 *   Silent ──(expectReply, a guess)──▶ Held ──(release)──▶ Waiting ──(first frame)──▶ Speaking ◀──(pause, resume)──▶ Paused
 *      └──(expectReply, expectLine)──────────────────────────▲
 *
 * Speaking, and Waiting when no audio comes, end in Silent when all was heard; `silence` leads there from every state.
 */
type State =
  /** Nothing is said, and nothing is expected. */
  | { readonly tag: "Silent" }
  /** Held: a reply to a guess, which nobody hears before the guess is right. Waiting: it begins when there is audio and the caller lets it. */
  | { readonly tag: "Held" | "Waiting"; replying: boolean; interruptible: boolean }
  | { readonly tag: "Speaking"; replying: boolean; readonly startedAt: number }
  | { readonly tag: "Paused"; replying: boolean; readonly startedAt: number; readonly pausedAt: number }

const silent: State = { tag: "Silent" }

export class AgentSpeech {
  private state: State = silent
  private silencings = 0

  private readonly options: AgentSpeechOptions
  private readonly playout = new Playout({ leadMs })
  private readonly overlay = new Overlay()
  private readonly media: MediaWriter
  private readonly clearMessage: string
  /** Until when the provider has audio to play, and until when that is speech; on our clock. */
  private playingUntil = 0
  private speechUntil = 0
  /** No new speech begins before this. */
  private notBefore = 0
  /** Everything planned since the agent last fell silent, and how much of it still has to become audio. */
  private clauses: Array<Planned> = []
  private pendingClauses = 0
  /** How many of them have begun to be audio, and how many were wholly heard before the play-out ran empty. */
  private begun = 0
  private heardWhole = 0

  constructor(options: AgentSpeechOptions) {
    this.options = options
    const streamSid = JSON.stringify(options.streamSid)
    this.media = new MediaWriter(options.streamSid)
    this.clearMessage = `{"event":"clear","streamSid":${streamSid}}`
  }

  /** Counts silencings: speech planned in an older epoch is dropped. */
  get epoch(): number {
    return this.silencings
  }

  /** Whether an utterance has begun and was not heard to its end (also while it is paused). */
  get audible(): boolean {
    return this.state.tag === "Speaking" || this.state.tag === "Paused"
  }

  /** Whether what is planned is kept back until a guess is right. */
  get held(): boolean {
    return this.state.tag === "Held"
  }

  /** Whether all clauses are known and no more than `ms` of them is left to hear. */
  nearlyDone(ms: number): boolean {
    if (this.replying || this.pendingClauses > 0) return false
    return this.playout.queuedMs + Math.max(0, this.speechUntil - this.options.now()) <= ms
  }

  /**
   * The model will reply, and the caller may interrupt that: clauses may be planned until `replyEnded`, in the epoch that this returns. `onDrained`
   * follows when all was heard, also when nothing comes of it. `held`: the reply is to a guess and kept back until `release`. What begins
   * while the agent is heard is a part of what it is saying, and is not kept back.
   */
  expectReply({ held }: { readonly held: boolean }): number {
    if (this.state.tag === "Speaking" || this.state.tag === "Paused") this.state.replying = true
    else this.state = { tag: held ? "Held" : "Waiting", replying: true, interruptible: true }
    return this.silencings
  }

  /** The model adds no more clauses to the reply of `epoch`. */
  replyEnded(epoch: number): void {
    if (epoch === this.silencings && this.state.tag !== "Silent") this.state.replying = false
  }

  /**
   * A fixed line will be said, to be planned in the epoch that this returns; `onDrained` follows when it was heard. `interruptible`: the caller may
   * interrupt the utterance, unless that has begun already.
   */
  expectLine({ interruptible }: { readonly interruptible: boolean }): number {
    if (this.state.tag === "Silent") this.state = { tag: "Waiting", replying: false, interruptible }
    else if (this.state.tag === "Held" || this.state.tag === "Waiting") this.state.interruptible = interruptible
    return this.silencings
  }

  /** One clause of what is expected, spoken after those planned before; false when `epoch` is over (the agent was silenced meanwhile). */
  plan(text: string, epoch: number, verdict?: Verdict): boolean {
    if (epoch !== this.silencings || this.state.tag === "Silent") return false
    this.clauses.push({ text, verdict })
    this.pendingClauses++
    return true
  }

  /** Audio of a planned clause: `beginClause`, any number of `append`, `endClause`. All are ignored once its epoch is over. */
  beginClause(text: string, epoch: number): boolean {
    if (epoch !== this.silencings) return false
    // An idle play-out starts counting anew: what it played so far was heard.
    if (this.playout.idle) this.heardWhole = this.begun
    this.begun++
    this.playout.begin(text)
    return true
  }
  append(audio: Uint8Array, epoch: number): void {
    if (epoch !== this.silencings) return
    this.options.onAudio()
    this.playout.append(audio)
    this.begin()
  }
  endClause(epoch: number): void {
    if (epoch !== this.silencings) return
    this.playout.end()
    this.pendingClauses--
  }

  /** The clause under way, which has no audio yet, will not be said. */
  dropClause(epoch: number): void {
    if (epoch !== this.silencings) return
    this.playout.end()
    this.begun--
    this.clauses.splice(this.begun, 1)
    this.pendingClauses--
  }

  /** The guess was right: what was kept back may be heard. */
  release(): void {
    if (this.state.tag !== "Held") return
    const { replying, interruptible } = this.state
    this.state = { tag: "Waiting", replying, interruptible }
    this.begin()
  }

  /** The first frames of an utterance do not wait for the next tick: that would cost 10 ms on average. */
  private begin(): void {
    if (this.state.tag === "Waiting") this.tick(this.options.now())
  }

  /** A listening sound: heard when the agent says nothing else, and not part of what it says. */
  murmur(audio: Uint8Array): void {
    if (!this.audible) this.overlay.play(audio)
  }

  /**
   * Called by the process's media clock every 20 ms. Sends what is due, then notices whether all has been heard. What is to be sent goes by when the
   * tick was due: by the time at which it came, one that is a little late would send a frame of the next, 20 ms sooner than those around it.
   */
  tick(dueMs: number): void {
    if (this.hasNothingToSend) return
    const now = this.options.now()
    if (this.playingUntil < now) this.playingUntil = now
    const speaks = this.audible || this.mayBegin(now)
    while (this.playingUntil - dueMs < leadMs && this.nextFrame(speaks, now, dueMs)) {
      this.options.line.send(this.media.write(out))
      this.options.recorder?.agent(out, this.options.elapsed(this.playingUntil))
      this.playingUntil += FRAME_MS
      if (speaks) this.sendMarks()
    }
    // A clause may end after its last frame was taken.
    this.sendMarks()
    if (this.state.tag === "Waiting" || this.state.tag === "Speaking") this.checkDrained(now)
  }

  mark(name: string): void {
    this.playout.markEchoed(name)
  }

  /** Falls silent here and at the provider, in this very tick, and keeps what is left to say. */
  pause(): void {
    if (this.state.tag !== "Speaking") return
    const { replying, startedAt } = this.state
    const pausedAt = this.options.now()
    this.state = { tag: "Paused", replying, startedAt, pausedAt }
    this.playout.pause(pausedAt)
    this.stopProvider()
  }

  /** Goes on from the word after the last one heard. */
  resume(): void {
    if (this.state.tag !== "Paused") return
    const { replying, startedAt } = this.state
    this.state = { tag: "Speaking", replying, startedAt }
    this.playout.resume()
  }

  /** Falls silent for good, in this very tick; says what was heard. */
  silence(): Spoken {
    const now = this.options.now()
    const span = this.span(now)
    const whole = this.clauses.slice(0, this.playout.idle ? this.begun : this.heardWhole).map(textOf)
    const last = this.playout.idle ? "" : this.playout.heard(now).text
    if (this.state.tag === "Speaking") this.stopProvider()
    this.playout.clear(now)
    const text = [...whole, last].filter((part) => part !== "").join(" ")
    const all = this.clauses.filter(mayBeHeard).map(textOf).join(" ")
    this.silencings++
    this.pendingClauses = 0
    this.fallSilent()
    return { ...span, text, unheard: all.slice(text.length).trim() }
  }

  private get replying(): boolean {
    return this.state.tag !== "Silent" && this.state.replying
  }

  /** Most of the time the caller speaks, or nobody does. */
  private get hasNothingToSend(): boolean {
    return this.state.tag === "Silent" && this.options.ambience === undefined && !this.overlay.active
  }

  private mayBegin(now: number): boolean {
    if (this.state.tag !== "Waiting" || now < this.notBefore || this.playout.queuedMs === 0) return false
    return !this.state.interruptible || this.options.mayStart()
  }

  /** Fills `out` with the next 20 ms: speech, else a listening sound, else the background; false when there is nothing to send. */
  private nextFrame(speaks: boolean, now: number, dueMs: number): boolean {
    const { ambience } = this.options
    if (speaks && this.playout.next(out, now)) {
      this.spoke(now)
      ambience?.mixInto(out)
      return true
    }
    if (this.overlay.next(out)) {
      ambience?.mixInto(out)
      return true
    }
    if (ambience === undefined || this.playingUntil - dueMs >= backgroundLeadMs) return false
    ambience.nextFrame(out)
    return true
  }

  private spoke(now: number): void {
    if (this.state.tag === "Waiting") {
      const { replying, interruptible } = this.state
      this.state = { tag: "Speaking", replying, startedAt: now }
      this.overlay.stop()
      this.options.onStarted(interruptible)
    }
    this.speechUntil = this.playingUntil + FRAME_MS
    this.options.talk.agentSent()
    this.options.onFrame()
  }

  private sendMarks(): void {
    for (let name = this.playout.takeMark(); name !== undefined; name = this.playout.takeMark()) {
      const streamSid = JSON.stringify(this.options.streamSid)
      this.options.line.send(`{"event":"mark","streamSid":${streamSid},"mark":{"name":${JSON.stringify(name)}}}`)
    }
  }

  /** Drops what the provider has and the caller has not heard. */
  private stopProvider(): void {
    const now = this.options.now()
    this.options.line.send(this.clearMessage)
    this.options.recorder?.agentStopped(this.options.elapsed(now))
    this.options.talk.agentCleared(Math.max(0, this.speechUntil - now))
    this.playingUntil = now
    this.speechUntil = now
  }

  private checkDrained(now: number): void {
    if (this.replying || this.pendingClauses > 0 || this.playout.queuedMs > 0) return
    if (!this.playout.idle && now < this.speechUntil + markGraceMs) return
    const spoken = { ...this.span(now), text: this.clauses.map(textOf).join(" "), unheard: "" }
    this.playout.clear(now)
    this.notBefore = this.speechUntil + sentencePauseMs
    this.fallSilent()
    this.options.onDrained(spoken)
  }

  /** When what is being said began and ended, in milliseconds of the call; at one time when nothing was heard. */
  private span(now: number): { readonly startMs: number; readonly endMs: number } {
    const { state } = this
    const ended = state.tag === "Paused" ? state.pausedAt : now
    const began = state.tag === "Speaking" || state.tag === "Paused" ? state.startedAt : ended
    return { startMs: Math.round(this.options.elapsed(began)), endMs: Math.round(this.options.elapsed(ended)) }
  }

  private fallSilent(): void {
    if (this.audible) this.options.onEnded()
    this.state = silent
    this.clauses = []
    this.begun = 0
    this.heardWhole = 0
  }
}
