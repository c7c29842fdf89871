import { Effect } from "effect"
import { Engine } from "../../../domain/voice/engine/EnginePorts.ts"
import { agentUnknownSentence, refusalSentences } from "../../../domain/voice/engine/EngineRefusal.ts"
import { EngineApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, NotFound, ServerError, TooMany } from "../../wire/Errors.ts"

/** Needs Engine. */
export const layer = group(
  EngineApi,
  "engine",
  Effect.fn(function* (handlers) {
    const engine = yield* Engine
    return handlers.handleAll({
      putAgent: Effect.fnUntraced(function* ({ params, payload }) {
        if (payload.organizationId !== params.orgId || payload.agentId !== params.agentId)
          return yield* new BadRequest({ error: "organizationId and agentId must be those of the path." })
        yield* engine.putAgent(payload).pipe(Effect.mapError(({ message }) => new ServerError({ error: message })))
        return { agentId: payload.agentId, version: payload.version }
      }),
      deleteAgent: ({ params }) =>
        Effect.as(engine.deleteAgent(params.orgId, params.agentId), {
          agentId: params.agentId,
          deleted: true as const
        }),
      placeCall: ({ params, payload }) =>
        engine.placeCall(params.orgId, payload).pipe(
          Effect.catchTags({
            AgentRejected: ({ message }) => new ServerError({ error: message }),
            AgentUnknown: () => new NotFound({ error: agentUnknownSentence }),
            EngineFull: ({ reason }) => new TooMany({ error: refusalSentences[reason] })
          })
        )
    })
  })
)
