import { Effect, Option } from "effect"
import { Calls } from "../../domain/CallRecord.ts"
import type { CallEvent } from "../../domain/EngineProtocol.ts"
import { makeEscalateCall } from "../../domain/EscalateCall.ts"
import { ObjectStorage } from "../../domain/ObjectStorage.ts"
import { OwnApp } from "../../domain/OwnApp.ts"
import { Precedence } from "../../domain/Precedence.ts"
import { makeRunTool } from "../../domain/RunTool.ts"
import { AppApi } from "../Api.ts"
import { group } from "../RequestServices.ts"

/** Needs VoiceAgents, Calls, ObjectStorage, ToolRunner, Precedence, and for transfers what `handlers/telephony.ts` needs. An engine in this process (`OwnApp`) brings its events here, too. */
export const layer = group(
  AppApi,
  "callbacks",
  Effect.fn(function* (handlers) {
    const calls = yield* Calls
    const runTool = yield* makeRunTool
    const escalation = yield* makeEscalateCall
    const objects = yield* ObjectStorage
    const { behind } = yield* Precedence
    const take = Effect.fnUntraced(function* (event: CallEvent) {
      const { transferred, unwanted } = yield* behind(calls.apply(event))
      if (unwanted !== undefined) yield* Effect.orDie(objects.remove(unwanted))
      if (event.type === "call_end" && transferred) yield* escalation.engineEnded(event)
    })
    const ownApp = yield* Effect.serviceOption(OwnApp)
    if (Option.isSome(ownApp)) yield* ownApp.value.enter(take)

    return handlers.handleAll({
      toolCall: ({ payload }) => runTool(payload),
      webhook: ({ payload }) => Effect.as(take(payload), { applied: true as const })
    })
  })
)
