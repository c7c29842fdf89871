/** The end of the link where the mind is: gives the mind's commands to the sound, and the sound's news to the minds of the calls. */
import { BYTES_PER_MS, FRAME_BYTES } from "../../../../audio/frames/Frame.ts"
import type { CallSound, SoundCommand, SoundEvent, SpeechSink } from "../CallSound.ts"
import { ProtocolBroken } from "./Fields.ts"
import { LinkEnd, type LinkOptions } from "./LinkEnd.ts"
import { PeerClock } from "./PeerClock.ts"
import {
  Codec,
  changesSince,
  type Envelope,
  ofLink,
  type Snapshot,
  type ToMind,
  type ToSound,
  timesSince,
  toMind,
  toSound,
  versions
} from "./SoundProtocol.ts"

/** The mind of one call, as the link sees it. */
export interface LinkedMind {
  readonly tell: (event: SoundEvent) => void
  readonly sink: SpeechSink
  readonly lineClosed: () => void
  readonly audioFailed: () => void
  /** The link to this process with the sound is over. Whether the call is, that process knows. */
  readonly lost: (sound: string) => void
}

/** Nothing is heard sooner when these are told at once. */
const canWait: ReadonlySet<ToSound["_tag"]> = new Set([
  "Plan",
  "Drop",
  "ReplyOver",
  "ArmSilence",
  "DisarmSilence",
  "ListeningSounds"
] as const)
const soundTags: ReadonlySet<ToSound["_tag"]> = new Set(["Sound", "End"] as const)
/** Nor further sound, while there is certainly so much that was not played. Milliseconds. */
const enoughUnplayedMs = 200

/** Tells what both sides hear, frame by frame. */
const eachFrame = (
  { both, caller }: Extract<ToMind, { readonly _tag: "Heard" }>,
  monitor: NonNullable<SpeechSink["monitor"]>
) => {
  const length = Math.min(both.length, caller.length)
  for (let at = 0; at + FRAME_BYTES <= length; at += FRAME_BYTES)
    monitor(both.subarray(at, at + FRAME_BYTES), caller.subarray(at, at + FRAME_BYTES))
}

type Claimed = Extract<ToMind, { readonly _tag: "Claimed" }>

export interface MindEndOptions extends Omit<LinkOptions, "peerClock"> {
  /** The sound is on another machine, which has a clock of its own. */
  readonly isRemote?: boolean
  /** A stream was accepted: makes the mind of its call. The sound takes commands from now on. */
  readonly claimed: (claim: Claimed, sound: LinkedSound) => LinkedMind
  /** A call whose mind is gone: makes one that goes on. */
  readonly taken?: (snapshot: Snapshot, sound: LinkedSound) => LinkedMind
  /** The sound says something that belongs to no call. */
  readonly onNotice?: (message: ToMind) => void
}

interface LinkedSoundOptions {
  readonly call: number
  readonly now: () => number
  /** Returns the number of the message within its call. */
  readonly send: (call: number, message: ToSound, mayWait: boolean) => number
  /** How many news of the call were told before. */
  readonly news: number
  readonly takesChanges: boolean
}

/** The sound of a call on the other side of the link. */
export class LinkedSound implements CallSound {
  readonly call: number
  /** How many news of the call were told. */
  news: number
  /** Whether the sound adds changes to the checkpoint that it keeps. */
  readonly takesChanges: boolean
  private readonly send: LinkedSoundOptions["send"]
  private readonly now: () => number
  private lastVoicedAt = 0
  private quietSince: number | undefined
  /** The last message that planned something to say. */
  private lastPlan = 0
  /** Bytes of the agent's sound that were sent, and that were played or dropped. */
  private soundBytes = 0
  private playedBytes = 0
  /** The sound that was sent is played until then at least, unless it is dropped. */
  private playsUntil = 0
  private lastCheckpoint = 0
  private readonly keptOf = new Map<number, () => void>()

  constructor({ call, now, send, news, takesChanges }: LinkedSoundOptions) {
    this.call = call
    this.now = now
    this.send = send
    this.news = news
    this.takesChanges = takesChanges
  }

  run(command: SoundCommand): void {
    const now = this.now()
    const isEnough = soundTags.has(command._tag) && this.playsUntil - now > enoughUnplayedMs
    const mayWait = isEnough || canWait.has(command._tag)
    if (command._tag === "Sound") {
      this.soundBytes += command.audio.length
      this.playsUntil = Math.max(this.playsUntil, now) + command.audio.length / BYTES_PER_MS
    }
    if (command._tag === "Silence") this.silenced()
    // A frame is written later, and the array of a microphone is gone by then.
    const told = command._tag === "PersonFrame" ? { ...command, audio: command.audio.slice() } : command
    const number = this.send(this.call, told, mayWait)
    if (command._tag !== "Plan") return
    this.lastPlan = number
    this.quietSince = undefined
  }
  /** Hands over the mind as it is after so many news, sealed. `kept` runs when it is kept; never, when the link is lost before. */
  keep(base: Uint8Array, state: Uint8Array, consumed: number, kept?: () => void): void {
    this.send(this.call, { _tag: "Checkpoint", number: this.numberOf(kept), consumed, base, state }, false)
  }
  /** Hands over what has changed since the last checkpoint; empty: nothing. Only where `takesChanges`. */
  keepChange(change: Uint8Array, consumed: number, kept?: () => void): void {
    const mayWait = kept === undefined
    this.send(this.call, { _tag: "CheckpointChange", number: this.numberOf(kept), consumed, change }, mayWait)
  }
  /** The number by which the sound says that a checkpoint is kept; 0 when nobody asks. */
  private numberOf(kept: (() => void) | undefined): number {
    if (kept === undefined) return 0
    const number = ++this.lastCheckpoint
    this.keptOf.set(number, kept)
    return number
  }
  /** What the caller hears when the mind is away for long. */
  waitingLine(audio: Uint8Array): void {
    this.send(this.call, { _tag: "WaitingLine", audio }, true)
  }
  /** The call is over: nothing more comes of it. */
  forget(): void {
    this.send(this.call, { _tag: "Forget" }, false)
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

  /** What was sent is not played any more. */
  silenced(): void {
    this.playsUntil = 0
  }
  played(bytes: number): void {
    this.playedBytes = bytes
  }
  voiced(at: number): void {
    this.lastVoicedAt = Math.max(this.lastVoicedAt, at)
  }
  /** The agent had nothing to say after so many messages. */
  quiet(at: number, seen: number): void {
    if (seen >= this.lastPlan) this.quietSince = at
  }
  kept(number: number): void {
    this.keptOf.get(number)?.()
    this.keptOf.delete(number)
  }
}

export class MindEnd extends LinkEnd<ToSound, ToMind> {
  private readonly end: MindEndOptions
  private readonly calls = new Map<number, { readonly sound: LinkedSound; readonly mind: LinkedMind }>()
  private readonly sequences = new Map<number, number>()
  private readonly taken = new Map<number, number>()
  private commands: Array<Envelope<ToSound>> = []
  private readonly clock: PeerClock | undefined
  /** The sound is to be asked for the time: before anything else, so that it has answered before it tells a time of a call. */
  private asks: boolean

  constructor({ isRemote = false, ...options }: MindEndOptions) {
    const clock = isRemote ? new PeerClock() : undefined
    const remote = clock === undefined ? {} : { peerClock: clock, versions: { ...versions, lowest: timesSince } }
    super({ ...options, ...remote }, new Codec(toSound), new Codec(toMind))
    this.end = options
    this.clock = clock
    this.asks = isRemote
  }

  get size(): number {
    return this.calls.size
  }
  /** Says something that belongs to no call. */
  notice(message: ToSound): void {
    this.commands.push({ ...ofLink, message })
    this.wake()
  }
  /** Says it before anything else that this process does next. */
  noticeNow(message: ToSound): void {
    this.notice(message)
    this.sayNow()
  }
  /** The link is over, which led to this process with the sound. */
  lost(sound: string): void {
    const minds = [...this.calls.values()]
    this.calls.clear()
    this.sequences.clear()
    for (const { mind } of minds) mind.lost(sound)
  }

  /** Returns the number of the message within its call; 0 when the call is over. */
  private readonly send: LinkedSoundOptions["send"] = (call, message, mayWait) => {
    const last = this.sequences.get(call)
    if (last === undefined) return 0
    const sequence = last + 1
    this.sequences.set(call, sequence)
    this.commands.push({ call, sequence, message })
    if (message._tag === "Forget") {
      this.calls.delete(call)
      this.sequences.delete(call)
      this.taken.delete(call)
    }
    if (mayWait) this.wakeSoon()
    else this.wake()
    return sequence
  }

  protected fill(send: (envelope: Envelope<ToSound>) => boolean): void {
    if (this.asks) {
      this.asks = false
      if (!send({ ...ofLink, message: { _tag: "AskTime", asked: this.end.now() } })) return
    }
    let at = 0
    while (at < this.commands.length && send(this.commands[at++]));
    this.commands = this.commands.slice(at)
  }

  protected take({ call, sequence, message }: Envelope<ToMind | undefined>) {
    if (call === ofLink.call) {
      if (message !== undefined) this.notified(message)
      return
    }
    if (message?._tag === "Claimed" || message?._tag === "Snapshot") return this.begin(call, sequence, message)
    const known = this.calls.get(call)
    // The sound has not learned yet that the call is forgotten.
    if (known === undefined) return
    if (sequence !== (this.taken.get(call) ?? 0) + 1) throw new ProtocolBroken("an event is missing")
    this.taken.set(call, sequence)
    if (message !== undefined) this.tell(known, message)
  }

  private notified(message: ToMind): void {
    if (message._tag === "Time") this.clock?.compared(message, this.end.now())
    else this.end.onNotice?.(message)
    // Each second: clocks drift.
    if (message._tag !== "Status" || this.clock === undefined) return
    this.asks = true
    this.wake()
  }

  private begin(call: number, sequence: number, message: Claimed | Snapshot): void {
    const sound = new LinkedSound({
      call,
      now: this.end.now,
      send: this.send,
      news: message._tag === "Snapshot" ? message.consumed : 0,
      takesChanges: (this.version ?? 0) >= changesSince
    })
    this.sequences.set(call, 0)
    this.taken.set(call, sequence)
    const mind = message._tag === "Claimed" ? this.end.claimed(message, sound) : this.end.taken?.(message, sound)
    if (mind === undefined) throw new ProtocolBroken("a call came that was not asked for")
    // A mind that wants nothing of the call has forgotten it by now.
    if (this.sequences.has(call)) this.calls.set(call, { sound, mind })
  }

  private tell({ sound, mind }: { readonly sound: LinkedSound; readonly mind: LinkedMind }, message: ToMind) {
    switch (message._tag) {
      case "Hello":
      case "Claimed":
      case "Snapshot":
        throw new ProtocolBroken(`${message._tag} came twice`)
      case "Status":
      case "Recorded":
      case "Held":
      case "Time":
        throw new ProtocolBroken(`${message._tag} belongs to no call`)
      case "Played":
        return sound.played(message.bytes)
      case "Kept":
        return sound.kept(message.number)
      case "Speech":
        sound.voiced(message.voicedAt)
        return mind.sink.hear(message.audio, message.position, message.again)
      case "Paused":
        sound.voiced(message.voicedAt)
        return mind.sink.pause(message.position)
      case "Heard":
        if (mind.sink.monitor !== undefined) eachFrame(message, mind.sink.monitor)
        return
      case "Quiet":
        return sound.quiet(message.at, message.seen)
    }
    sound.news++
    if (message._tag === "BargedIn") sound.silenced()
    switch (message._tag) {
      case "LineClosed":
        return mind.lineClosed()
      case "AudioFailed":
        return mind.audioFailed()
      default:
        return mind.tell(message)
    }
  }
}
