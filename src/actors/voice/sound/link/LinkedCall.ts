/**
 * A call of the sound's process, as its link sees it: the events that the mind has not been told yet, and how far it was told the caller's speech. The
 * speech itself stays with the call (`KeptSpeech`): here are only places in it.
 */
import { BYTES_PER_MS } from "../../../../audio/frames/Frame.ts"
import type { CallAudio } from "../CallAudio.ts"
import type { SpeechSink } from "../CallSound.ts"
import type { ToMind } from "./SoundProtocol.ts"

/** Speech is told in pieces of 200 ms, or up to a pause. */
const pieceBytes = 200 * BYTES_PER_MS
/** A mind that leaves more events untaken is as good as gone. */
const mostEvents = 256
/** The mind learns that sound was played when it is so much, or all. */
const playedBytes = 1_000 * BYTES_PER_MS

export interface LinkedCallOptions {
  readonly number: number
  /** There is something to tell. */
  readonly wake: () => void
  /** The mind has left too many events. */
  readonly overflow: () => void
}

export class LinkedCall implements SpeechSink {
  readonly number: number
  /** How many messages the mind has sent of this call. */
  taken = 0
  private sent = 0
  private readonly options: LinkedCallOptions
  private readonly events: Array<ToMind> = []
  private readonly pauses: Array<number> = []
  /** The next position to tell, and whether the mind asked for it anew. */
  private cursor = 0
  private again = false
  private quiet = true
  private toldPlayed = 0

  constructor(options: LinkedCallOptions) {
    this.number = options.number
    this.options = options
  }

  nextSequence(): number {
    return ++this.sent
  }

  readonly tell = (event: ToMind) => {
    if (this.events.length >= mostEvents) return this.options.overflow()
    this.events.push(event)
    this.options.wake()
  }
  /** Called for each frame of speech: it only notes how far the speech goes. */
  readonly hear: SpeechSink["hear"] = (bytes, position, again) => {
    if (again) {
      this.cursor = position
      this.again = true
    }
    if (position + bytes.length - this.cursor >= pieceBytes || this.again) this.options.wake()
  }
  readonly pause: SpeechSink["pause"] = (position) => {
    this.pauses.push(position)
    this.options.wake()
  }

  /** Looks whether the agent has fallen quiet, and what of its sound was played. */
  look({ speech, soundBytes }: CallAudio, now: number): void {
    const { quietMs } = speech
    if (quietMs > 0 && !this.quiet) this.tell({ _tag: "Quiet", at: now - quietMs, seen: this.taken })
    this.quiet = quietMs > 0
    const played = soundBytes - speech.unplayedMs * BYTES_PER_MS
    if (played - this.toldPlayed < playedBytes && !(this.quiet && played > this.toldPlayed)) return
    this.toldPlayed = played
    this.tell({ _tag: "Played", bytes: played })
  }

  /** Hands over the events in order. False when there is no more room. */
  fillEvents(send: (message: ToMind) => boolean): boolean {
    while (this.events.length > 0) if (!send(this.events.shift()!)) return false
    return true
  }
  /** Hands over the caller's speech, and the pauses in it. False when there is no more room. */
  fillSpeech({ kept, voicedAt }: CallAudio, send: (message: ToMind) => boolean): boolean {
    while (true) {
      const pause = this.pauses[0]
      const to = Math.min(pause ?? kept.end, this.cursor + pieceBytes)
      if (pause !== undefined && pause <= this.cursor) {
        this.pauses.shift()
        if (!send({ _tag: "Paused", position: pause, voicedAt })) return false
        continue
      }
      if (to === this.cursor || (pause === undefined && !this.again && to - this.cursor < pieceBytes)) return true
      const { position, audio } = kept.piece(this.cursor, to)
      // What is too old is not there any more: the mind goes on behind it.
      const again = this.again || position !== this.cursor
      this.again = false
      this.cursor = Math.max(to, position + audio.length)
      if (audio.length > 0 && !send({ _tag: "Speech", position, again, voicedAt, audio })) return false
    }
  }
}
