/**
 * The engine's side of every call: keeps the agents' configurations, reserves slots, claims arriving media streams, and supervises the
 * running calls. One per process; its scope is the supervisor of all calls.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, FiberMap, Layer, Queue, Schema, Stream } from "effect"
import { MediaClock } from "../audio/MediaClock.ts"
import { fixedLines } from "../domain/Call.ts"
import { CallJournal } from "../domain/CallJournal.ts"
import {
  type AgentConfig,
  AgentRejected,
  AgentUnknown,
  type AppCallbacks,
  type CallSetup,
  Engine
} from "../domain/EngineProtocol.ts"
import { newId } from "../domain/Ids.ts"
import type { Moderation } from "../domain/Moderation.ts"
import type { Reasoning } from "../domain/Reasoning.ts"
import type { Recordings } from "../domain/Recordings.ts"
import { type Reservation, ReservationBoard } from "../domain/ReservationBoard.ts"
import { type SpeechToText, TextToSpeech } from "../domain/Speech.ts"
import { SpeechCache, speechCacheKey } from "../domain/SpeechCache.ts"
import type { Telephony } from "../domain/Telephony.ts"
import { validateStream } from "../domain/TwilioSignature.ts"
import { WarmUp } from "../domain/WarmUp.ts"
import * as Call from "./call/Call.ts"
import type { Line, LiveCall } from "./call/Line.ts"
import { speechRequest } from "./call/Speaking.ts"
import * as Door from "./Door.ts"
import { RunningCalls } from "./RunningCalls.ts"

/** A reserved slot whose stream never arrives is given back after this. */
const reservationTtl = "20 seconds"
const tokenTtlSeconds = 60

export interface ActorSystemOptions {
  /** Where the provider connects the stream: `wss://…/media`, as it stands in the TwiML. */
  readonly streamUrl: string
  readonly secret: string
  /** Calls this process holds at most. */
  readonly capacity: number
  /** Audio of one second that is late by this much on average closes the door for new calls. Milliseconds; 50 by default. */
  readonly maxLatenessMs?: number
  readonly now?: () => number
}

/** What the provider says of itself when a stream starts. */
export interface StreamStart {
  readonly streamSid: string
  readonly accountSid: string
  readonly callSid: string
  readonly callId: string
  readonly token: string
  /** `X-Twilio-Signature` of the WebSocket upgrade. */
  readonly upgradeSignature: string
}

/** Why a stream was refused; the line is closed without telling the other side which. */
export class StreamRefused extends Schema.TaggedError<StreamRefused>()("StreamRefused", {
  callId: Schema.String,
  reason: Schema.Literals(["unknown_call", "bad_token", "foreign_call", "bad_signature"])
}) {}

export class CallStreams extends Context.Service<
  CallStreams,
  {
    /** Claims the call a stream belongs to and starts its actor. Synchronous: called from the socket. */
    readonly connect: (start: StreamStart, line: Line) => LiveCall | StreamRefused
    /** Instead of `connect` where several processes share the port: the call may have been reserved by another one. */
    readonly join?: (start: StreamStart, line: Line) => Effect.Effect<LiveCall | StreamRefused>
  }
>()("parley/actors/CallStreams") {}

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

/** It comes back from a human, or its callee has picked up: turned away, somebody on the line would hear it. */
const isThere = ({ resume, direction }: CallSetup) => resume !== undefined || direction === "outbound"

/** Lengths in bytes: `timingSafeEqual` throws on unequal ones, and `b` comes from outside. */
const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const make = Effect.fnUntraced(function* (options: ActorSystemOptions) {
  const now = options.now ?? (() => performance.now())
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const warmUp = yield* WarmUp
  const journal = yield* CallJournal
  const agents = new Map<string, AgentConfig>()
  const reservations = new Map<string, Reservation>()
  const live = new Map<string, Call.OpenCall>()
  const calls = yield* FiberMap.make<string>()
  const expiries = yield* FiberMap.make<string>()
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

  const board = yield* ReservationBoard
  const door = yield* Door.make({ capacity: options.capacity, maxLatenessMs: options.maxLatenessMs ?? 50 }, clock)
  const { admission } = door

  const synthesizeAhead = Effect.fnUntraced(function* (agent: AgentConfig, text: string) {
    const request = speechRequest(agent, text)
    const key = speechCacheKey(request)
    if ((yield* cache.get(key)) !== undefined) return
    const chunks = yield* Stream.runCollect(tts.synthesize(request))
    yield* cache.set(key, Buffer.concat(chunks))
  })

  const putAgent = Effect.fn("Engine.putAgent")(function* (agent: AgentConfig) {
    yield* tts.validate(agent.voice)
    const [disclosure, welcome, ...others] = fixedLines(agent)
    yield* Effect.forEach([disclosure, welcome], (line) => synthesizeAhead(agent, line), { discard: true })
    agents.set(agent.agentId, agent)
    // The rest is for the day the provider is out of reach: worth having, not worth failing for.
    yield* Effect.forkDetach(
      Effect.forEach(others, (line) => synthesizeAhead(agent, line), { discard: true }).pipe(
        Effect.catch((error) => Effect.logWarning("fixed lines not synthesized", error))
      )
    )
  })

  const sign = (callId: string, expires: number) =>
    `${expires}.${createHmac("sha256", options.secret).update(`stream:${callId}:${expires}`).digest("hex")}`

  const newToken = (callId: string) => sign(callId, Math.floor(Date.now() / 1_000) + tokenTtlSeconds)

  const expire = (callId: string, agent: AgentConfig) =>
    Effect.gen(function* () {
      if (!reservations.delete(callId)) return
      // Taken by another process, whose word of it got lost: the call goes on there.
      if (!(yield* board.take(callId))) return void admission.release(callId)
      const recorded = journal.record({
        type: "call_end",
        id: newId("evt"),
        organizationId: agent.organizationId,
        agentId: agent.agentId,
        callId,
        endReason: "caller_hangup",
        endedAt: new Date().toISOString(),
        durationSeconds: 0,
        turns: [],
        interruptions: 0,
        toolCalls: 0
      })
      yield* Effect.ensuring(recorded, door.release(callId, agent.organizationId))
    }).pipe(Effect.delay(reservationTtl))

  /** Uninterruptible: what has been taken is given back by the reservation's own end. */
  const reserve = Effect.fnUntraced(function* (setup: CallSetup, agent: AgentConfig) {
    const { callId, concurrentCalls: limit = Number.MAX_SAFE_INTEGER } = setup
    const { organizationId } = agent
    yield* door.reserve(callId, organizationId, limit, isThere(setup))
    // Before anything is waited for: the same webhook once more finds this reservation.
    const token = newToken(callId)
    const reservation = { setup, agent, token }
    reservations.set(callId, reservation)
    yield* Effect.onError(door.lease(callId, organizationId, limit), () =>
      Effect.sync(() => reservations.delete(callId))
    )
    const posted = yield* board.post(reservation)
    if (posted !== "posted") {
      reservations.delete(callId)
      if (posted === "unreachable") {
        yield* door.release(callId, organizationId)
        return yield* door.refuse("uncoordinated")
      }
      // The same webhook came to another process before; the lease is that one's.
      admission.release(callId)
      return { streamUrl: options.streamUrl, token: posted === "taken" ? token : posted.token }
    }
    yield* FiberMap.run(expiries, callId, expire(callId, agent))
    return { streamUrl: options.streamUrl, token }
  })

  const placeCall = Effect.fn("Engine.placeCall")(function* (organizationId: string, setup: CallSetup) {
    const agent = agents.get(setup.agentId)
    if (agent === undefined || agent.organizationId !== organizationId || agent.version !== setup.agentVersion)
      return yield* new AgentUnknown({ agentId: setup.agentId })
    const known = reservations.get(setup.callId)
    if (known !== undefined) return { streamUrl: options.streamUrl, token: known.token }
    // The webhook of a call whose stream is already here came once more: the call goes on, a second stream finds no reservation.
    if (admission.isLive(setup.callId)) return { streamUrl: options.streamUrl, token: newToken(setup.callId) }
    const placement = yield* Effect.uninterruptible(reserve(setup, agent))
    yield* warmUp(agent.voice.family)
    return placement
  })

  const refusal = (reservation: Reservation | undefined, start: StreamStart): StreamRefused["reason"] | Reservation => {
    if (reservation === undefined) return "unknown_call"
    const { setup, token } = reservation
    if (!same(token, start.token) || Number(start.token.split(".")[0]) < Date.now() / 1_000) return "bad_token"
    if (setup.accountSid !== start.accountSid || setup.callSid !== start.callSid) return "foreign_call"
    if (!validateStream(options.streamUrl, setup.authToken, start.upgradeSignature)) return "bad_signature"
    return reservation
  }

  const connect = (start: StreamStart, line: Line): LiveCall | StreamRefused => {
    const claimed = refusal(reservations.get(start.callId), start)
    if (typeof claimed === "string") return new StreamRefused({ callId: start.callId, reason: claimed })
    const { setup, agent } = claimed
    const call = Call.open({ setup, agent, streamSid: start.streamSid, line, now })
    reservations.delete(setup.callId)
    admission.claim(setup.callId)
    Effect.runFork(FiberMap.remove(expiries, setup.callId))
    /** What goes wrong with the audio of one call ends that call, and nothing else. */
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        Queue.offerUnsafe(logFailure, `the audio of call ${setup.callId} failed: ${String(error)}`)
        call.offer({ _tag: "AudioFailed" })
      }
    }
    live.set(setup.callId, call)
    if (door.isShut()) call.offer({ _tag: "MaxDurationReached" })
    const leaveClock = clock.add({ tick: (_now, _due, dueMs) => guarded(() => call.session.tick(dueMs)) })
    runCall(
      setup.callId,
      Call.run(call).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            leaveClock()
            live.delete(setup.callId)
          })
        ),
        Effect.ensuring(door.release(setup.callId, agent.organizationId)),
        Effect.annotateLogs({ callId: setup.callId, organizationId: agent.organizationId }),
        Effect.annotateSpans({ callId: setup.callId, organizationId: agent.organizationId, agentId: agent.agentId })
      )
    )
    return {
      callId: setup.callId,
      media: (payload, timestampMs) => guarded(() => call.session.media(payload, timestampMs)),
      mark: (name) => guarded(() => call.session.speech.mark(name)),
      dtmf: (digit) => guarded(() => call.session.key(digit)),
      closed: () => call.offer({ _tag: "LineClosed" })
    }
  }

  const join = Effect.fn("Engine.join")(function* (start: StreamStart, line: Line) {
    const { callId } = start
    const posted = yield* board.find(callId, reservations.has(callId))
    // Then nobody else can take it either.
    if (posted === "unreachable") return connect(start, line)
    // Judged before it is taken: a wrong stream does not take the call from its true one.
    const claimed = refusal(posted, start)
    if (typeof claimed === "string") return new StreamRefused({ callId, reason: claimed })
    if (!(yield* board.take(callId))) return new StreamRefused({ callId, reason: "unknown_call" })
    admission.takeOver(callId, claimed.agent.organizationId)
    reservations.set(callId, claimed)
    return yield* Effect.sync(() => connect(start, line)).pipe(
      Effect.catchCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logError("a call could not be started", { callId }, cause)
          reservations.delete(callId)
          yield* door.release(callId, claimed.agent.organizationId)
          return new StreamRefused({ callId, reason: "unknown_call" })
        })
      )
    )
  })

  yield* board.onTaken((callId) => {
    if (!reservations.delete(callId)) return
    admission.release(callId)
    Effect.runFork(FiberMap.remove(expiries, callId))
  })

  const count = Effect.sync(() => admission.taken)
  const sayGoodbye = Effect.sync(() => {
    door.shut()
    for (const call of live.values()) call.offer({ _tag: "MaxDurationReached" })
  })

  const engine = Engine.of({
    putAgent: (agent) =>
      putAgent(agent).pipe(Effect.mapError((error) => new AgentRejected({ message: error.message }))),
    deleteAgent: (organizationId, agentId) =>
      Effect.sync(() => {
        if (agents.get(agentId)?.organizationId === organizationId) agents.delete(agentId)
      }),
    placeCall,
    liveCalls: count
  })
  return Context.make(Engine, engine).pipe(
    Context.add(CallStreams, CallStreams.of(board.shared ? { connect, join } : { connect })),
    Context.add(
      RunningCalls,
      RunningCalls.of({ count, sayGoodbye, cutOff: FiberMap.clear(calls), delivered: journal.delivered })
    )
  )
})

export const layer = (options: ActorSystemOptions) => Layer.effectContext(make(options))
