import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Calls } from "../../domain/CallRecord.ts"
import { AppApi } from "../Api.ts"
import { NotFound } from "../Errors.ts"
import { requireScope } from "../middleware/Authorization.ts"

/** Needs Calls. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "calls",
  Effect.fn(function* (handlers) {
    const calls = yield* Calls
    return handlers.handleAll({
      get: Effect.fn("calls.get")(function* ({ params }) {
        const { organizationId } = yield* requireScope("voice:read")
        const call = yield* calls.find(organizationId, params.id)
        if (call === undefined) return yield* new NotFound({ error: "There is no such call." })
        const utterances = yield* calls.utterances(organizationId, call.id)
        const toolCalls = yield* calls.toolCalls(organizationId, call.id)
        return { ...call, utterances, toolCalls }
      })
    })
  })
)
