/**
 * The audio of one call, synchronous and single-threaded: frames in (decode → voice activity → turn), frames out (`AgentSpeech`).
 * It decides nothing else: it tells the mind of the call what it notices, and does what it is told. Frames are never events.
 */

import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES } from "../../../audio/frames/Frame.ts"
import { Framer } from "../../../audio/frames/Framer.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { TalkTime } from "../../../audio/frames/TalkTime.ts"
import type { Ambience } from "../../../audio/playout/Ambience.ts"
import { Turn } from "../../../audio/turn/Turn.ts"
import { TurnEvent } from "../../../audio/turn/TurnEvent.ts"
import { Vad } from "../../../audio/vad/Vad.ts"
import { AgentSpeech } from "./AgentSpeech.ts"
import { CallerKeys, type KeyInput } from "./CallerKeys.ts"
import type { SoundCommand, SoundEvent, SpeechSink } from "./CallSound.ts"
import { KeptSpeech } from "./KeptSpeech.ts"
import type { Line } from "./Line.ts"
import { ListeningSounds } from "./ListeningSounds.ts"
import { Monitor } from "./Monitor.ts"
import type { Recorder } from "./Recorder.ts"
import type { SoundProfile } from "./SoundProfile.ts"
import { turnRules } from "./TurnRules.ts"
import { TurnStamper } from "./TurnStamper.ts"
import { Waits } from "./Waits.ts"

/** Audio from before the VAD was sure that is sent on as well, so that first syllables are not lost. Milliseconds. */
const preRollMs = 400

// Working memory of one synchronous frame.
const pcm = new Int16Array(FRAME_BYTES)
/**
 * Voice over the agent that lasts so much longer than what softens it is no listening noise, so it pauses the agent before any word is known.
 * Milliseconds.
 */
const listeningNoiseMs = 450

export interface CallAudioOptions {
  readonly streamSid: string
  readonly line: Line
  readonly agent: SoundProfile
  readonly sink: SpeechSink
  readonly tell: (event: SoundEvent) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds of the call that had passed before this stream. */
  readonly elapsedMs?: number
  readonly recorder?: Recorder
  readonly ambience?: Ambience
}

export class CallAudio {
  readonly speech: AgentSpeech
  /** What is waited for. Public for tests, which move it without a play-out. */
  readonly waits = new Waits()
  /** When the last words of the caller came, on the call's clock. */
  private transcriptAt = Number.NEGATIVE_INFINITY
  /** Sounds that softened or paused the agent and were no interruption. */
  falseInterruptions = 0
  readonly talk = new TalkTime()
  private readonly listening = new ListeningSounds()
  private readonly stamper: TurnStamper
  /** Bytes of the agent's sound that came. */
  soundBytes = 0
  /** How many commands were taken. */
  private taken = 0
  get commands(): number {
    return this.taken
  }
  /** The mind waits for the caller's last words. */
  private closing = false
  /** No mind is there, or it stands still. */
  private alone = false

  private readonly framer = new Framer((frame, mediaMs) => this.frame(frame, mediaMs))
  private readonly vad = new Vad()
  private readonly turn: Turn
  private readonly keys = new CallerKeys()
  private readonly preRoll = new AudioQueue(preRollMs * BYTES_PER_MS)
  readonly kept = new KeptSpeech()
  private readonly monitor: Monitor
  private readonly options: CallAudioOptions
  private readonly startedAt: number

  /** When the caller was last heard, on the clock of `now`. */
  voicedAt = 0
  private mediaMs = 0
  private voicedMediaMs = 0
  private speechStartedAt = -1
  private hearing = false

  constructor(options: CallAudioOptions) {
    const { agent, now, tell } = options
    this.options = options
    this.startedAt = now() - (options.elapsedMs ?? 0)
    this.stamper = new TurnStamper(now)
    this.monitor = new Monitor(options.sink.monitor ?? (() => undefined))
    this.turn = new Turn({
      maxSilenceMs: agent.endpointing.maxSilenceMs,
      minSpeechMs: agent.interruption.minSpeechMs,
      pausesAfterMs: agent.interruption.minSpeechMs + listeningNoiseMs,
      rules: turnRules(agent, (ms) => this.speech.nearlyDone(ms))
    })
    this.speech = new AgentSpeech({
      streamSid: options.streamSid,
      line: options.line,
      recorder: options.recorder,
      ambience: options.ambience,
      now,
      elapsed: (at) => at - this.startedAt,
      talk: this.talk,
      mayStart: () => !this.turn.callerHasFloor,
      onStarted: (interruptible) => {
        this.turn.agent = agent.interruption.enabled && interruptible ? "interruptible" : "uninterruptible"
      },
      onEnded: () => {
        this.turn.agent = "silent"
      },
      onDrained: (heard) => tell({ _tag: "Drained", heard: { ...heard, seen: this.taken } }),
      onAudio: () => this.stamper.firstAudio(),
      onFrame: () => {
        if (this.stamper.awaitsFrame) tell({ _tag: "FirstFrame", stamps: this.stamper.firstFrame() })
      },
      onSent: (frame, aheadMs) => {
        this.vad.echo.plays(Mulaw.powerOf(frame), aheadMs)
        this.monitor.agent(frame, now() + aheadMs)
      },
      onCleared: () => {
        this.vad.echo.cleared()
        this.monitor.cleared()
      },
      onPersonLost: () => tell({ _tag: "PersonLost" })
    })
  }

  /** Milliseconds since the call started. */
  elapsed(): number {
    return Math.round(this.options.now() - this.startedAt)
  }
  /** True while the caller is speaking or pressing keys, or has spoken and the turn is not over yet. */
  get callerUnfinished(): boolean {
    return this.speechStartedAt >= 0 || this.keys.pending
  }

  /** True while the transcript of some speech has not come yet. */
  get awaitsTranscript(): boolean {
    return this.turn.awaitsWords
  }

  // ── incoming ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  media(payload: Uint8Array, timestampMs: number): void {
    this.framer.push(payload, timestampMs)
  }

  /** The process's media clock calls it every 20 ms. `dueMs`: when the tick was due, by the same clock as `now`. */
  tick(dueMs: number): void {
    if (this.keys.pending) this.takeKeys()
    this.look()
    this.speech.tick(dueMs)
    this.monitor.tick(dueMs)
  }

  /** Tells what was waited for and is over. `tick` does it; public for tests. */
  look(): void {
    if (!this.alone) this.waits.look(this, this.options.now(), this.waited)
    if (this.closing && !this.awaitsTranscript) this.lastWords()
  }
  /** When the last words of the caller came, on the call's clock. */
  get wordsAt(): number {
    return this.transcriptAt
  }
  get unfinished(): boolean {
    return this.callerUnfinished
  }
  private readonly waited = (over: "silence" | "pause" | number) => {
    const { tell } = this.options
    if (over === "silence") return tell({ _tag: "SilenceElapsed" })
    if (over === "pause") return tell({ _tag: "CallerPaused" })
    // The turn that ended last is answered now.
    this.stamper.decided(this.voicedAt, this.transcriptAt)
    tell({ _tag: "WaitOver", turn: over })
  }

  private frame(frame: Uint8Array, mediaMs: number): void {
    const { now, recorder } = this.options
    this.mediaMs = mediaMs
    this.monitor.caller(frame)
    Mulaw.decodeInto(frame, pcm)
    recorder?.caller(pcm, mediaMs + (this.options.elapsedMs ?? 0))
    const vadEvent = this.vad.step(pcm)
    if (this.vad.voiced && (this.vad.near || !this.turn.onlyFar)) {
      this.voicedAt = now()
      this.voicedMediaMs = mediaMs
    }
    const event = this.turn.step(vadEvent, this.vad.voiced, mediaMs, this.vad.near)
    if (this.vad.speaking && !this.turn.onlyFar) {
      if (!this.hearing) {
        this.hearing = true
        this.preRoll.drain(this.hear)
      }
      if (this.vad.voiced) this.talk.callerVoiced()
      this.hear(frame)
    } else {
      this.hearing = false
      this.preRoll.push(frame)
    }
    if (event !== TurnEvent.None) this.noticed(event)
  }

  /** Speech of the caller. */
  private readonly hear = (audio: Uint8Array): void => {
    const position = this.kept.end
    this.kept.push(audio)
    this.options.sink.hear(audio, position, false)
  }
  private askForWords(): void {
    this.options.sink.pause(this.kept.end)
  }

  /** A final transcript from speech-to-text. */
  transcript(text: string): void {
    if (text.trim() !== "") this.transcriptAt = this.options.now()
    this.settle(this.turn.transcript(text, this.mediaMs))
    if (this.closing && !this.awaitsTranscript) this.lastWords()
  }

  /** The model says that a turn with these words is finished. */
  endTurnSoon(text: string): void {
    this.settle(this.turn.finished(text, this.options.agent.endpointing.minSilenceMs, this.mediaMs))
  }

  /** The caller pressed one key. The first key interrupts the agent. The input ends with `#` or when no more keys come. */
  key(digit: string): void {
    const pressed = this.keys.press(digit, this.options.now(), this.elapsed())
    if (pressed === "ignored") return
    if (pressed === "first" && this.turn.agent === "interruptible") this.bargedIn(true)
    this.takeKeys()
  }

  /** Keys that are pressed while the agent must not be interrupted are taken afterwards. */
  private takeKeys(): void {
    if (this.turn.agent === "uninterruptible") return
    this.keysPressed(this.keys.due(this.options.now()))
  }

  private keysPressed(input: KeyInput | undefined): void {
    if (input === undefined) return
    this.stamper.decided(this.options.now(), this.options.now())
    this.options.tell({ _tag: "TurnEnded", ...input, endMs: this.elapsed() })
  }

  /** One event may be followed by more: a transcript may interrupt the agent and be a turn as well. */
  private settle(first: TurnEvent): void {
    for (let event = first; event !== TurnEvent.None; event = this.turn.settle(this.mediaMs)) this.noticed(event)
  }

  private noticed(event: TurnEvent): void {
    const { tell } = this.options
    switch (event) {
      case TurnEvent.SpeechStarted:
        if (this.speechStartedAt < 0) this.speechStartedAt = this.elapsed()
        else this.listen()
        return
      case TurnEvent.AgentSoftened:
        if (this.speechStartedAt < 0) this.speechStartedAt = this.elapsed()
        this.speech.soften()
        return
      case TurnEvent.AgentPaused:
        if (this.speechStartedAt < 0) this.speechStartedAt = this.elapsed()
        this.speech.pause()
        return
      case TurnEvent.Interrupted:
      case TurnEvent.Superseded:
        this.stamper.cancel()
        this.bargedIn(event === TurnEvent.Interrupted)
        return
      case TurnEvent.AgentResumed:
        this.falseInterruptions++
        if (!this.turn.hasText) this.speechStartedAt = -1
        this.speech.resume()
        return
      case TurnEvent.SpeechPaused:
        this.askForWords()
        return
      case TurnEvent.Overheard:
        tell({ _tag: "Overheard", text: this.turn.takeOverheard(), ...this.spoken() })
        return
      case TurnEvent.TurnLikely:
        tell({ _tag: "TurnLikely", text: this.turn.text })
        return
      case TurnEvent.TurnEnded:
        this.turnEnded()
        return
      case TurnEvent.TurnLost:
        this.speechStartedAt = -1
        tell({ _tag: "TurnLost" })
        return
    }
  }

  /** The caller goes on after a pause: plays a listening sound when the last one was long ago. */
  private listen(): void {
    const sound = this.turn.agent === "silent" ? this.listening.next(this.talk.callerMs) : undefined
    if (sound !== undefined) this.speech.murmur(sound)
  }

  /** When the caller said the text that was just taken, in milliseconds of the call. */
  private spoken(): { readonly startMs: number; readonly endMs: number } {
    const endMs = this.elapsed() - Math.max(0, this.mediaMs - this.voicedMediaMs)
    const startMs = this.speechStartedAt < 0 ? endMs : this.speechStartedAt
    this.speechStartedAt = this.vad.speaking ? this.elapsed() : -1
    return { startMs: Math.min(startMs, endMs), endMs }
  }

  private turnEnded(): void {
    this.listening.turnEnded(this.talk.callerMs)
    const text = this.turn.takeText()
    this.stamper.decided(this.voicedAt, this.transcriptAt)
    this.options.tell({ _tag: "TurnEnded", text, ...this.spoken() })
  }

  private bargedIn(meant: boolean): void {
    this.options.tell({ _tag: "BargedIn", heard: { ...this.speech.silence(), seen: this.taken }, meant })
  }

  // ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Does what the mind tells. */
  run(command: SoundCommand) {
    this.taken++
    const { speech } = this
    switch (command._tag) {
      case "Think":
        if (command.epoch !== speech.epoch) return
        speech.expectReply(command)
        return this.stamper.begin(command.turn)
      case "Plan":
        if (command.epoch === speech.epoch && command.line !== undefined)
          speech.expectLine({ interruptible: command.line === "interruptible" })
        speech.plan(command)
        return
      case "Sound":
        this.soundBytes += command.audio.length
        return speech.append(command)
      case "End":
        return speech.endClause(command)
      case "Drop":
        return speech.dropClause(command)
      case "Commit":
        return speech.release(command.epoch)
      case "ReplyOver":
        return speech.replyEnded(command.epoch)
      case "Silence":
        return this.silence(command.epoch)
      case "Transcript":
        this.mindBack()
        this.kept.forget(command.understood)
        return this.transcript(command.text)
      case "Replay":
        this.mindBack()
        return this.kept.replay(command.from, this.options.sink.hear)
      case "EndTurnSoon":
        return this.endTurnSoon(command.text)
      case "ArmSilence":
        return this.waits.armSilence(command.ms, this.options.now())
      case "DisarmSilence":
        return this.waits.disarmSilence()
      case "AwaitMore":
        return this.waits.awaitMore(command.turn, this.voicedAt + this.options.agent.endpointing.maxSilenceMs)
      case "AwaitPause":
        if (this.callerUnfinished) return this.waits.awaitPause(this.options.now())
        return this.options.tell({ _tag: "CallerPaused" })
      case "ListeningSounds":
        this.listening.sounds = command.sounds
        return
      case "Close":
        return this.close()
      case "TakeRest":
        return this.takeRest()
      case "HangUp":
        return this.options.line.close()
      case "Listen":
        return this.monitor.listen(command.on)
      case "Person":
        return speech.giveTo(command.on)
      case "PersonFrame":
        return speech.personSays(command.audio)
    }
  }

  /** The mind is gone, or stands still: nothing is decided for want of words, which cannot come. */
  mindAway(): void {
    this.alone = true
    this.turn.noWordsCome()
  }
  /** The mind goes on. One that takes the call over is there when it asks for the speech without words. */
  mindBack(): void {
    this.alone = false
    this.turn.wordsComeAgain()
  }

  /** A command was not understood, and is counted all the same. */
  skip(): void {
    this.taken++
  }

  /** The mind silences the agent. If the caller did so before, that event has told what was heard. */
  private silence(epoch: number): void {
    const late = epoch !== this.speech.epoch
    if (!late) this.stamper.cancel()
    const heard = late ? this.speech.nothingHeard(epoch) : this.speech.silence()
    this.options.tell({ _tag: "Silenced", heard: { ...heard, seen: this.taken }, late })
  }

  /** The call is over: asks for the transcript of the last words now. */
  private close(): void {
    if (this.callerUnfinished && this.turn.close() !== TurnEvent.None) this.askForWords()
    this.closing = true
    if (!this.callerUnfinished || !this.awaitsTranscript) this.lastWords()
  }
  private lastWords(): void {
    this.closing = false
    this.options.tell({ _tag: "LastWords" })
  }

  /** At the end of the call: ends a turn with whatever was said or pressed and not taken yet. */
  private takeRest(): void {
    if (this.turn.hasText) this.turnEnded()
    this.keysPressed(this.keys.rest())
    const { falseInterruptions, talk } = this
    this.options.tell({
      _tag: "Rest",
      falseInterruptions,
      callerTalkMs: Math.round(talk.callerMs),
      agentTalkMs: Math.round(talk.agentMs)
    })
  }
}
