import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Calls } from "../../domain/CallRecord.ts"
import { makeEscalateCall } from "../../domain/EscalateCall.ts"
import { makeRunTool } from "../../domain/RunTool.ts"
import { AppApi } from "../Api.ts"

/** Needs VoiceAgents, Calls, ToolRunner, and for transfers what `handlers/telephony.ts` needs. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "callbacks",
  Effect.fn(function* (handlers) {
    const calls = yield* Calls
    const runTool = yield* makeRunTool
    const escalation = yield* makeEscalateCall
    return handlers.handleAll({
      toolCall: ({ payload }) => runTool(payload),
      webhook: Effect.fn("callbacks.webhook")(function* ({ payload }) {
        const { transferred } = yield* calls.apply(payload)
        if (payload.type === "call_end" && transferred) yield* escalation.engineEnded(payload)
        return { applied: true as const }
      })
    })
  })
)
