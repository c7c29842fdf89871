/**
 * The messages between the sound and the mind of calls when they are in two processes: one table, from which the writer, the reader and the tests come.
 * A message is `u32 length, u8 type, u8 flags, u32 call, u32 sequence` and the fields of its type. A reader skips a type that it does not know by its
 * length, unless `mustKnow` is set, and ignores what follows the fields that it knows. So a later version may add types, and fields at the end.
 */

import type { SoundCommand, SoundEvent } from "../CallSound.ts"
import type { PlannedClause } from "../PlannedClauses.ts"
import type { SoundProfile } from "../SoundProfile.ts"
import {
  type AnyFields,
  added,
  anyRecord,
  bytes,
  count,
  type Field,
  type Fields,
  flag,
  In,
  listOf,
  number,
  type Out,
  oneOf,
  type PeerTimes,
  ProtocolBroken,
  record,
  text,
  time
} from "./Fields.ts"

/** The versions that this program speaks. The highest that both sides know is spoken. */
export const versions = { lowest: 2, highest: 4 } as const
/** Since this version a checkpoint may say what has changed. */
export const changesSince = 3
/** Since this version the sound says what time it is, so that it can be on another machine. */
export const timesSince = 4

/** What both sides say first. `call` is 0. */
interface Hello {
  readonly _tag: "Hello"
  readonly lowest: number
  readonly highest: number
  /** Names the process, anew each time it starts. */
  readonly id: string
}

/** A stream that will come. The sound accepts it by itself, so that none waits for the mind. `call` is 0. */
export interface Reserve {
  readonly _tag: "Reserve"
  readonly callId: string
  /** SHA-256 of the token that the stream brings. */
  readonly tokenHash: Uint8Array
  /** Milliseconds from now on for which the token is good. */
  readonly goodForMs: number
  /** What the provider says of itself. Without signatures neither is looked at: no provider sends the stream of a test call. */
  readonly accountSid: string
  readonly callSid: string
  /** The signatures that the upgrade may have. */
  readonly signatures: ReadonlyArray<string>
  readonly agent: SoundProfile
  readonly ambience: boolean
  /** Milliseconds of the call that had passed before this stream. */
  readonly elapsedMs: number
  /** The file to record to; empty: none. */
  readonly recording: string
}

/** To the sound. After `Forget` nothing more comes of the call. `Cancel`: the stream must not come any more; `call` is 0. */
export type ToSound =
  | Hello
  | SoundCommand
  | { readonly _tag: "Forget" }
  | Reserve
  | { readonly _tag: "Cancel"; readonly callId: string }
  /** The mind is ready for calls whose mind is gone. `call` is 0. */
  | { readonly _tag: "Attach" }
  /**
   * The mind of the call after so many news of it, sealed; an empty base is as before. With a number above 0, `Kept` follows. It is kept with the call,
   * so that another mind can go on.
   */
  | {
      readonly _tag: "Checkpoint"
      readonly number: number
      readonly consumed: number
      readonly base: Uint8Array
      readonly state: Uint8Array
    }
  /** What has changed in the mind since the last checkpoint; empty: nothing. It is kept behind the state. */
  | {
      readonly _tag: "CheckpointChange"
      readonly number: number
      readonly consumed: number
      readonly change: Uint8Array
    }
  /** What the caller hears when the mind is away for long. */
  | { readonly _tag: "WaitingLine"; readonly audio: Uint8Array }
  /** The mind, on a machine of its own, asks for the time; `asked` is its own. `call` is 0. */
  | { readonly _tag: "AskTime"; readonly asked: number }

/** A call whose mind is gone, for the mind that goes on with it: the first message of the call then. */
export interface Snapshot {
  readonly _tag: "Snapshot"
  readonly callId: string
  readonly streamSid: string
  readonly epoch: number
  /** How many commands the sound has taken. */
  readonly commands: number
  /** What was planned since the agent last fell silent, and how much of its sound has come. */
  readonly clauses: ReadonlyArray<PlannedClause>
  /** The position up to which the caller is understood: the rest of the speech follows, with its pauses. */
  readonly understood: number
  /** How many news of the call the checkpoint has consumed: the others follow. */
  readonly consumed: number
  readonly base: Uint8Array
  readonly state: Uint8Array
  /** How many minds had the call before. */
  readonly fence: number
  /** Milliseconds since the call began; undefined: the sound is of an earlier version. */
  readonly elapsedMs: number | undefined
}

/** To the mind. `Claimed` is the first of a call, and gives it its number; `LineClosed` the last but for what was asked for. */
export type ToMind =
  | Hello
  | SoundEvent
  | { readonly _tag: "Claimed"; readonly callId: string; readonly streamSid: string; readonly at: number }
  | {
      readonly _tag: "Speech"
      readonly position: number
      readonly again: boolean
      readonly voicedAt: number
      readonly audio: Uint8Array
    }
  | { readonly _tag: "Paused"; readonly position: number; readonly voicedAt: number }
  /** What both sides hear while people listen: frames of 20 ms, of both together and of the caller alone. */
  | { readonly _tag: "Heard"; readonly both: Uint8Array; readonly caller: Uint8Array }
  /** The agent was last heard at `at`, and has nothing planned to say, after so many commands. */
  | { readonly _tag: "Quiet"; readonly at: number; readonly seen: number }
  /** So much of the sound that this mind has sent was played or dropped; negative while sound of an earlier mind waits before it. */
  | { readonly _tag: "Played"; readonly bytes: number }
  | { readonly _tag: "LineClosed" }
  | { readonly _tag: "AudioFailed" }
  | Snapshot
  /** The checkpoint of this number is kept. */
  | { readonly _tag: "Kept"; readonly number: number }
  /** The calls that the sound has, of all minds, when the link is opened. `call` is 0. */
  | { readonly _tag: "Held"; readonly calls: ReadonlyArray<string> }
  /** Each second: how late the sound's clock was in it on average, and how many calls there are. `call` is 0. */
  | { readonly _tag: "Status"; readonly lateMs: number; readonly calls: number }
  /** This recording is complete. `call` is 0. */
  | { readonly _tag: "Recorded"; readonly file: string }
  /** The answer to `AskTime`, and what the sound's clock says. `call` is 0. */
  | { readonly _tag: "Time"; readonly asked: number; readonly at: number }

/** What a message has that belongs to no call. */
export const ofLink = { call: 0, sequence: 0 } as const

type Message = { readonly _tag: string }
type FieldsOf<M extends Message, Tag extends M["_tag"]> = Fields<Omit<Extract<M, { readonly _tag: Tag }>, "_tag">>
/** A table when the types of its messages do not matter. */
export type AnyTable = Readonly<Record<string, readonly [type: number, fields: AnyFields]>>
export type Table<M extends Message> = {
  readonly [Tag in M["_tag"]]: readonly [type: number, fields: FieldsOf<M, Tag>]
}

const hello = { lowest: count, highest: count, id: text }
const said = { text, startMs: number, endMs: number }
const heard = record({ epoch: count, seen: count, clauses: count, text, startMs: number, endMs: number })
const stamps = record({
  turn: count,
  voicedAt: time,
  transcriptAt: time,
  decisionAt: time,
  firstAudioAt: time,
  firstFrameAt: time
})

const agent = record<SoundProfile>({
  voice: record({ language: text }),
  escalationPhrases: listOf(text),
  endpointing: record({ minSilenceMs: number, maxSilenceMs: number, semantic: oneOf(undefined, "auto", "off") }),
  interruption: record({ enabled: flag, minSpeechMs: number, minWords: count })
})

/** Numbers of types are never used again for another type. */
export const toSound: Table<ToSound> = {
  Hello: [1, hello],
  Think: [2, { epoch: count, turn: count, held: flag }],
  Plan: [3, { epoch: count, clause: count, line: oneOf(undefined, "interruptible", "uninterruptible"), text }],
  Sound: [4, { epoch: count, clause: count, audio: bytes }],
  End: [5, { epoch: count, clause: count }],
  Drop: [6, { epoch: count, clause: count }],
  Commit: [7, { epoch: count }],
  ReplyOver: [8, { epoch: count }],
  Silence: [9, { epoch: count }],
  Transcript: [10, { understood: count, text }],
  Replay: [11, { from: count }],
  EndTurnSoon: [12, { text }],
  ArmSilence: [13, { ms: number }],
  DisarmSilence: [14, {}],
  AwaitMore: [15, { turn: count }],
  AwaitPause: [16, {}],
  ListeningSounds: [17, { sounds: listOf(bytes) }],
  Close: [18, {}],
  TakeRest: [19, {}],
  HangUp: [20, {}],
  Forget: [21, {}],
  Listen: [40, { on: flag }],
  Person: [41, { on: flag }],
  PersonFrame: [42, { audio: bytes }],
  Reserve: [
    22,
    {
      callId: text,
      tokenHash: bytes,
      goodForMs: number,
      accountSid: text,
      callSid: text,
      signatures: listOf(text),
      agent,
      ambience: flag,
      elapsedMs: number,
      recording: text
    }
  ],
  Cancel: [23, { callId: text }],
  Attach: [24, {}],
  Checkpoint: [25, { number: count, consumed: count, base: bytes, state: bytes }],
  WaitingLine: [26, { audio: bytes }],
  CheckpointChange: [27, { number: count, consumed: count, change: bytes }],
  AskTime: [28, { asked: number }]
}

export const toMind: Table<ToMind> = {
  Hello: [1, hello],
  Claimed: [2, { callId: text, streamSid: text, at: time }],
  Speech: [3, { position: count, again: flag, voicedAt: time, audio: bytes }],
  Paused: [4, { position: count, voicedAt: time }],
  TurnLikely: [5, { text }],
  TurnEnded: [6, said],
  Overheard: [7, said],
  TurnLost: [8, {}],
  BargedIn: [9, { heard, meant: flag }],
  Drained: [10, { heard }],
  Silenced: [11, { heard, late: flag }],
  FirstFrame: [12, { stamps }],
  SilenceElapsed: [13, {}],
  WaitOver: [14, { turn: count }],
  CallerPaused: [15, {}],
  LastWords: [16, {}],
  Rest: [17, { falseInterruptions: count, callerTalkMs: count, agentTalkMs: count }],
  Quiet: [18, { at: time, seen: count }],
  LineClosed: [19, {}],
  AudioFailed: [20, {}],
  PersonLost: [40, {}],
  Heard: [41, { both: bytes, caller: bytes }],
  Played: [21, { bytes: number }],
  Status: [22, { lateMs: number, calls: count }],
  Recorded: [23, { file: text }],
  Snapshot: [
    24,
    {
      callId: text,
      streamSid: text,
      epoch: count,
      commands: count,
      clauses: listOf(
        record<PlannedClause>({
          clause: count,
          text,
          line: oneOf(undefined, "interruptible", "uninterruptible"),
          bytes: count,
          whole: flag
        })
      ),
      understood: count,
      consumed: count,
      base: bytes,
      state: bytes,
      fence: count,
      elapsedMs: added(number)
    }
  ],
  Kept: [25, { number: count }],
  Held: [26, { calls: listOf(text) }],
  Time: [27, { asked: number, at: number }]
}

/** Flags of a message. */
export const mustKnow = 1

export interface Envelope<M> {
  readonly call: number
  /** Counts the messages of the call in this direction, from 1 on. */
  readonly sequence: number
  readonly message: M
}

/** Writer and reader of one direction. */
export class Codec<M extends Message> {
  private readonly writers = new Map<string, readonly [type: number, field: Field<object>]>()
  private readonly readers = new Map<number, readonly [tag: string, field: Field<object>]>()

  constructor(table: Table<M>) {
    for (const [tag, [type, fields]] of Object.entries(table as AnyTable)) {
      const field = anyRecord(fields)
      this.writers.set(tag, [type, field])
      this.readers.set(type, [tag, field])
    }
  }

  write(out: Out, { call, sequence, message }: Envelope<M>, flags = 0): void {
    const writer = this.writers.get(message._tag)
    if (writer === undefined) throw new Error(`there is no message ${message._tag}`)
    const [type, field] = writer
    const place = out.length
    out.u32(0)
    out.u8(type)
    out.u8(flags)
    out.u32(call)
    out.u32(sequence)
    field.write(out, message)
    out.lengthAt(place)
  }

  /**
   * A message, without its length; `message` is undefined when its type is not known and may be skipped. `clock`: of the side that has written it, when
   * that is another one.
   */
  read(from: Uint8Array, clock?: PeerTimes): Envelope<M | undefined> {
    const input = new In(from, clock)
    const type = input.u8()
    const flags = input.u8()
    const call = input.u32()
    const sequence = input.u32()
    const reader = this.readers.get(type)
    if (reader !== undefined) {
      const [_tag, field] = reader
      // The table says that these are the fields of this tag.
      return { call, sequence, message: { _tag, ...field.read(input) } as M }
    }
    if ((flags & mustKnow) !== 0) throw new ProtocolBroken(`a message of the unknown type ${type} must not be skipped`)
    return { call, sequence, message: undefined }
  }
}

/** The highest version that both know. Throws when there is none. */
export const commonVersion = (
  ours: { readonly lowest: number; readonly highest: number },
  theirs: { readonly lowest: number; readonly highest: number }
): number => {
  const version = Math.min(ours.highest, theirs.highest)
  if (version < Math.max(ours.lowest, theirs.lowest)) throw new ProtocolBroken("there is no common version")
  return version
}
