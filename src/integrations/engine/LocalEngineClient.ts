/** How the app reaches the engine of its own process: directly, with the same answers as over HTTP (`HttpEngineClient.ts`). */
import { Effect, Layer } from "effect"
import { Engine, EngineClient, EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import { agentUnknownSentence, refusalSentences } from "../../domain/voice/engine/EngineRefusal.ts"

const refused = (status: number, retryable: boolean, message: string) =>
  new EngineProtocolError({ status, retryable, message })

/** Needs Engine. */
export const layer: Layer.Layer<EngineClient, never, Engine> = Layer.effect(
  EngineClient,
  Effect.map(Engine, (engine) =>
    EngineClient.of({
      putAgent: (config) => engine.putAgent(config).pipe(Effect.mapError(({ message }) => refused(500, true, message))),
      deleteAgent: (organizationId, agentId) => engine.deleteAgent(organizationId, agentId),
      placeCall: (organizationId, setup) =>
        engine.placeCall(organizationId, setup).pipe(
          Effect.catchTags({
            AgentRejected: ({ message }) => Effect.fail(refused(500, false, message)),
            AgentUnknown: () => Effect.fail(refused(404, false, agentUnknownSentence)),
            EngineFull: ({ reason }) => Effect.fail(refused(429, true, refusalSentences[reason]))
          })
        )
    })
  )
)
