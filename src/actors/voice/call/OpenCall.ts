/** An open call: the parts that the socket and the media clock use. They exist before the call's fiber runs. */
import { Effect, Queue } from "effect"
import { Ambience } from "../../../audio/playout/Ambience.ts"
import type { CallInput, CallState } from "../../../domain/voice/dialogue/Call.ts"
import type { Left } from "../../../domain/voice/dialogue/CallTakeOver.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import type { CallSound, SoundEvent, SpeechSink } from "../sound/CallSound.ts"
import type { Line } from "../sound/Line.ts"
import { SoundInside } from "../sound/SoundInside.ts"
import { CallPeople } from "./CallPeople.ts"
import type { Keeper } from "./Keeper.ts"
import type { CallProgress } from "./KeptMind.ts"
import { type KnownBefore, KnownSound } from "./KnownSound.ts"
import * as Listening from "./Listening.ts"
import * as PersonListening from "./PersonListening.ts"
import * as Recording from "./Recording.ts"

/** The mailbox gets events, not frames: a handful a minute. */
const mailboxCapacity = 256

export interface MindOptions {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly now: () => number
}

/** What the sound of a call tells, and where. */
export interface SoundNeeds {
  readonly sink: SpeechSink
  readonly tell: (event: SoundEvent) => void
  /** Milliseconds of the call that had passed before this stream. */
  readonly elapsedMs: number
}

/** A call that another mind has begun. */
export interface CallBefore {
  readonly state: CallState
  readonly progress: CallProgress
  /** The position up to which the caller is understood. */
  readonly understood: number
  readonly known: KnownBefore
  readonly left: Left
  /** How many minds had the call. */
  readonly fence: number
}

interface MindParts {
  readonly recording?: Pick<Recording.CallRecording, "store"> | undefined
  readonly before?: CallBefore
  /** The file that the sound records to. */
  readonly file?: string
}

/** Makes what the mind of a call needs, with the sound that `soundOf` gives. `Call.run` is the mind. */
export const openMind = <Sound extends CallSound>(
  options: MindOptions,
  soundOf: (needs: SoundNeeds) => Sound,
  { recording, before, file = "" }: MindParts = {}
) => {
  const mailbox = Effect.runSync(Queue.make<CallInput>({ capacity: mailboxCapacity, strategy: "dropping" }))
  const offer = (event: CallInput) => {
    Queue.offerUnsafe(mailbox, event)
  }
  // First: a call that is ended at once still begins with its disclosure.
  if (before === undefined) offer({ _tag: "Answered" })
  const listening = Listening.make({
    agent: options.agent,
    transcript: (text, understood) => sound.send({ _tag: "Transcript", text, understood }),
    replay: (from) => sound.send({ _tag: "Replay", from }),
    now: options.now,
    from: before?.understood ?? 0
  })
  const elapsedMs = options.setup.resume?.elapsedMs ?? 0
  const progress: CallProgress = before?.progress ?? {
    startedAt: options.now() - elapsedMs,
    sequence: options.setup.resume?.nextSequence ?? 1,
    toolCalls: 0,
    interruptions: 0,
    tools: [],
    passed: [],
    recording: file
  }
  const elapsed = () => Math.round(options.now() - progress.startedAt)
  /** What makes words of the person who has the call; a new one for each time that somebody takes it over. */
  let person: PersonListening.PersonListening | undefined
  const people = new CallPeople({
    listened: (on) => sound.send({ _tag: "Listen", on }),
    said: (frame) => {
      sound.send({ _tag: "PersonFrame", audio: frame })
      person?.frame(frame)
    }
  })
  const sink: SpeechSink = { ...listening.sink, monitor: (both, caller) => people.hear(both, caller) }
  const half = soundOf({
    sink,
    tell: (event) => sound.take(event),
    elapsedMs
  })
  const sound = new KnownSound({
    sound: half,
    offer,
    now: options.now,
    ...(before === undefined ? {} : { known: before.known })
  })
  return {
    options,
    mailbox,
    offer,
    listening,
    /** What the sound gives the caller's speech to. */
    sink,
    sound,
    /** The other half of the call. */
    half,
    recording,
    progress,
    before,
    /** Keeps the mind where the sound is; undefined when both are in one process. */
    keeper: undefined,
    /** Another mind goes on with the call: this one ends without an end on record. */
    isLeft: false,
    people,
    /** A person talks with the caller from now on. Gives what makes words of what they say. */
    givenToPerson: () => {
      people.given()
      person = PersonListening.make({
        agent: options.agent,
        elapsed,
        said: (said) => offer({ _tag: "PersonSaid", ...said })
      })
      return person
    },
    /** The agent has the call again. Gives what makes words of what the person said last. */
    takenFromPerson: () => {
      people.released()
      const left = person
      person = undefined
      return left
    },
    /** Milliseconds since the call started. */
    elapsed
  }
}
export type OpenCall = Omit<ReturnType<typeof openMind<CallSound>>, "keeper"> & { keeper: Keeper | undefined }

export interface CallOptions extends MindOptions {
  readonly streamSid: string
  readonly line: Line
}

/** Makes a call whose sound is in this process. */
export const open = (options: CallOptions) => {
  const { agent, now, setup } = options
  const recording = Recording.make({ agent, now, elapsedMs: setup.resume?.elapsedMs ?? 0 })
  const soundOf = (needs: SoundNeeds) =>
    new SoundInside({
      ...options,
      ...needs,
      ...(agent.ambient_noise ? { ambience: new Ambience() } : {}),
      ...(recording === undefined ? {} : { recorder: recording.recorder })
    })
  const call = openMind(options, soundOf, recording === undefined ? {} : { recording })
  /** The sound of the call, as the provider's socket and the media clock use it. */
  return { ...call, audio: call.half.audio }
}
export type CallInside = ReturnType<typeof open>
