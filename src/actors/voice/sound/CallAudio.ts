/**
 * The audio of one call, synchronous and single-threaded: frames in (`CallerSpeech`, and the turn that is made of it), frames out (`AgentSpeech`).
 * It decides nothing else: it tells the mind of the call what it notices, and does what it is told. Frames are never events.
 */

import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import { TalkTime } from "../../../audio/frames/TalkTime.ts"
import type { Ambience } from "../../../audio/playout/Ambience.ts"
import { Turn } from "../../../audio/turn/Turn.ts"
import { TurnEvent } from "../../../audio/turn/TurnEvent.ts"
import { AgentSpeech } from "./AgentSpeech.ts"
import { CallerKeys, type KeyInput } from "./CallerKeys.ts"
import { CallerSpeech } from "./CallerSpeech.ts"
import { CallerTurns } from "./CallerTurns.ts"
import type { SoundCommand, SoundEvent, SpeechSink } from "./CallSound.ts"
import type { KeptSpeech } from "./KeptSpeech.ts"
import type { Line } from "./Line.ts"
import { Monitor } from "./Monitor.ts"
import type { Recorder } from "./Recorder.ts"
import type { SoundProfile } from "./SoundProfile.ts"
import { turnRules } from "./TurnRules.ts"
import { TurnStamper } from "./TurnStamper.ts"
import { Waits } from "./Waits.ts"

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
  readonly talk = new TalkTime()
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

  private readonly turn: Turn
  private readonly caller: CallerSpeech
  private readonly turns: CallerTurns
  private readonly keys = new CallerKeys()
  private readonly monitor: Monitor
  private readonly options: CallAudioOptions
  private readonly startedAt: number

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
    this.caller = new CallerSpeech({
      turn: this.turn,
      sink: options.sink,
      monitor: this.monitor,
      recorder: options.recorder,
      talk: this.talk,
      now,
      elapsed: () => this.elapsed(),
      earlierMs: options.elapsedMs ?? 0,
      noticed: (event) => this.turns.noticed(event)
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
        this.caller.echo.plays(Mulaw.powerOf(frame), aheadMs)
        this.monitor.agent(frame, now() + aheadMs)
      },
      onCleared: () => {
        this.caller.echo.cleared()
        this.monitor.cleared()
      },
      onPersonLost: () => tell({ _tag: "PersonLost" })
    })
    this.turns = new CallerTurns({
      turn: this.turn,
      caller: this.caller,
      agent: this.speech,
      stamper: this.stamper,
      talk: this.talk,
      tell,
      seen: () => this.taken
    })
  }

  /** Milliseconds since the call started. */
  elapsed(): number {
    return Math.round(this.options.now() - this.startedAt)
  }
  /** True while the caller is speaking or pressing keys, or has spoken and the turn is not over yet. */
  get callerUnfinished(): boolean {
    return this.caller.unfinished || this.keys.pending
  }
  /** Sounds that softened or paused the agent and were no interruption. */
  get falseInterruptions(): number {
    return this.turns.falseInterruptions
  }
  /** When the caller was last heard, and when the last words came, on the clock of `now`. */
  get voicedAt(): number {
    return this.caller.voicedAt
  }
  get wordsAt(): number {
    return this.caller.wordsAt
  }
  /** The speech of the caller whose words are not known. */
  get kept(): KeptSpeech {
    return this.caller.kept
  }

  /** True while the transcript of some speech has not come yet. */
  get awaitsTranscript(): boolean {
    return this.turn.awaitsWords
  }

  // ── incoming ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  media(payload: Uint8Array, timestampMs: number): void {
    this.caller.push(payload, timestampMs)
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
  get unfinished(): boolean {
    return this.callerUnfinished
  }
  private readonly waited = (over: "silence" | "pause" | number) => {
    const { tell } = this.options
    if (over === "silence") return tell({ _tag: "SilenceElapsed" })
    if (over === "pause") return tell({ _tag: "CallerPaused" })
    // The turn that ended last is answered now.
    this.stamper.decided(this.voicedAt, this.wordsAt)
    tell({ _tag: "WaitOver", turn: over })
  }

  /** A final transcript from speech-to-text. */
  transcript(text: string): void {
    this.caller.transcript(text)
    if (this.closing && !this.awaitsTranscript) this.lastWords()
  }

  /** The model says that a turn with these words is finished. */
  endTurnSoon(text: string): void {
    this.caller.finished(text, this.options.agent.endpointing.minSilenceMs)
  }

  /** The caller pressed one key. The first key interrupts the agent. The input ends with `#` or when no more keys come. */
  key(digit: string): void {
    const pressed = this.keys.press(digit, this.options.now(), this.elapsed())
    if (pressed === "ignored") return
    if (pressed === "first" && this.turn.agent === "interruptible") this.turns.bargedIn(true)
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
        this.turns.listening.sounds = command.sounds
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
    if (this.callerUnfinished && this.turn.close() !== TurnEvent.None) this.caller.askForWords()
    this.closing = true
    if (!this.callerUnfinished || !this.awaitsTranscript) this.lastWords()
  }
  private lastWords(): void {
    this.closing = false
    this.options.tell({ _tag: "LastWords" })
  }

  /** At the end of the call: ends a turn with whatever was said or pressed and not taken yet. */
  private takeRest(): void {
    if (this.turn.hasText) this.turns.ended()
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
