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
  Engine,
  EngineFull
} from "../domain/EngineProtocol.ts"
import { newId } from "../domain/Ids.ts"
import type { Moderation } from "../domain/Moderation.ts"
import type { Reasoning } from "../domain/Reasoning.ts"
import { type SpeechToText, TextToSpeech } from "../domain/Speech.ts"
import { SpeechCache, speechCacheKey } from "../domain/SpeechCache.ts"
import type { Telephony } from "../domain/Telephony.ts"
import { validateStream } from "../domain/TwilioSignature.ts"
import * as Call from "./call/Call.ts"
import type { Line, LiveCall } from "./call/Line.ts"
import { speechRequest } from "./call/Speaking.ts"

/** A reserved slot whose stream never arrives is given back after this. */
const reservationTtl = "20 seconds"
const tokenTtlSeconds = 60

export interface ActorSystemOptions {
  /** Where the provider connects the stream: `wss://…/media`, as it stands in the TwiML. */
  readonly streamUrl: string
  readonly secret: string
  /** Calls this process holds at most. */
  readonly capacity: number
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
  }
>()("parley/actors/CallStreams") {}

interface Reservation {
  readonly setup: CallSetup
  readonly agent: AgentConfig
  readonly token: string
}

type CallServices =
  | CallJournal
  | Telephony
  | AppCallbacks
  | Reasoning
  | Moderation
  | SpeechToText
  | TextToSpeech
  | SpeechCache

/** Lengths in bytes: `timingSafeEqual` throws on unequal ones, and `b` comes from outside. */
const same = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const make = Effect.fnUntraced(function* (options: ActorSystemOptions) {
  const now = options.now ?? (() => performance.now())
  const tts = yield* TextToSpeech
  const cache = yield* SpeechCache
  const journal = yield* CallJournal
  const agents = new Map<string, AgentConfig>()
  const reservations = new Map<string, Reservation>()
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
    Effect.suspend(() => {
      if (!reservations.delete(callId)) return Effect.void
      return journal.record({
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
    }).pipe(Effect.delay(reservationTtl))

  const live = () => reservations.size + [...calls].length

  const placeCall = Effect.fn("Engine.placeCall")(function* (organizationId: string, setup: CallSetup) {
    const agent = agents.get(setup.agentId)
    if (agent === undefined || agent.organizationId !== organizationId || agent.version !== setup.agentVersion)
      return yield* new AgentUnknown({ agentId: setup.agentId })
    const known = reservations.get(setup.callId)
    if (known !== undefined) return { streamUrl: options.streamUrl, token: known.token }
    // The webhook of a call whose stream is already here came once more: the call goes on, a second stream finds no reservation.
    if (FiberMap.hasUnsafe(calls, setup.callId)) return { streamUrl: options.streamUrl, token: newToken(setup.callId) }
    if (live() >= options.capacity) return yield* new EngineFull({ capacity: options.capacity })
    const token = newToken(setup.callId)
    reservations.set(setup.callId, { setup, agent, token })
    yield* FiberMap.run(expiries, setup.callId, expire(setup.callId, agent))
    return { streamUrl: options.streamUrl, token }
  })

  const refusal = (start: StreamStart): StreamRefused["reason"] | Reservation => {
    const reservation = reservations.get(start.callId)
    if (reservation === undefined) return "unknown_call"
    const { setup, token } = reservation
    if (!same(token, start.token) || Number(start.token.split(".")[0]) < Date.now() / 1_000) return "bad_token"
    if (setup.accountSid !== start.accountSid || setup.callSid !== start.callSid) return "foreign_call"
    if (!validateStream(options.streamUrl, setup.authToken, start.upgradeSignature)) return "bad_signature"
    return reservation
  }

  const connect = (start: StreamStart, line: Line): LiveCall | StreamRefused => {
    const claimed = refusal(start)
    if (typeof claimed === "string") return new StreamRefused({ callId: start.callId, reason: claimed })
    const { setup, agent } = claimed
    reservations.delete(setup.callId)
    Effect.runFork(FiberMap.remove(expiries, setup.callId))
    const call = Call.open({ setup, agent, streamSid: start.streamSid, line, now })
    /** What goes wrong with the audio of one call ends that call, and nothing else. */
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        Queue.offerUnsafe(logFailure, `the audio of call ${setup.callId} failed: ${String(error)}`)
        call.offer({ _tag: "AudioFailed" })
      }
    }
    const leaveClock = clock.add({ tick: () => guarded(() => call.session.tick()) })
    runCall(
      setup.callId,
      Call.run(call).pipe(
        Effect.ensuring(Effect.sync(leaveClock)),
        Effect.annotateLogs({ callId: setup.callId, organizationId: agent.organizationId })
      )
    )
    return {
      callId: setup.callId,
      media: (payload, timestampMs) => guarded(() => call.session.media(payload, timestampMs)),
      mark: (name) => guarded(() => call.session.mark(name)),
      closed: () => call.offer({ _tag: "LineClosed" })
    }
  }

  const engine = Engine.of({
    putAgent: (agent) =>
      putAgent(agent).pipe(Effect.mapError((error) => new AgentRejected({ message: error.message }))),
    deleteAgent: (organizationId, agentId) =>
      Effect.sync(() => {
        if (agents.get(agentId)?.organizationId === organizationId) agents.delete(agentId)
      }),
    placeCall,
    liveCalls: Effect.sync(live)
  })
  return Context.make(Engine, engine).pipe(Context.add(CallStreams, CallStreams.of({ connect })))
})

export const layer = (options: ActorSystemOptions) => Layer.effectContext(make(options))
