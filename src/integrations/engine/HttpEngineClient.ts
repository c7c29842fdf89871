/** How the app reaches its engine: `EngineClient` over signed HTTP. */
import { Effect, Layer, Schema } from "effect"
import { CallPlacement } from "../../domain/voice/engine/CallSetup.ts"
import { EngineClient, EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import * as Connections from "../connections/Connections.ts"
import { usualPatienceMs } from "../resilience/Patience.ts"
import { signedFetch } from "./SignedFetch.ts"

export interface HttpEngineClientOptions {
  /** The engine's origin. */
  readonly baseUrl: string
  /** `ENGINE_WS_SECRET`. */
  readonly secret: string
  /** Milliseconds for placing a call, where a caller waits; 3,000 by default. */
  readonly placeTimeoutMs?: number
  /** Milliseconds for saving an agent, which synthesizes its welcome; 20,000 by default. */
  readonly saveTimeoutMs?: number
}

const decodePlacement = Schema.decodeUnknownEffect(Schema.fromJsonString(CallPlacement))

const notUnderstood = () =>
  new EngineProtocolError({ status: 200, retryable: false, message: "The voice engine's answer was not understood." })

/** Needs nothing but the options. */
export const layer = (options: HttpEngineClientOptions): Layer.Layer<EngineClient> => {
  const common = { baseUrl: options.baseUrl, secret: options.secret, peer: "The voice engine", idempotent: true }
  const saving = { ...common, timeoutMs: options.saveTimeoutMs ?? 20_000, patienceMs: usualPatienceMs }
  const placing = { ...common, timeoutMs: options.placeTimeoutMs ?? 3_000, patienceMs: usualPatienceMs }
  const base = (organizationId: string) => `/engine/organizations/${encodeURIComponent(organizationId)}`
  const agentPath = (organizationId: string, agentId: string) =>
    `${base(organizationId)}/agents/${encodeURIComponent(agentId)}`

  return Layer.effect(
    EngineClient,
    Effect.map(Connections.Connections, (connections) => ({
      putAgent: (config) =>
        Effect.asVoid(
          signedFetch(connections, saving, "PUT", agentPath(config.organizationId, config.agentId), config)
        ),
      deleteAgent: (organizationId, agentId) =>
        Effect.asVoid(signedFetch(connections, saving, "DELETE", agentPath(organizationId, agentId), undefined)),
      placeCall: (organizationId, setup) =>
        // The voice of a tested agent is asked for before the answer, as when an agent is saved.
        signedFetch(
          connections,
          setup.tested === undefined ? placing : saving,
          "POST",
          `${base(organizationId)}/calls`,
          setup
        ).pipe(Effect.flatMap((text) => Effect.mapError(decodePlacement(text), notUnderstood)))
    }))
  ).pipe(Layer.provide(Connections.layer))
}
