/** How the engine reaches its app: `AppCallbacks` over signed HTTP. The journal delivers failed events again. */
import { Effect, Layer, Schema } from "effect"
import { CallNoticesFound } from "../../domain/voice/engine/CallNotice.ts"
import { AppCallbacks, EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import { KnowledgeFound } from "../../domain/voice/engine/KnowledgeLookup.ts"
import { ToolCallResponse } from "../../domain/voice/engine/ToolCallRequest.ts"
import * as Connections from "../connections/Connections.ts"
import { usualPatienceMs } from "../resilience/Patience.ts"
import { signedFetch } from "./SignedFetch.ts"

export interface HttpAppCallbacksOptions {
  /** The app's origin. */
  readonly baseUrl: string
  /** `ENGINE_WS_SECRET`. */
  readonly secret: string
  /** Milliseconds for an event; 15,000 by default, because requests of callers may come first. */
  readonly deliverTimeoutMs?: number
}

/** Milliseconds for a tool to run, its own time-out and retry included. */
const toolTimeoutMs = 20_000
export const deliverTimeoutMs = 15_000
/** The answer does not wait that long for what the knowledge bases say. */
const lookUpTimeoutMs = 1_000
/** They are asked for again soon. */
const noticesTimeoutMs = 5_000

const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(ToolCallResponse))

const decodeFound = Schema.decodeUnknownEffect(Schema.fromJsonString(KnowledgeFound))

const notUnderstood = () =>
  new EngineProtocolError({ status: 200, retryable: false, message: "The app's answer was not understood." })

const decodeNotices = Schema.decodeUnknownEffect(Schema.fromJsonString(CallNoticesFound))

/** Needs nothing but the options. */
export const layer = (options: HttpAppCallbacksOptions): Layer.Layer<AppCallbacks> => {
  // Not idempotent: a tool may already be running in another process, or have run in one that is gone. The journal repeats events.
  const common = { baseUrl: options.baseUrl, secret: options.secret, peer: "The app", idempotent: false }
  const tools = { ...common, timeoutMs: toolTimeoutMs, patienceMs: usualPatienceMs }
  const lookUps = { ...common, timeoutMs: lookUpTimeoutMs, patienceMs: 0 }
  const notices = { ...common, timeoutMs: noticesTimeoutMs, patienceMs: 0 }
  const events = { ...common, timeoutMs: options.deliverTimeoutMs ?? deliverTimeoutMs, patienceMs: 0 }
  return Layer.effect(
    AppCallbacks,
    Effect.map(Connections.Connections, (connections) => ({
      runTool: (request) =>
        signedFetch(connections, tools, "POST", "/api/voice-agents/tool-call", request).pipe(
          Effect.flatMap((text) => Effect.mapError(decodeResult(text), notUnderstood))
        ),
      lookUp: (request) =>
        signedFetch(connections, lookUps, "POST", "/api/voice-agents/knowledge", request).pipe(
          Effect.flatMap((text) => Effect.mapError(decodeFound(text), notUnderstood))
        ),
      notices: (request) =>
        signedFetch(connections, notices, "POST", "/api/voice-agents/notices", request).pipe(
          Effect.flatMap((text) => Effect.mapError(decodeNotices(text), notUnderstood))
        ),
      deliver: (event) => Effect.asVoid(signedFetch(connections, events, "POST", "/api/voice-agents/webhook", event))
    }))
  ).pipe(Layer.provide(Connections.layer))
}
