import { Effect } from "effect"
import { makeCommandCall } from "../../../domain/voice/calls/live/CommandCall.ts"
import { liveStateOf, makeActivities } from "../../../domain/voice/calls/live/LiveCall.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import type { CallCommand } from "../../../domain/voice/engine/CallCommand.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { makeCallDetail } from "./callDetail.ts"
import { makeListCalls } from "./callList.ts"
import { makePeaks } from "./peaks.ts"
import { makeRecordingResponse } from "./recording.ts"

/** Needs Calls, VoiceUsage, Organizations, Audit and ObjectStorage. */
export const layer = group(
  AppApi,
  "calls",
  Effect.fn(function* (handlers) {
    const callDetail = yield* makeCallDetail
    const recordingResponse = yield* makeRecordingResponse
    const listCalls = yield* makeListCalls
    const calls = yield* Calls
    const peaks = yield* makePeaks
    const commandCall = yield* makeCommandCall
    const activityOf = yield* makeActivities

    const command = Effect.fnUntraced(function* (id: string, told: CallCommand) {
      const { organizationId } = yield* requireScope("calls:control")
      yield* commandCall(organizationId, id, told).pipe(
        Effect.catchTags({
          CallMissing: () => new NotFound({ error: "There is no such call." }),
          CallNotWithAgent: () =>
            new Conflict({
              error: "No agent has this call at this moment: it is over, not answered yet, or with a human."
            })
        })
      )
      return { id, told: true as const }
    })

    return handlers
      .handle(
        "live",
        Effect.fnUntraced(function* () {
          const { organizationId } = yield* requireScope("voice:read")
          const found = yield* calls.live(organizationId)
          const data = found.map(({ call, words }) => ({
            ...call,
            ...liveStateOf(call, activityOf(call.id)),
            lastWords: words
          }))
          return { data }
        })
      )
      .handle("say", ({ params, payload: { text } }) => command(params.id, { type: "say", text }))
      .handle("end", ({ params }) => command(params.id, { type: "end" }))
      .handle("transfer", ({ params }) => command(params.id, { type: "transfer" }))
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
      .handle(
        "peaks",
        Effect.fnUntraced(function* ({ params, query: { points = 1_400 } }) {
          const { organizationId } = yield* requireScope("voice:read")
          return yield* peaks(organizationId, params.id, points)
        })
      )
      .handleRaw("recording", ({ params, request }) =>
        Effect.flatMap(requireScope("voice:read"), ({ organizationId }) =>
          recordingResponse(request, organizationId, params.id)
        )
      )
  })
)
