/** The end of the link where the sound is: gives the calls' events and their callers' speech to the mind, and the mind's commands to the calls. */
import type { CallAudio } from "../CallAudio.ts"
import type { SoundEvent, SpeechSink } from "../CallSound.ts"
import { ProtocolBroken } from "./Fields.ts"
import { LinkEnd, type LinkOptions } from "./LinkEnd.ts"
import { LinkedCall } from "./LinkedCall.ts"
import { Codec, type Envelope, ofLink, type ToMind, type ToSound, toMind, toSound } from "./SoundProtocol.ts"

export interface Claim {
  readonly callId: string
  readonly streamSid: string
  /** When the stream came, monotonic milliseconds. */
  readonly at: number
  /** Makes the sound of the call. */
  readonly make: (tell: (event: SoundEvent) => void, sink: SpeechSink) => CallAudio
}

export interface SoundEndOptions extends LinkOptions {
  /** A command broke the audio of one call. */
  readonly onError: (call: number, error: unknown) => void
  /** The mind leaves what it is told: it counts as gone, and the link should be ended. */
  readonly onOverflow?: () => void
  /** The mind says something that belongs to no call. */
  readonly onNotice?: (message: ToSound) => void
  /** The mind has forgotten the call. */
  readonly onForgotten?: (call: number) => void
}

interface Entry {
  readonly call: LinkedCall
  readonly audio: CallAudio
}

export class SoundEnd extends LinkEnd<ToMind, ToSound> {
  private readonly end: SoundEndOptions
  private readonly calls = new Map<number, Entry>()
  private notices: Array<ToMind> = []
  private lastNumber = 0

  constructor(options: SoundEndOptions) {
    super(options, new Codec(toMind), new Codec(toSound))
    this.end = options
  }

  /** A stream was accepted. Its number comes from here, and the mind learns it with the claim, so no command can come before. */
  claim({ callId, streamSid, at, make }: Claim): { readonly number: number; readonly audio: CallAudio } {
    const number = ++this.lastNumber
    const call = new LinkedCall({ number, wake: () => this.wake(), overflow: () => this.end.onOverflow?.() })
    const isKnown = () => this.calls.has(number)
    const audio = make(
      (event) => {
        if (isKnown()) call.tell(event)
      },
      {
        hear: (bytes, position, again) => {
          if (isKnown()) call.hear(bytes, position, again)
        },
        pause: (position) => {
          if (isKnown()) call.pause(position)
        }
      }
    )
    this.calls.set(number, { call, audio })
    call.tell({ _tag: "Claimed", callId, streamSid, at })
    return { number, audio }
  }
  /** Says something that belongs to no call. */
  notice(message: ToMind): void {
    this.notices.push(message)
    this.wake()
  }
  lineClosed(number: number): void {
    this.calls.get(number)?.call.tell({ _tag: "LineClosed" })
  }
  /** The audio of a call broke. */
  audioFailed(number: number): void {
    this.calls.get(number)?.call.tell({ _tag: "AudioFailed" })
  }
  /** Looks which agents have fallen quiet, and what was played. The media clock calls it. */
  look(): void {
    const now = this.end.now()
    for (const { call, audio } of this.calls.values()) call.look(audio, now)
  }
  get size(): number {
    return this.calls.size
  }

  protected fill(send: (envelope: Envelope<ToMind>) => boolean): void {
    while (this.notices.length > 0) if (!send({ ...ofLink, message: this.notices.shift()! })) return
    const of = (call: LinkedCall) => (message: ToMind) =>
      send({ call: call.number, sequence: call.nextSequence(), message })
    for (const { call } of this.calls.values()) if (!call.fillEvents(of(call))) return
    for (const { call, audio } of this.calls.values()) if (!call.fillSpeech(audio, of(call))) return
  }

  protected take({ call: number, sequence, message }: Envelope<ToSound | undefined>) {
    if (number === ofLink.call) {
      if (message !== undefined) this.end.onNotice?.(message)
      return
    }
    const entry = this.calls.get(number)
    // The mind has not learned yet that the call is over here, or has forgotten it itself.
    if (entry === undefined) return
    const { call, audio } = entry
    if (sequence !== ++call.taken) throw new ProtocolBroken("a command is missing")
    // Commands are counted where they are run.
    if (message === undefined || message._tag === "Hello") return audio.skip()
    if (message._tag === "Reserve" || message._tag === "Cancel")
      throw new ProtocolBroken(`${message._tag} belongs to no call`)
    if (message._tag === "Forget") {
      this.calls.delete(number)
      return this.end.onForgotten?.(number)
    }
    try {
      audio.run(message)
    } catch (error) {
      this.end.onError(number, error)
      call.tell({ _tag: "AudioFailed" })
    }
  }
}
