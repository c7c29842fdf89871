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
  /** A number that no other call of this process has. Absent: the next one of this link. */
  readonly number?: number
  /** Makes the sound of the call. */
  readonly make: (tell: (event: SoundEvent) => void, sink: SpeechSink) => CallAudio
}

/** A call, and its sound. */
export interface SoundingCall {
  readonly call: LinkedCall
  readonly audio: CallAudio
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
  /** The mind gives what callers hear while it is away for long. */
  readonly onWaitingLine?: (call: number, audio: Uint8Array) => void
}

export class SoundEnd extends LinkEnd<ToMind, ToSound> {
  private readonly end: SoundEndOptions
  private readonly calls = new Map<number, SoundingCall>()
  /** Those that have something to tell. An array: what lives long and changes so often should not be a set. */
  private waiting: Array<SoundingCall> = []
  private notices: Array<ToMind> = []
  private lastNumber = 0

  constructor(options: SoundEndOptions) {
    super(options, new Codec(toMind), new Codec(toSound))
    this.end = options
  }

  /** A stream was accepted. Its number comes from here, and the mind learns it with the claim, so no command can come before. */
  claim({ callId, streamSid, at, make, number = ++this.lastNumber }: Claim): SoundingCall {
    const call = new LinkedCall(number, callId, streamSid)
    const audio = make(call.tell, call)
    this.add({ call, audio })
    call.note({ _tag: "Claimed", callId, streamSid, at })
    return { call, audio }
  }
  /** The mind takes over a call whose mind is gone. */
  adopt(sounding: SoundingCall): void {
    const { call, audio } = sounding
    const snapshot = call.handOver(audio)
    this.add(sounding)
    call.note(snapshot)
  }
  /** The link is over. The calls wait for another mind. */
  release(): ReadonlyArray<SoundingCall> {
    const all = [...this.calls.values()]
    this.calls.clear()
    for (const { call } of all) call.link = undefined
    return all
  }
  private add(sounding: SoundingCall): void {
    const { call } = sounding
    this.calls.set(call.number, sounding)
    let waits = false
    const wait = () => {
      if (waits) return
      waits = true
      this.waiting.push(sounding)
    }
    call.link = {
      wake: () => {
        wait()
        this.wake()
      },
      wakeSoon: () => {
        wait()
        this.wakeSoon()
      },
      told: () => {
        waits = false
      },
      overflow: () => this.end.onOverflow?.()
    }
  }

  /** Says something that belongs to no call. */
  notice(message: ToMind): void {
    this.notices.push(message)
    this.wake()
  }
  lineClosed(number: number): void {
    this.calls.get(number)?.call.tell({ _tag: "LineClosed" })
  }
  /** Looks which agents have fallen quiet, and what was played. The media clock calls it. */
  look(): void {
    const now = this.end.now()
    for (const { call, audio } of this.calls.values()) call.look(audio, now)
  }
  get size(): number {
    return this.calls.size
  }
  /** The calls of this link. */
  numbers(): Iterable<number> {
    return this.calls.keys()
  }

  protected fill(send: (envelope: Envelope<ToMind>) => boolean): void {
    while (this.notices.length > 0) if (!send({ ...ofLink, message: this.notices.shift()! })) return
    const of = (call: LinkedCall) => (message: ToMind) =>
      send({ call: call.number, sequence: call.nextSequence(), message })
    // The mind may have forgotten some meanwhile.
    const waiting = this.waiting.filter(({ call }) => this.calls.has(call.number))
    for (const { call } of waiting) if (!call.fillEvents(of(call))) return
    for (const { call, audio } of waiting) if (!call.fillSpeech(audio, of(call))) return
    for (const { call } of waiting) if (!call.fillHeard(of(call))) return
    for (const { call } of waiting) call.link?.told()
    this.waiting = []
  }

  protected take({ call: number, sequence, message }: Envelope<ToSound | undefined>) {
    if (number === ofLink.call) {
      if (message?._tag === "AskTime") this.notice({ _tag: "Time", asked: message.asked, at: this.end.now() })
      else if (message !== undefined) this.end.onNotice?.(message)
      return
    }
    const entry = this.calls.get(number)
    // The mind has not learned yet that the call is over here, or has forgotten it itself.
    if (entry === undefined) return
    if (sequence !== ++entry.call.taken) throw new ProtocolBroken("a command is missing")
    // Commands are counted where they are run.
    if (message === undefined) return entry.audio.skip()
    this.run(entry, message)
  }

  /** The checkpoint is kept. 0: nobody asks. */
  private kept(call: LinkedCall, number: number): void {
    if (number > 0) call.note({ _tag: "Kept", number })
  }

  private run({ call, audio }: SoundingCall, message: ToSound) {
    switch (message._tag) {
      case "Hello":
      case "Reserve":
      case "Cancel":
      case "Attach":
      case "AskTime":
        throw new ProtocolBroken(`${message._tag} belongs to no call`)
      case "Forget":
        call.forgotten = true
        this.calls.delete(call.number)
        return this.end.onForgotten?.(call.number)
      case "Checkpoint":
        call.keep(message.base, message.state, message.consumed)
        return this.kept(call, message.number)
      case "CheckpointChange":
        call.keepChange(message.change, message.consumed)
        return this.kept(call, message.number)
      case "WaitingLine":
        return this.end.onWaitingLine?.(call.number, message.audio)
      case "Transcript":
        call.understood(message.understood)
    }
    try {
      audio.run(message)
    } catch (error) {
      this.end.onError(call.number, error)
      call.tell({ _tag: "AudioFailed" })
    }
  }
}
