/**
 * The engine's side of every call. It holds the agents, reserves slots, claims arriving media streams, and supervises the running calls. There
 * is one per process; all calls end with its scope.
 */
import { Context, Effect, FiberMap, Layer, Queue, Schedule } from "effect"
import { MediaClock } from "../../../audio/frames/MediaClock.ts"
import type { Moderation } from "../../../domain/ai/providers/Moderation.ts"
import type { Reasoning } from "../../../domain/ai/providers/Reasoning.ts"
import type { SpeechError, SpeechToText, TextToSpeech } from "../../../domain/ai/providers/Speech.ts"
import type { SpeechCache } from "../../../domain/ai/providers/SpeechCache.ts"
import { WarmUp } from "../../../domain/ai/providers/WarmUp.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { CallJournal } from "../../../domain/voice/engine/CallJournal.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { makeIsWatched } from "../../../domain/voice/engine/CallWatch.ts"
import { type AppCallbacks, Engine } from "../../../domain/voice/engine/EnginePorts.ts"
import { AgentRejected, AgentUnknown } from "../../../domain/voice/engine/EngineRefusal.ts"
import { Recordings } from "../../../domain/voice/engine/Recordings.ts"
import type { Telephony } from "../../../domain/voice/telephony/Telephony.ts"
import * as Call from "../call/Call.ts"
import * as CheckpointSeal from "../call/CheckpointSeal.ts"
import { Keeper, readKept } from "../call/Keeper.ts"
import { type OpenCall, open, openMind } from "../call/OpenCall.ts"
import { WatchedCalls } from "../call/Report.ts"
import type { Line, LiveCall } from "../sound/Line.ts"
import type { LinkedMind, LinkedSound, MindEndOptions } from "../sound/link/MindEnd.ts"
import { monotonicMs } from "../sound/Monotonic.ts"
import { StreamRefused, type StreamStart } from "../sound/StreamRefused.ts"
import * as CallAdmission from "./CallAdmission.ts"
import { CallListeners, makeCallListeners } from "./CallListeners.ts"
import { CallStreams } from "./CallStreams.ts"
import { takeCommandsOf } from "./CommandsOfCalls.ts"
import * as EngineAgents from "./EngineAgents.ts"
import * as LeftCalls from "./LeftCalls.ts"
import { deafMind, giveWaitingLine, leftOf } from "./LinkedMinds.ts"
import { LostCalls } from "./LostCalls.ts"
import * as Reservations from "./Reservations.ts"
import { RunningCalls } from "./RunningCalls.ts"
import * as SoundElsewhere from "./SoundElsewhere.ts"

export interface ActorSystemOptions {
  /** Where the provider connects the stream: `wss://…/media`, as it stands in the TwiML. */
  readonly streamUrl: string
  readonly secret: string
  /** The most calls this process holds at once. */
  readonly capacity: number
  /** When the audio of one second is late by this much on average, no new calls are admitted. Milliseconds; 50 by default. */
  readonly maxLatenessMs?: number
  /** Monotonic milliseconds, the same in all processes of this machine. */
  readonly now?: () => number
  /** The processes that hold the sound of calls. Absent: it is in this process. */
  readonly sound?: SoundElsewhere.SoundPlace
}

const streamsInside =
  "a stream has come to /media of this process, though the sound is in a process of its own: such calls end with this process. Set STREAM_URL, or pass /media on to MEDIA_PORT."

type CallServices =
  | CallJournal
  | Telephony
  | AppCallbacks
  | Reasoning
  | Moderation
  | SpeechToText
  | TextToSpeech
  | SpeechCache
  | Recordings

/** Why a voice was not taken: names the fields, the provider and its model. */
const voiceRefusal = ({ voice }: AgentConfig, { provider, reason, message }: SpeechError): string =>
  reason === "rejected"
    ? `voiceFamily ${voice.family} with voiceId ${voice.voiceId} is refused by ${provider} (model ${voice.model}): ${message}`
    : `The voice provider ${provider} (model ${voice.model}) could not be asked: ${message} Nothing was saved. Please try again.`

const make = Effect.fnUntraced(function* (options: ActorSystemOptions) {
  const now = options.now ?? monotonicMs
  const warmUp = yield* WarmUp
  const journal = yield* CallJournal
  const recordings = yield* Recordings
  const live = new Map<string, OpenCall>()
  let heldIsKnown = false
  const lost = new LostCalls()
  const heldAtStart = new Set<string>()
  const seal = CheckpointSeal.make(options.secret)
  const services = yield* Effect.context<SpeechCache>()
  let toldInside = false
  const calls = yield* FiberMap.make<string>()
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const runCall = yield* FiberMap.runtime(calls)<CallServices>()
  const logFailure = yield* Queue.sliding<string>(64)
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(logFailure), (text) => Effect.logError(text))))
  const clock = new MediaClock(now, {
    onError: (error) => Queue.offerUnsafe(logFailure, `the media clock dropped a call: ${String(error)}`)
  })
  yield* Effect.acquireRelease(
    Effect.sync(() => clock.start()),
    () => Effect.sync(() => clock.stop())
  )
  const isWatched = yield* makeIsWatched
  const listeners = yield* makeCallListeners((callId) => {
    const call = live.get(callId)
    return call === undefined ? undefined : { people: call.people, organizationId: call.options.agent.organizationId }
  })
  const elsewhere =
    options.sound === undefined
      ? undefined
      : yield* SoundElsewhere.make({
          ...options.sound,
          streamUrl: options.streamUrl,
          now,
          claimed: (claim, sound) => claimed(claim, sound),
          taken: (snapshot, sound) => taken(snapshot, sound),
          held: (sound, calls) => {
            heldIsKnown = true
            lost.settle(sound, calls)
            for (const callId of calls) heldAtStart.add(callId)
          }
        })
  const admission = yield* CallAdmission.make(
    {
      capacity: options.capacity,
      maxLatenessMs: options.maxLatenessMs ?? 50,
      ...(elsewhere === undefined ? {} : { sound: elsewhere.links })
    },
    clock
  )
  const agents = yield* EngineAgents.make
  const reservations = yield* Reservations.make({ ...options, sound: elsewhere }, admission)

  const rejected = (agent: AgentConfig) => (error: SpeechError) =>
    new AgentRejected({ message: voiceRefusal(agent, error) })

  const placeCall = traced("Engine.placeCall")(function* (organizationId: string, setup: CallSetup) {
    const agent = setup.tested ?? agents.find(organizationId, setup.agentId, setup.agentVersion)
    if (agent?.organizationId !== organizationId) return yield* new AgentUnknown({ agentId: setup.agentId })
    const placed = reservations.placed(setup.callId)
    if (placed !== undefined) return placed
    if (setup.tested !== undefined) yield* Effect.mapError(agents.prepare(agent), rejected(agent))
    const placement = yield* reservations.reserve(setup, agent)
    yield* warmUp(agent.voice.family)
    return placement
  })

  /** A call that another mind goes on with keeps its lease, and its slot if that mind is here. */
  const over = ({ isLeft, options: { setup, agent } }: OpenCall) => {
    if (!isLeft) return admission.release(setup.callId, agent.organizationId)
    if (live.has(setup.callId)) return Effect.void
    admission.slots.release(setup.callId)
    return journal.leave(setup.callId)
  }

  /** Runs the mind of a call to its end, and then `ended`. */
  const begin = (call: OpenCall, ended: () => void) => {
    const { setup, agent } = call.options
    live.set(setup.callId, call)
    if (admission.isClosed()) call.offer({ _tag: "MaxDurationReached" })
    runCall(
      setup.callId,
      Call.run(call).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            ended()
            call.people.end()
            if (live.get(setup.callId) !== call) return
            listeners.callOver(setup.callId)
            live.delete(setup.callId)
          })
        ),
        Effect.ensuring(Effect.suspend(() => over(call))),
        Effect.provideService(WatchedCalls, isWatched),
        Effect.annotateLogs({ callId: setup.callId, organizationId: agent.organizationId }),
        Effect.annotateSpans({ callId: setup.callId, organizationId: agent.organizationId, agentId: agent.agentId })
      )
    )
  }

  /** A stream has come to a process that holds the sound. */
  const claimed: MindEndOptions["claimed"] = ({ callId }, sound) => {
    const reservation = reservations.of(callId)
    if (reservation === undefined) {
      // It expired, or the stream came a second time.
      sound.run({ _tag: "HangUp" })
      sound.forget()
      return deafMind
    }
    const { setup, agent } = reservation
    runFork(reservations.claimed(callId))
    const file = elsewhere?.links.reservation(callId)?.recording ?? ""
    const call = openMind({ setup, agent, now }, () => sound, { recording: elsewhere?.recordingOf(file), file })
    reservations.streamCame(callId)
    return mindOf(call, sound)
  }

  /** A call whose engine is gone comes here. */
  const taken: NonNullable<MindEndOptions["taken"]> = ({ callId, base, state, ...snapshot }, sound) => {
    const kept = readKept(seal, base, state)
    if (kept === undefined || admission.isClosed()) {
      runFork(Effect.logError("a call could not be taken over", { callId }))
      sound.run({ _tag: "HangUp" })
      sound.forget()
      return deafMind
    }
    const { setup, agent } = kept
    // The engine that kept it may have been on another machine, with another clock.
    const { elapsedMs } = snapshot
    const progress = { ...kept.progress, ...(elapsedMs === undefined ? {} : { startedAt: now() - elapsedMs }) }
    const left = leftOf(snapshot.clauses, { passed: progress.passed, thinking: kept.state.thinking })
    const goesOn = kept.state.thinking || left.unsaid.length > 0
    const call = openMind({ setup, agent, now }, () => sound, {
      recording: elsewhere?.recordingOf(progress.recording),
      before: {
        ...kept,
        progress,
        understood: snapshot.understood,
        left,
        fence: snapshot.fence,
        known: { ...snapshot, goesOn }
      }
    })
    admission.slots.takeOver(callId, agent.organizationId)
    admission.slots.claim(callId)
    runFork(Effect.logWarning("a call is taken over", { callId, phase: kept.state.phase }))
    return mindOf(call, sound)
  }

  const mindOf = (opened: OpenCall, sound: LinkedSound): LinkedMind => {
    const { setup, agent } = opened.options
    const call: OpenCall = { ...opened, keeper: new Keeper(sound, seal, { setup, agent }) }
    // The clock runs while there are calls, and so notices when this process is late.
    const leaveClock = clock.add({ tick: () => undefined })
    begin(call, () => {
      leaveClock()
      if (!call.isLeft) sound.forget()
    })
    runFork(giveWaitingLine(agent, sound).pipe(Effect.provideContext(services)))
    return {
      tell: (event) => call.sound.take(event),
      sink: call.sink,
      lineClosed: () => call.offer({ _tag: "LineClosed" }),
      audioFailed: () => call.offer({ _tag: "AudioFailed" }),
      lost: (from) =>
        lost.add(from, setup.callId, {
          leave: () => {
            call.isLeft = true
            runFork(FiberMap.remove(calls, setup.callId))
          },
          fail: () => call.offer({ _tag: "AudioFailed" })
        })
    }
  }

  const connect = (start: StreamStart, line: Line): LiveCall | StreamRefused => {
    const found = reservations.find(start)
    if (typeof found === "string") return new StreamRefused({ callId: start.callId, reason: found })
    if (elsewhere !== undefined && !toldInside) {
      toldInside = true
      runFork(Effect.logWarning(streamsInside))
    }
    const { setup, agent } = found
    const call = open({ setup, agent, streamSid: start.streamSid, line, now })
    reservations.streamCame(setup.callId)
    /** An error in the audio of one call ends that call and no other. */
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        Queue.offerUnsafe(logFailure, `the audio of call ${setup.callId} failed: ${String(error)}`)
        call.offer({ _tag: "AudioFailed" })
      }
    }
    const leaveClock = clock.add({ tick: (dueMs) => guarded(() => call.audio.tick(dueMs)) })
    begin(call, leaveClock)
    return {
      callId: setup.callId,
      media: (payload, timestampMs) => guarded(() => call.audio.media(payload, timestampMs)),
      mark: (name) => guarded(() => call.audio.speech.mark(name)),
      dtmf: (digit) => guarded(() => call.audio.key(digit)),
      closed: () => call.offer({ _tag: "LineClosed" })
    }
  }

  const join = traced("Engine.join")(function* (start: StreamStart, line: Line) {
    const { callId } = start
    const taken = yield* reservations.takeOver(start)
    // Then no other process can take the call either.
    if (taken === "unreachable") return connect(start, line)
    if (typeof taken === "string") return new StreamRefused({ callId, reason: taken })
    return yield* Effect.sync(() => connect(start, line)).pipe(
      Effect.catchCause((cause) =>
        Effect.logError("a call could not be started", { callId }, cause).pipe(
          Effect.andThen(reservations.drop(callId, taken.agent.organizationId)),
          Effect.as(new StreamRefused({ callId, reason: "unknown_call" }))
        )
      )
    )
  })

  yield* takeCommandsOf(live, listeners.invite)

  const count = Effect.sync(() => admission.slots.taken)
  const sayGoodbye = Effect.sync(() => {
    admission.close()
    for (const call of live.values()) call.offer({ _tag: "MaxDurationReached" })
  })

  const left = yield* LeftCalls.make({
    live,
    recent: reservations.recent,
    links: elsewhere?.links,
    interrupted: FiberMap.clear(calls)
  })
  if (elsewhere !== undefined) {
    yield* elsewhere.ready
    elsewhere.links.accept()
    // What is made next keeps the processor for long: first the callers, who wait.
    const areTaken = Effect.sync(() => heldIsKnown && [...heldAtStart].every((callId) => live.has(callId)))
    yield* Effect.repeat(areTaken, { schedule: Schedule.spaced("5 millis"), until: (all) => all }).pipe(
      Effect.timeoutOption("200 millis")
    )
    if (live.size > 0) yield* Effect.sleep("50 millis")
    // Another engine has those that have not come by then.
    const leaveOthers = Effect.suspend(() =>
      Effect.forEach(
        [...heldAtStart].filter((callId) => !live.has(callId)),
        journal.leave,
        { discard: true }
      )
    )
    yield* Effect.forkScoped(Effect.delay(leaveOthers, "35 seconds"))
  }

  const engine = Engine.of({
    putAgent: (agent) => Effect.mapError(agents.put(agent), rejected(agent)),
    deleteAgent: (organizationId, agentId) => Effect.sync(() => agents.forget(organizationId, agentId)),
    placeCall,
    liveCalls: count
  })
  return Context.make(Engine, engine).pipe(
    Context.add(CallStreams, CallStreams.of(reservations.shared ? { connect, join } : { connect })),
    Context.add(CallListeners, CallListeners.of(listeners.service)),
    Context.add(
      RunningCalls,
      RunningCalls.of({
        count,
        sayGoodbye,
        ...left,
        cutOff: FiberMap.clear(calls),
        // Recordings first: their events go through the journal.
        delivered: Effect.andThen(recordings.delivered, journal.delivered)
      })
    )
  )
})

export const layer = (options: ActorSystemOptions) => Layer.effectContext(make(options))
