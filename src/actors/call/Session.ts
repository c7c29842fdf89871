/**
 * The audio of one call, synchronous and single-threaded: frames in (decode → voice activity → turn), frames out (play-out → line).
 * It decides nothing beyond that; what it notices is offered to the call's mailbox as an event. Frames never enter the mailbox.
 */
import { FRAME_BYTES, FRAME_MS, Framer } from "../../audio/Framing.ts"
import * as Mulaw from "../../audio/Mulaw.ts"
import { Playout } from "../../audio/Playout.ts"
import { PreRoll } from "../../audio/PreRoll.ts"
import { Turn, TurnEvent } from "../../audio/Turn.ts"
import { Vad } from "../../audio/Vad.ts"
import type { CallEvent, Spoken } from "../../domain/Call.ts"
import type { AgentConfig } from "../../domain/EngineProtocol.ts"
import type { Line } from "./Line.ts"
import { TurnClock } from "./TurnClock.ts"

/** How far ahead of real time frames are sent, so that network jitter does not empty the provider's buffer. Milliseconds. */
export const leadMs = 100
/** A provider that never echoes a mark must not keep the agent "speaking": after so long all that was sent counts as heard. */
const markGraceMs = 2_000
/** Shortest pause between two things the agent says of itself (disclosure and welcome): less would sound like a hole. */
const sentencePauseMs = 300
/** Speech before the VAD was sure, sent on so that first syllables are not lost. Milliseconds. */
const preRollMs = 400

/** Where a session's speech goes: the speech-to-text stream of the call. */
export interface Ear {
  /** Samples of the caller's speech; the array is reused. */
  readonly hear: (samples: Int16Array) => void
  /** The caller paused: ask for the transcript now. */
  readonly pause: () => void
}

export interface SessionOptions {
  readonly streamSid: string
  readonly line: Line
  readonly agent: AgentConfig
  readonly ear: Ear
  readonly offer: (event: CallEvent) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
}

export class Session {
  readonly clock: TurnClock
  readonly playout = new Playout({ leadMs })
  /** True while the model may still add clauses to what is being said. */
  replying = false
  /** Whether the caller may interrupt what is being said now. */
  interruptible = false
  /** True while speech was heard whose transcript has not come. */
  awaitsTranscript = false
  /** Counts silencings: speech planned in an older epoch is dropped. */
  epoch = 0

  private readonly framer = new Framer((frame, mediaMs) => this.frame(frame, mediaMs))
  private readonly vad = new Vad()
  private readonly turn: Turn
  private readonly preRoll = new PreRoll(preRollMs)
  private readonly pcm = new Int16Array(FRAME_BYTES)
  private readonly out = new Uint8Array(FRAME_BYTES)
  private readonly outBuffer = Buffer.from(this.out.buffer)
  private readonly mediaHead: string
  private readonly options: SessionOptions
  private readonly startedAt: number

  /** Until when the provider has audio to play, on our clock. */
  private playingUntil = 0
  /** No new speech begins before this. */
  private notBefore = 0
  private expecting = false
  private runStartedAt = 0
  /** Everything planned since the agent last fell silent, and how much of it still has to become audio. */
  private clauses: Array<string> = []
  private pendingClauses = 0
  /** How many of them have begun to be audio, and how many were wholly heard before the play-out ran empty. */
  private begun = 0
  private heardWhole = 0
  private mediaMs = 0
  private voicedAt = 0
  private voicedMediaMs = 0
  private speechStartedAt = -1
  private transcriptAt = 0
  private hearing = false

  constructor(options: SessionOptions) {
    this.options = options
    this.startedAt = options.now()
    this.clock = new TurnClock(options.now)
    this.mediaHead = `{"event":"media","streamSid":${JSON.stringify(options.streamSid)},"media":{"payload":"`
    this.turn = new Turn({
      minSilenceMs: options.agent.endpointing.minSilenceMs,
      maxSilenceMs: options.agent.endpointing.maxSilenceMs,
      minSpeechMs: options.agent.interruption.minSpeechMs,
      interruptible: options.agent.interruption.enabled
    })
  }

  /** Milliseconds since the call started. */
  elapsed(): number {
    return Math.round(this.options.now() - this.startedAt)
  }
  /** True while the caller is speaking, or has spoken and no transcript of it came yet. */
  get callerUnfinished(): boolean {
    return this.speechStartedAt >= 0
  }

  // ── incoming ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  media(payload: Uint8Array, timestampMs: number): void {
    this.framer.push(payload, timestampMs)
  }

  private frame(frame: Uint8Array, mediaMs: number): void {
    const { ear, now } = this.options
    this.mediaMs = mediaMs
    Mulaw.decodeInto(frame, this.pcm)
    const vadEvent = this.vad.step(this.pcm)
    if (this.vad.voiced) {
      this.voicedAt = now()
      this.voicedMediaMs = mediaMs
    }
    const event = this.turn.step(vadEvent, this.vad.voiced, mediaMs)
    if (this.vad.speaking) {
      if (!this.hearing) {
        this.hearing = true
        this.awaitsTranscript = true
        this.preRoll.drain(ear.hear)
      }
      ear.hear(this.pcm)
    } else {
      this.hearing = false
      this.preRoll.push(this.pcm)
    }
    if (event !== TurnEvent.None) this.noticed(event)
  }

  /** A final transcript from speech-to-text. */
  transcript(text: string): void {
    this.awaitsTranscript = false
    if (text.trim() !== "") this.transcriptAt = this.options.now()
    const event = this.turn.transcript(text, this.mediaMs)
    if (event !== TurnEvent.None) this.noticed(event)
  }

  private noticed(event: TurnEvent): void {
    switch (event) {
      case TurnEvent.SpeechStarted:
        if (this.speechStartedAt < 0) this.speechStartedAt = this.elapsed()
        return
      case TurnEvent.SpeechPaused:
        this.options.ear.pause()
        return
      case TurnEvent.BargeIn:
        this.options.offer({ _tag: "BargedIn", spoken: this.silenceAgent() })
        return
      case TurnEvent.TurnEnded:
        this.turnEnded(this.turn.takeText())
        return
      case TurnEvent.TurnLost:
        this.speechStartedAt = -1
        this.options.offer({ _tag: "TurnLost" })
        return
    }
  }

  private turnEnded(text: string): void {
    const endMs = this.elapsed() - Math.max(0, this.mediaMs - this.voicedMediaMs)
    const startMs = this.speechStartedAt < 0 ? endMs : this.speechStartedAt
    this.speechStartedAt = this.vad.speaking ? this.elapsed() : -1
    this.clock.decided(this.voicedAt, this.transcriptAt)
    this.options.offer({ _tag: "TurnEnded", text, startMs: Math.min(startMs, endMs), endMs })
  }

  /** At the end of the call: whatever was said and not yet taken as a turn. */
  takeRest(): void {
    const text = this.turn.takeText()
    if (text !== "") this.turnEnded(text)
  }

  // ── outgoing ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Something will be said: a `Drained` follows when it has been heard (also when nothing comes of it). */
  expect(): void {
    this.expecting = true
  }

  /** One clause will be spoken after those planned before; false when `epoch` is over (the agent was silenced meanwhile). */
  plan(text: string, epoch: number): boolean {
    if (epoch !== this.epoch) return false
    this.clauses.push(text)
    this.pendingClauses++
    this.expecting = true
    return true
  }

  /** Audio of a planned clause: `beginClause`, any number of `append`, `endClause`. All are ignored once its epoch is over. */
  beginClause(text: string, epoch: number): boolean {
    if (epoch !== this.epoch) return false
    // An idle play-out starts counting anew: what it played so far was heard.
    if (this.playout.idle) this.heardWhole = this.begun
    this.begun++
    this.playout.begin(text)
    return true
  }
  append(audio: Uint8Array, epoch: number): void {
    if (epoch !== this.epoch) return
    this.clock.firstAudio()
    this.playout.append(audio)
  }
  endClause(epoch: number): void {
    if (epoch !== this.epoch) return
    this.playout.end()
    this.pendingClauses--
  }

  /** Called by the process's media clock every 20 ms. Sends what is due, then notices whether all has been heard. */
  tick(): void {
    const now = this.options.now()
    if (this.runStartedAt === 0 && now < this.notBefore) return
    if (this.playingUntil < now) this.playingUntil = now
    while (this.playingUntil - now < leadMs && this.playout.next(this.out, now)) {
      if (this.runStartedAt === 0) {
        this.runStartedAt = now
        this.turn.agentSpeaking = this.interruptible
      }
      this.options.line.send(`${this.mediaHead}${this.outBuffer.toString("base64")}"}}`)
      this.playingUntil += FRAME_MS
      if (this.clock.awaitsFrame) this.clock.firstFrame()
      this.sendMarks()
    }
    // A clause may end after its last frame was taken.
    this.sendMarks()
    if (this.expecting) this.checkDrained(now)
  }

  private sendMarks(): void {
    for (let name = this.playout.takeMark(); name !== undefined; name = this.playout.takeMark()) {
      const streamSid = JSON.stringify(this.options.streamSid)
      this.options.line.send(`{"event":"mark","streamSid":${streamSid},"mark":{"name":${JSON.stringify(name)}}}`)
    }
  }

  private checkDrained(now: number): void {
    if (this.replying || this.pendingClauses > 0 || this.playout.queuedMs > 0) return
    if (!this.playout.idle && now < this.playingUntil + markGraceMs) return
    this.expecting = false
    const text = this.clauses.join(" ")
    this.options.offer({ _tag: "Drained", spoken: { ...this.span(), text, unheard: "" } })
    this.playout.clear(now)
    this.notBefore = this.playingUntil + sentencePauseMs
    this.resetRun()
  }

  mark(name: string): void {
    this.playout.markEchoed(name, this.options.now())
  }

  /** Stops the agent's audio here and at the provider, in this very tick; says what was heard of it. */
  silenceAgent(): Spoken {
    const wasAudible = this.runStartedAt !== 0
    const whole = this.clauses.slice(0, this.playout.idle ? this.begun : this.heardWhole)
    const last = this.playout.idle ? "" : this.playout.heard(this.options.now()).text
    this.playout.clear(this.options.now())
    const text = [...whole, last].filter((part) => part !== "").join(" ")
    const all = this.clauses.join(" ")
    const spoken: Spoken = { ...this.span(), text, unheard: all.slice(text.length).trim() }
    if (wasAudible) this.options.line.send(`{"event":"clear","streamSid":${JSON.stringify(this.options.streamSid)}}`)
    this.epoch++
    this.playingUntil = 0
    this.expecting = false
    this.replying = false
    this.pendingClauses = 0
    this.resetRun()
    return spoken
  }

  private span(): { readonly startMs: number; readonly endMs: number } {
    const endMs = this.elapsed()
    return { startMs: this.runStartedAt === 0 ? endMs : Math.round(this.runStartedAt - this.startedAt), endMs }
  }

  private resetRun(): void {
    this.runStartedAt = 0
    this.clauses = []
    this.begun = 0
    this.heardWhole = 0
    this.turn.agentSpeaking = false
  }
}
