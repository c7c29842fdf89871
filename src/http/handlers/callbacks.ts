import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Calls } from "../../domain/CallRecord.ts"
import { makeRunTool } from "../../domain/RunTool.ts"
import { AppApi } from "../Api.ts"

/** Needs VoiceAgents, Calls, ToolRunner. */
export const layer = HttpApiBuilder.group(
  AppApi,
  "callbacks",
  Effect.fn(function* (handlers) {
    const calls = yield* Calls
    const runTool = yield* makeRunTool
    return handlers.handleAll({
      toolCall: ({ payload }) => runTool(payload),
      webhook: ({ payload }) => Effect.as(calls.apply(payload), { applied: true as const })
    })
  })
)
