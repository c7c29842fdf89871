import { Effect, Option } from "effect"
import { makeLookUp } from "../../../domain/ai/knowledge/KnowledgeTool.ts"
import { CallNotices } from "../../../domain/voice/calls/live/CallNotices.ts"
import { makeRunTool } from "../../../domain/voice/calls/live/RunTool.ts"
import { makeTakeCallEvent } from "../../../domain/voice/calls/live/TakeCallEvent.ts"
import { OwnApp } from "../../../domain/voice/engine/OwnApp.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"

/**
 * Needs VoiceAgents, Calls, SearchKnowledge, CallNotices, ObjectStorage, ToolRunner, Precedence, and for transfers what `handlers/voice/telephony.ts` needs. An engine in this
 * process (`OwnApp`) delivers its events without HTTP.
 */
export const layer = group(
  AppApi,
  "callbacks",
  Effect.fn(function* (handlers) {
    const runTool = yield* makeRunTool
    const lookUp = yield* makeLookUp
    const notices = yield* CallNotices
    const take = yield* makeTakeCallEvent
    // This is not a separate layer, because such a layer would depend on services that are built from the same engine.
    const ownApp = yield* Effect.serviceOption(OwnApp)
    if (Option.isSome(ownApp)) yield* ownApp.value.enter(take)

    return handlers.handleAll({
      toolCall: ({ payload }) => runTool(payload),
      knowledge: ({ payload: { organizationId, knowledgeBases, text } }) =>
        lookUp(organizationId, knowledgeBases, text),
      notices: ({ payload: { organizationId, callId, after } }) =>
        Effect.map(notices.after(organizationId, callId, after), (found) => ({ notices: found })),
      webhook: ({ payload }) => Effect.as(take(payload), { applied: true as const })
    })
  })
)
