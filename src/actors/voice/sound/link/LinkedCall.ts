/**
 * A call of the sound's process, as its link sees it: the events that the mind has not been told yet, and how far it was told the caller's speech. The
 * speech itself stays with the call (`KeptSpeech`): here are only places in it. A call outlives its link: what the mind has not consumed is told to the
 * next one, which goes on from the checkpoint that is kept here.
 */
import { BYTES_PER_MS, FRAME_BYTES } from "../../../../audio/frames/Frame.ts"
import { FrameRing } from "../../../../audio/frames/FrameRing.ts"
import type { CallAudio } from "../CallAudio.ts"
import type { SoundEvent, SpeechSink } from "../CallSound.ts"
import type { Snapshot, ToMind } from "./SoundProtocol.ts"

/** Speech is told in pieces of 200 ms, or up to a pause. */
const pieceBytes = 200 * BYTES_PER_MS
/** A mind that leaves more events untaken is as good as gone. */
const mostEvents = 256
/** The mind learns that sound was played when it is so much, or all. */
const playedBytes = 1_000 * BYTES_PER_MS
/** More is not kept of a call: then its mind cannot be replaced. */
export const mostKeptBytes = 256 * 1_024

/** Frames of what both sides hear that are told together, and the most that wait: what is late is lost. */
const heardTogether = 2
const mostHeard = 15

/** What happens to a call; the mind consumes these one by one. */
type CallNews = SoundEvent | { readonly _tag: "LineClosed" } | { readonly _tag: "AudioFailed" }

/** Nobody is waiting for these. */
const canWait: ReadonlySet<CallNews["_tag"]> = new Set(["FirstFrame", "Drained"] as const)

/** The link that a call is told over. */
export interface CallLink {
  /** There is something to tell. */
  readonly wake: () => void
  /** There is something to tell that can wait for a moment. */
  readonly wakeSoon: () => void
  /** All that there was is told. */
  readonly told: () => void
  /** The mind has left too many events. */
  readonly overflow: () => void
}

/** The mind of a call as it was last kept. It is sealed: nothing of it is read here. */
interface Kept {
  base: Uint8Array
  /** The state, and what has changed in it since. None: it is too large. */
  state: ReadonlyArray<Uint8Array>
  /** How many news it has consumed. */
  consumed: number
}

export class LinkedCall implements SpeechSink {
  readonly number: number
  readonly callId: string
  readonly streamSid: string
  /** Undefined while no mind is there. */
  link: CallLink | undefined
  /** The mind has forgotten the call. */
  forgotten = false
  /** How many minds had the call before. */
  private fence = 0
  /** How many messages the mind has sent of this call. */
  taken = 0
  private sent = 0
  /** Messages that are told once: they follow from what is known. */
  private notes: Array<ToMind> = []
  private news: Array<CallNews> = []
  /** How many of `news` were told, and how many were consumed and are not in it any more. */
  private told = 0
  private kept: Kept = { base: new Uint8Array(), state: [], consumed: 0 }
  /** Every pause of the caller in speech that is not understood, and how many of them were told. */
  private pauses: Array<number> = []
  private pausesTold = 0
  /** The next position to tell, and whether the mind asked for it anew. */
  private cursor = 0
  private again = false
  private quiet = true
  /** Bytes of the agent's sound that came from earlier minds, and how much of this mind's was told to be played. */
  private soundBefore = 0
  private toldPlayed = 0
  /** What both sides hear, since people listen. */
  private heard: { readonly both: FrameRing; readonly caller: FrameRing } | undefined

  constructor(number: number, callId: string, streamSid: string) {
    this.number = number
    this.callId = callId
    this.streamSid = streamSid
  }

  nextSequence(): number {
    return ++this.sent
  }

  /** Something that is told once. */
  note(message: ToMind): void {
    this.notes.push(message)
    this.link?.wake()
  }
  private noteSoon(message: ToMind): void {
    this.notes.push(message)
    this.link?.wakeSoon()
  }
  readonly tell = (event: CallNews) => {
    if (this.forgotten) return
    if (this.news.length >= mostEvents) return this.link?.overflow()
    this.news.push(event)
    if (canWait.has(event._tag)) this.link?.wakeSoon()
    else this.link?.wake()
  }
  /** Called for each frame of speech: it only notes how far the speech goes. */
  readonly hear: SpeechSink["hear"] = (bytes, position, again) => {
    if (again) {
      this.cursor = position
      this.again = true
    }
    if (this.again) this.link?.wake()
    else if (position + bytes.length - this.cursor >= pieceBytes) this.link?.wakeSoon()
  }
  readonly pause: SpeechSink["pause"] = (position) => {
    this.pauses.push(position)
    this.link?.wake()
  }

  /** Whether another mind could go on with the call. */
  get canBeTakenOver(): boolean {
    return this.kept.state.length > 0 && !this.forgotten
  }
  /** Keeps the mind as it is after the first `consumed` news of the call. An empty base is the one that is kept. */
  keep(base: Uint8Array, state: Uint8Array, consumed: number): void {
    this.consume(consumed)
    if (base.length > 0) this.kept.base = base
    this.keepParts([state])
  }
  /** Keeps what has changed since. */
  keepChange(change: Uint8Array, consumed: number): void {
    this.consume(consumed)
    const { state } = this.kept
    if (change.length > 0 && state.length > 0) this.keepParts([...state, change])
  }
  private keepParts(parts: ReadonlyArray<Uint8Array>): void {
    const { kept } = this
    const bytes = parts.reduce((sum, { length }) => sum + length, kept.base.length)
    kept.state = bytes > mostKeptBytes ? [] : parts
  }
  private consume(consumed: number): void {
    const { kept } = this
    const done = Math.min(this.told, Math.max(0, consumed - kept.consumed))
    this.news.splice(0, done)
    this.told -= done
    kept.consumed += done
  }
  /** What a new mind needs. From now on it is told what the old one has not consumed. */
  handOver(audio: CallAudio): Snapshot {
    const { speech, commands, soundBytes, kept: speechKept } = audio
    const { base, state, consumed } = this.kept
    this.taken = 0
    this.sent = 0
    this.notes = []
    this.told = 0
    const understood = speechKept.start
    this.pauses = this.pauses.filter((position) => position > understood)
    this.pausesTold = 0
    this.cursor = understood
    this.again = true
    this.soundBefore = soundBytes
    this.toldPlayed = 0
    const { callId, streamSid } = this
    return {
      _tag: "Snapshot",
      callId,
      streamSid,
      epoch: speech.epoch,
      commands,
      clauses: speech.settle(),
      understood,
      consumed,
      base,
      state: Buffer.concat(state),
      fence: ++this.fence,
      elapsedMs: audio.elapsed()
    }
  }

  readonly monitor: NonNullable<SpeechSink["monitor"]> = (both, caller) => {
    this.heard ??= { both: new FrameRing(mostHeard), caller: new FrameRing(mostHeard) }
    this.heard.both.push(both)
    this.heard.caller.push(caller)
    if (this.heard.both.length >= heardTogether) this.link?.wakeSoon()
  }

  /** Looks whether the agent has fallen quiet, and what of its sound was played. */
  look({ speech, soundBytes }: CallAudio, now: number): void {
    const { quietMs } = speech
    if (quietMs > 0 && !this.quiet) this.noteSoon({ _tag: "Quiet", at: now - quietMs, seen: this.taken })
    this.quiet = quietMs > 0
    const played = soundBytes - this.soundBefore - speech.unplayedMs * BYTES_PER_MS
    if (played - this.toldPlayed < playedBytes && !(this.quiet && played > this.toldPlayed)) return
    this.toldPlayed = played
    this.noteSoon({ _tag: "Played", bytes: played })
  }

  /** Hands over the events in order. False when there is no more room. */
  fillEvents(send: (message: ToMind) => boolean): boolean {
    while (this.notes.length > 0) if (!send(this.notes.shift()!)) return false
    while (this.told < this.news.length) if (!send(this.news[this.told++])) return false
    return true
  }
  /** Hands over what both sides hear. False when there is no more room. */
  fillHeard(send: (message: ToMind) => boolean): boolean {
    if (this.heard === undefined) return true
    while (this.heard.both.length >= heardTogether) {
      const both = new Uint8Array(heardTogether * FRAME_BYTES)
      const caller = new Uint8Array(heardTogether * FRAME_BYTES)
      for (let at = 0; at < both.length; at += FRAME_BYTES) {
        this.heard.both.take(both, at)
        this.heard.caller.take(caller, at)
      }
      if (!send({ _tag: "Heard", both, caller })) return false
    }
    return true
  }
  /** Hands over the caller's speech, and the pauses in it. False when there is no more room. */
  fillSpeech({ kept, voicedAt }: CallAudio, send: (message: ToMind) => boolean): boolean {
    while (true) {
      const pause = this.pauses[this.pausesTold]
      // Also one that was told before the mind asked for the speech anew: what comes before a pause does not wait for more.
      const end = this.pauses.find((position) => position > this.cursor)
      const to = Math.min(end ?? kept.end, this.cursor + pieceBytes)
      if (pause !== undefined && pause <= this.cursor) {
        this.pausesTold++
        if (!send({ _tag: "Paused", position: pause, voicedAt })) return false
        continue
      }
      if (to === this.cursor || (end === undefined && !this.again && to - this.cursor < pieceBytes)) return true
      const { position, audio } = kept.piece(this.cursor, to)
      // What is too old is not there any more: the mind goes on behind it.
      const again = this.again || position !== this.cursor
      this.again = false
      this.cursor = Math.max(to, position + audio.length)
      if (audio.length > 0 && !send({ _tag: "Speech", position, again, voicedAt, audio })) return false
    }
  }
  /** What was said before `position` is understood: its pauses need not be told again. */
  understood(position: number): void {
    while (this.pausesTold > 0 && this.pauses[0] <= position) {
      this.pauses.shift()
      this.pausesTold--
    }
  }
}
