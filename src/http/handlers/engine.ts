import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Engine, type Refusal } from "../../domain/EngineProtocol.ts"
import { EngineApi } from "../Api.ts"
import { BadRequest, NotFound, ServerError, TooMany } from "../Errors.ts"

const sentences: Readonly<Record<Refusal, string>> = {
  process_full: "This engine is full.",
  organization_full: "This organization has as many calls as it may have at once.",
  fair_share: "This engine is almost full, and this organization holds its share of it.",
  overloaded: "This engine is overloaded.",
  draining: "This engine is about to stop.",
  uncoordinated: "This engine cannot reach the other workers."
}

/** Needs Engine. */
export const layer = HttpApiBuilder.group(
  EngineApi,
  "engine",
  Effect.fn(function* (handlers) {
    const engine = yield* Engine
    return handlers.handleAll({
      putAgent: Effect.fn("engine.putAgent")(function* ({ params, payload }) {
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
            AgentUnknown: () => Effect.fail(new NotFound({ error: "This engine does not have that agent version." })),
            EngineFull: ({ reason }) => Effect.fail(new TooMany({ error: sentences[reason] }))
          })
        )
    })
  })
)
