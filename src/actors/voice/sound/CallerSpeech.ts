/**
 * What is heard of the caller: it makes frames of the line's bytes, tells speech apart from the line, keeps it until its words are known, and knows
 * when it was said. Synchronous, and called for each frame.
 */

import { AudioQueue } from "../../../audio/frames/AudioQueue.ts"
import { BYTES_PER_MS, FRAME_BYTES } from "../../../audio/frames/Frame.ts"
import { Framer } from "../../../audio/frames/Framer.ts"
import * as Mulaw from "../../../audio/frames/Mulaw.ts"
import type { TalkTime } from "../../../audio/frames/TalkTime.ts"
import type { Turn } from "../../../audio/turn/Turn.ts"
import { TurnEvent } from "../../../audio/turn/TurnEvent.ts"
import type { OwnEcho } from "../../../audio/vad/OwnEcho.ts"
import { Vad } from "../../../audio/vad/Vad.ts"
import type { SpeechSink } from "./CallSound.ts"
import { KeptSpeech } from "./KeptSpeech.ts"
import type { Monitor } from "./Monitor.ts"
import type { Recorder } from "./Recorder.ts"

/** Audio from before the VAD was sure that is sent on as well, so that first syllables are not lost. Milliseconds. */
const preRollMs = 400

// Working memory of one synchronous frame.
const pcm = new Int16Array(FRAME_BYTES)

export interface CallerSpeechOptions {
  readonly turn: Turn
  readonly sink: SpeechSink
  readonly monitor: Monitor
  readonly recorder: Recorder | undefined
  readonly talk: TalkTime
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Milliseconds since the call started. */
  readonly elapsed: () => number
  /** Milliseconds of the call that had passed before this stream. */
  readonly earlierMs: number
  /** What the frames and the transcripts say of the turn; never `None`. */
  readonly noticed: (event: TurnEvent) => void
}

export class CallerSpeech {
  /** The speech whose words are not known. */
  readonly kept = new KeptSpeech()
  /** When the caller was last heard, and when the last words came, on the clock of `now`. */
  voicedAt = 0
  wordsAt = Number.NEGATIVE_INFINITY

  private readonly options: CallerSpeechOptions
  private readonly framer = new Framer((frame, mediaMs) => this.frame(frame, mediaMs))
  private readonly vad = new Vad()
  private readonly preRoll = new AudioQueue(preRollMs * BYTES_PER_MS)
  private mediaMs = 0
  private voicedMediaMs = 0
  /** When what is not told yet began, in milliseconds of the call; -1: there is nothing. */
  private beganMs = -1
  private hearing = false

  constructor(options: CallerSpeechOptions) {
    this.options = options
  }

  /** Takes the line's bytes, of any number, that begin at `timestampMs` of the stream. */
  push(payload: Uint8Array, timestampMs: number): void {
    this.framer.push(payload, timestampMs)
  }

  /** What the agent says, as far as it may come back. */
  get echo(): OwnEcho {
    return this.vad.echo
  }

  /** Whether the caller is speaking, or has spoken and it was not told yet. */
  get unfinished(): boolean {
    return this.beganMs >= 0
  }

  /** Something is said that is to be told. False when it has begun before. */
  begin(): boolean {
    if (this.beganMs >= 0) return false
    this.beganMs = this.options.elapsed()
    return true
  }

  /** What was said was nothing. */
  forget(): void {
    this.beganMs = -1
  }

  /** When the caller said the text that was just taken, in milliseconds of the call. */
  spoken(): { readonly startMs: number; readonly endMs: number } {
    const elapsed = this.options.elapsed()
    const endMs = elapsed - Math.max(0, this.mediaMs - this.voicedMediaMs)
    const startMs = this.beganMs < 0 ? endMs : this.beganMs
    this.beganMs = this.vad.speaking ? elapsed : -1
    return { startMs: Math.min(startMs, endMs), endMs }
  }

  /** Asks for the words of what was said until now. */
  askForWords(): void {
    this.options.sink.pause(this.kept.end)
  }

  /** A final transcript from speech-to-text. */
  transcript(text: string): void {
    if (text.trim() !== "") this.wordsAt = this.options.now()
    this.settle(this.options.turn.transcript(text, this.mediaMs))
  }

  /** A turn with these words is finished, and over after `patienceMs` of silence. */
  finished(text: string, patienceMs: number): void {
    this.settle(this.options.turn.finished(text, patienceMs, this.mediaMs))
  }

  /** One event may be followed by more: a transcript may interrupt the agent and be a turn as well. */
  private settle(first: TurnEvent): void {
    const { turn, noticed } = this.options
    for (let event = first; event !== TurnEvent.None; event = turn.settle(this.mediaMs)) noticed(event)
  }

  private frame(frame: Uint8Array, mediaMs: number): void {
    const { now, recorder, monitor, turn, talk, earlierMs, noticed } = this.options
    this.mediaMs = mediaMs
    monitor.caller(frame)
    Mulaw.decodeInto(frame, pcm)
    recorder?.caller(pcm, mediaMs + earlierMs)
    const vadEvent = this.vad.step(pcm)
    if (this.vad.voiced && (this.vad.near || !turn.onlyFar)) {
      this.voicedAt = now()
      this.voicedMediaMs = mediaMs
    }
    const event = turn.step(vadEvent, this.vad.voiced, mediaMs, this.vad.near)
    if (this.vad.speaking && !turn.onlyFar) {
      if (!this.hearing) {
        this.hearing = true
        this.preRoll.drain(this.hear)
      }
      if (this.vad.voiced) talk.callerVoiced()
      this.hear(frame)
    } else {
      this.hearing = false
      this.preRoll.push(frame)
    }
    if (event !== TurnEvent.None) noticed(event)
  }

  private readonly hear = (audio: Uint8Array): void => {
    const position = this.kept.end
    this.kept.push(audio)
    this.options.sink.hear(audio, position, false)
  }
}
