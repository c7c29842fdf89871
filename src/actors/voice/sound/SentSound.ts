/** What was sent to the telephony provider, and until when the provider plays it. Times are monotonic milliseconds. */
import { FRAME_MS } from "../../../audio/frames/Frame.ts"
import type { TalkTime } from "../../../audio/frames/TalkTime.ts"
import { MediaWriter } from "../../../domain/voice/telephony/twilio/MediaMessage.ts"
import type { Line } from "./Line.ts"
import type { Recorder } from "./Recorder.ts"

export interface SentSoundOptions {
  readonly streamSid: string
  readonly line: Line
  readonly recorder: Recorder | undefined
  /** Milliseconds of the call at a time. */
  readonly elapsed: (at: number) => number
  readonly talk: TalkTime
  /** A frame of any sound went out, which the provider plays in `aheadMs`. The array is reused. */
  readonly onSent: (frame: Uint8Array, aheadMs: number) => void
  /** The provider was told to drop what it has not played. */
  readonly onCleared: () => void
}

export class SentSound {
  private readonly options: SentSoundOptions
  private readonly media: MediaWriter
  private playsUntil = 0
  private speaksUntil = 0

  constructor(options: SentSoundOptions) {
    this.options = options
    this.media = new MediaWriter(options.streamSid)
  }

  /** Until when what plays is speech. */
  get speechUntil(): number {
    return this.speaksUntil
  }

  /** Milliseconds of sound that the provider still has to play at `at`; negative when it ran out before. */
  aheadMs(at: number): number {
    return this.playsUntil - at
  }

  /** What is sent now plays at `now` at the earliest. */
  catchUp(now: number): void {
    if (this.playsUntil < now) this.playsUntil = now
  }

  /** The frame that is sent next is speech. */
  speaks(): void {
    this.speaksUntil = this.playsUntil + FRAME_MS
    this.options.talk.agentSent()
  }

  frame(frame: Uint8Array, now: number): void {
    const { line, recorder, elapsed, onSent } = this.options
    line.send(this.media.write(frame))
    recorder?.agent(frame, elapsed(this.playsUntil))
    onSent(frame, this.playsUntil - now)
    this.playsUntil += FRAME_MS
  }

  /** The provider echoes the name when it has played what was sent before. */
  mark(name: string): void {
    this.options.line.send(this.media.mark(name))
  }

  /** Drops what the provider has and has not played. */
  clear(now: number): void {
    const { line, recorder, elapsed, talk, onCleared } = this.options
    line.send(this.media.clear)
    onCleared()
    recorder?.agentStopped(elapsed(now))
    talk.agentCleared(Math.max(0, this.speaksUntil - now))
    this.playsUntil = now
    this.speaksUntil = now
  }
}
