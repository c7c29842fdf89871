/** The end of the link where the mind is: gives the mind's commands to the sound, and the sound's news to the minds of the calls. */
import { BYTES_PER_MS } from "../../../../audio/frames/Frame.ts"
import type { CallSound, SoundCommand, SoundEvent, SpeechSink } from "../CallSound.ts"
import { ProtocolBroken } from "./Fields.ts"
import { LinkEnd, type LinkOptions } from "./LinkEnd.ts"
import { Codec, type Envelope, ofLink, type ToMind, type ToSound, toMind, toSound } from "./SoundProtocol.ts"

/** The mind of one call, as the link sees it. */
export interface LinkedMind {
  readonly tell: (event: SoundEvent) => void
  readonly sink: SpeechSink
  readonly lineClosed: () => void
  readonly audioFailed: () => void
}

type Claimed = Extract<ToMind, { readonly _tag: "Claimed" }>

export interface MindEndOptions extends LinkOptions {
  /** A stream was accepted: makes the mind of its call. The sound takes commands from now on. */
  readonly claimed: (claim: Claimed, sound: LinkedSound) => LinkedMind
  /** The sound says something that belongs to no call. */
  readonly onNotice?: (message: ToMind) => void
}

/** The sound of a call on the other side of the link. */
export class LinkedSound implements CallSound {
  /** What both sides hear does not cross the link yet, so nobody can listen in. */
  readonly monitored = false
  readonly call: number
  private readonly send: (call: number, message: ToSound) => void
  private readonly now: () => number
  private lastVoicedAt = 0
  private quietSince: number | undefined
  /** How many commands were sent, and the last of them that planned something to say. */
  private sent = 0
  private lastPlan = 0
  /** Bytes of the agent's sound that were sent, and that were played or dropped. */
  private soundBytes = 0
  private playedBytes = 0

  constructor(call: number, now: () => number, send: (call: number, message: ToSound) => void) {
    this.call = call
    this.now = now
    this.send = send
  }

  run(command: SoundCommand): void {
    this.sent++
    if (command._tag === "Plan") {
      this.lastPlan = this.sent
      this.quietSince = undefined
    }
    if (command._tag === "Sound") this.soundBytes += command.audio.length
    this.send(this.call, command)
  }
  /** The call is over: nothing more comes of it. */
  forget(): void {
    this.send(this.call, { _tag: "Forget" })
  }
  get voicedAt(): number {
    return this.lastVoicedAt
  }
  get quietMs(): number {
    return this.quietSince === undefined ? 0 : Math.max(0, this.now() - this.quietSince)
  }

  get unplayedMs(): number {
    return (this.soundBytes - this.playedBytes) / BYTES_PER_MS
  }

  played(bytes: number): void {
    this.playedBytes = bytes
  }
  voiced(at: number): void {
    this.lastVoicedAt = Math.max(this.lastVoicedAt, at)
  }
  /** The agent had nothing to say after so many commands. */
  quiet(at: number, seen: number): void {
    if (seen >= this.lastPlan) this.quietSince = at
  }
}

export class MindEnd extends LinkEnd<ToSound, ToMind> {
  private readonly end: MindEndOptions
  private readonly calls = new Map<number, { readonly sound: LinkedSound; readonly mind: LinkedMind }>()
  private readonly sequences = new Map<number, number>()
  private readonly taken = new Map<number, number>()
  private commands: Array<Envelope<ToSound>> = []

  constructor(options: MindEndOptions) {
    super(options, new Codec(toSound), new Codec(toMind))
    this.end = options
  }

  get size(): number {
    return this.calls.size
  }
  /** Says something that belongs to no call. */
  notice(message: ToSound): void {
    this.commands.push({ ...ofLink, message })
    this.wake()
  }
  /** The link is over, and with it the audio of all its calls. */
  lost(): void {
    for (const { mind } of this.calls.values()) mind.audioFailed()
    this.calls.clear()
    this.sequences.clear()
  }

  private send(call: number, message: ToSound): void {
    if (!this.sequences.has(call)) return
    const sequence = (this.sequences.get(call) ?? 0) + 1
    this.sequences.set(call, sequence)
    this.commands.push({ call, sequence, message })
    if (message._tag === "Forget") {
      this.calls.delete(call)
      this.sequences.delete(call)
      this.taken.delete(call)
    }
    this.wake()
  }

  protected fill(send: (envelope: Envelope<ToSound>) => boolean): void {
    let at = 0
    while (at < this.commands.length && send(this.commands[at++]));
    this.commands = this.commands.slice(at)
  }

  protected take({ call, sequence, message }: Envelope<ToMind | undefined>): void {
    if (call === ofLink.call) {
      if (message !== undefined) this.end.onNotice?.(message)
      return
    }
    if (message?._tag === "Claimed") {
      const sound = new LinkedSound(call, this.end.now, (number, command) => this.send(number, command))
      this.sequences.set(call, 0)
      this.taken.set(call, sequence)
      this.calls.set(call, { sound, mind: this.end.claimed(message, sound) })
      return
    }
    const known = this.calls.get(call)
    // The sound has not learned yet that the call is forgotten.
    if (known === undefined) return
    if (sequence !== (this.taken.get(call) ?? 0) + 1) throw new ProtocolBroken("an event is missing")
    this.taken.set(call, sequence)
    if (message !== undefined) this.tell(known, message)
  }

  private tell({ sound, mind }: { readonly sound: LinkedSound; readonly mind: LinkedMind }, message: ToMind) {
    switch (message._tag) {
      case "Hello":
      case "Claimed":
        throw new ProtocolBroken(`${message._tag} came twice`)
      case "Status":
      case "Recorded":
        throw new ProtocolBroken(`${message._tag} belongs to no call`)
      case "Played":
        return sound.played(message.bytes)
      case "Speech":
        sound.voiced(message.voicedAt)
        return mind.sink.hear(message.audio, message.position, message.again)
      case "Paused":
        sound.voiced(message.voicedAt)
        return mind.sink.pause(message.position)
      case "Quiet":
        return sound.quiet(message.at, message.seen)
      case "LineClosed":
        return mind.lineClosed()
      case "AudioFailed":
        return mind.audioFailed()
      default:
        return mind.tell(message)
    }
  }
}
