import { Effect } from "effect"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { makeCallDetail } from "./callDetail.ts"
import { makeListCalls } from "./callList.ts"
import { makeRecordingResponse } from "./recording.ts"

/** Needs Calls, VoiceUsage, Organizations and ObjectStorage. */
export const layer = group(
  AppApi,
  "calls",
  Effect.fn(function* (handlers) {
    const callDetail = yield* makeCallDetail
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
          return yield* callDetail(organizationId, params.id)
        })
      )
      .handleRaw("recording", ({ params, request }) =>
        Effect.flatMap(requireScope("voice:read"), ({ organizationId }) =>
          recordingResponse(request, organizationId, params.id)
        )
      )
  })
)
