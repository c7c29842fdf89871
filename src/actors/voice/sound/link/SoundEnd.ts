/** The end of the link where the sound is: gives the calls' events and their callers' speech to the mind, and the mind's commands to the calls. */
import type { CallAudio } from "../CallAudio.ts"
import type { SoundEvent, SpeechSink } from "../CallSound.ts"
import { ProtocolBroken } from "./Fields.ts"
import { LinkEnd, type LinkOptions } from "./LinkEnd.ts"
import { Codec, type Envelope, type ToMind, type ToSound, toMind, toSound } from "./SoundProtocol.ts"

/** Speech is told in pieces of 200 ms, or up to a pause. */
const pieceBytes = 1_600
/** A mind that leaves more events untaken is as good as gone. */
const mostEvents = 256

/** A call of this end. The speech itself stays with the call (`KeptSpeech`): here are only places in it. */
interface LinkedCall {
  readonly number: number
  readonly audio: CallAudio
  readonly events: Array<ToMind>
  readonly pauses: Array<number>
  /** The next position to tell, and whether the mind asked for it anew. */
  cursor: number
  again: boolean
  sent: number
  taken: number
  quiet: boolean
}

export interface Claim {
  readonly callId: string
  readonly streamSid: string
  /** When the stream came, monotonic milliseconds. */
  readonly at: number
  /** Makes the sound of the call. */
  readonly make: (tell: (event: SoundEvent) => void, sink: SpeechSink) => CallAudio
}

export interface SoundEndOptions extends LinkOptions {
  readonly now: () => number
  /** A command broke the audio of one call. */
  readonly onError: (call: number, error: unknown) => void
}

export class SoundEnd extends LinkEnd<ToMind, ToSound> {
  private readonly now: () => number
  private readonly onError: SoundEndOptions["onError"]
  private readonly calls = new Map<number, LinkedCall>()
  private lastNumber = 0

  constructor(options: SoundEndOptions) {
    super(options, new Codec(toMind), new Codec(toSound))
    this.now = options.now
    this.onError = options.onError
  }

  /** A stream was accepted. Its number comes from here, and the mind learns it with the claim, so no command can come before. */
  claim({ callId, streamSid, at, make }: Claim): { readonly number: number; readonly audio: CallAudio } {
    const number = ++this.lastNumber
    const events: Array<ToMind> = []
    const pauses: Array<number> = []
    const audio = make((event) => this.tell(number, event), {
      hear: (bytes, position, again) => this.heard(number, position, position + bytes.length, again),
      pause: (position) => {
        pauses.push(position)
        this.wake()
      }
    })
    this.calls.set(number, { number, audio, events, pauses, cursor: 0, again: false, sent: 0, taken: 0, quiet: true })
    this.tell(number, { _tag: "Claimed", callId, streamSid, at })
    return { number, audio }
  }
  lineClosed(number: number): void {
    this.tell(number, { _tag: "LineClosed" })
  }
  /** Looks which agents have fallen quiet. The media clock calls it. */
  look(): void {
    for (const call of this.calls.values()) {
      const { quietMs } = call.audio.speech
      if (quietMs > 0 && !call.quiet)
        this.tell(call.number, { _tag: "Quiet", at: this.now() - quietMs, seen: call.taken })
      call.quiet = quietMs > 0
    }
  }
  get size(): number {
    return this.calls.size
  }

  private tell(number: number, event: ToMind): void {
    const call = this.calls.get(number)
    if (call === undefined) return
    if (call.events.length >= mostEvents) throw new ProtocolBroken(`the mind has left ${mostEvents} events of a call`)
    call.events.push(event)
    this.wake()
  }
  /** Called for each frame of speech: it only notes how far the speech goes. */
  private heard(number: number, from: number, to: number, again: boolean): void {
    const call = this.calls.get(number)
    if (call === undefined) return
    if (again) {
      call.cursor = from
      call.again = true
    }
    if (to - call.cursor >= pieceBytes || call.again) this.wake()
  }

  protected fill(send: (envelope: Envelope<ToMind>) => boolean): void {
    for (const call of this.calls.values())
      while (call.events.length > 0) if (!send(this.next(call, call.events.shift()!))) return
    for (const call of this.calls.values()) if (!this.fillSpeech(call, send)) return
  }

  /** False when there is no more room. */
  private fillSpeech(call: LinkedCall, send: (envelope: Envelope<ToMind>) => boolean): boolean {
    const { kept, voicedAt } = call.audio
    while (true) {
      const pause = call.pauses[0]
      const to = Math.min(pause ?? kept.end, call.cursor + pieceBytes)
      if (pause !== undefined && pause <= call.cursor) {
        call.pauses.shift()
        if (!send(this.next(call, { _tag: "Paused", position: pause, voicedAt }))) return false
        continue
      }
      if (to === call.cursor || (pause === undefined && !call.again && to - call.cursor < pieceBytes)) return true
      const { position, audio } = kept.piece(call.cursor, to)
      // What is too old is not there any more: the mind goes on behind it.
      const again = call.again || position !== call.cursor
      call.again = false
      call.cursor = Math.max(to, position + audio.length)
      if (audio.length > 0 && !send(this.next(call, { _tag: "Speech", position, again, voicedAt, audio }))) return false
    }
  }

  private next(call: LinkedCall, message: ToMind): Envelope<ToMind> {
    return { call: call.number, sequence: ++call.sent, message }
  }

  protected take({ call: number, sequence, message }: Envelope<ToSound | undefined>) {
    const call = this.calls.get(number)
    // The mind has not learned yet that the call is over here, or has forgotten it itself.
    if (call === undefined) return
    if (sequence !== ++call.taken) throw new ProtocolBroken("a command is missing")
    // Commands are counted where they are run.
    if (message === undefined || message._tag === "Hello") return call.audio.skip()
    if (message._tag === "Forget") return void this.calls.delete(number)
    try {
      call.audio.run(message)
    } catch (error) {
      this.onError(number, error)
      this.tell(number, { _tag: "AudioFailed" })
    }
  }
}
