import { Effect } from "effect"
import { usageOf } from "../../../domain/usage/Metering.ts"
import { VoiceUsage } from "../../../domain/usage/VoiceUsage.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { NotFound } from "../../wire/Errors.ts"
import { makeListCalls } from "./callList.ts"
import { makeRecordingResponse } from "./recording.ts"

/** Needs Calls, VoiceUsage, Organizations and ObjectStorage. */
export const layer = group(
  AppApi,
  "calls",
  Effect.fn(function* (handlers) {
    const calls = yield* Calls
    const usage = yield* VoiceUsage
    const recordingResponse = yield* makeRecordingResponse
    const listCalls = yield* makeListCalls
    return handlers
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query: { agentId, contactId, conversationId, ...query } }) {
          const { organizationId } = yield* requireScope("voice:read")
          return yield* listCalls(organizationId, query, { agentId, contactId, conversationId })
        })
      )
      .handle(
        "get",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* requireScope("voice:read")
          const call = yield* calls.find(organizationId, params.id)
          if (call === undefined) return yield* new NotFound({ error: "There is no such call." })
          const utterances = yield* calls.utterances(organizationId, call.id)
          const toolCalls = yield* calls.toolCalls(organizationId, call.id)
          const charge = yield* usage.ofCall(organizationId, call.id)
          return { ...call, utterances, toolCalls, cost: charge === undefined ? null : usageOf(charge) }
        })
      )
      .handleRaw("recording", ({ params, request }) =>
        Effect.flatMap(requireScope("voice:read"), ({ organizationId }) =>
          recordingResponse(request, organizationId, params.id)
        )
      )
  })
)
