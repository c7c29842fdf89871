import { Effect } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { makeCommandCall } from "../../../domain/voice/calls/live/CommandCall.ts"
import { liveStateOf, makeActivities } from "../../../domain/voice/calls/live/LiveCall.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import type { CallCommand, CommandRefusal } from "../../../domain/voice/engine/CallCommand.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { Conflict, NotFound } from "../../wire/Errors.ts"
import { makeCallDetail } from "./callDetail.ts"
import { makeListCalls } from "./callList.ts"
import { ListenerAddresses } from "./ListenerAddresses.ts"
import { makePeaks } from "./peaks.ts"
import { makeRecordingResponse } from "./recording.ts"

/** What a refused command is answered with. */
const refusals: Readonly<Record<CommandRefusal, string>> = {
  full: "As many people as may listen to calls of this engine already. Try again when one of them has left.",
  absent: "This listener is not connected to the call. Open the address that `listen` gives, and try again.",
  with_person: "A person has this call at this moment.",
  with_agent: "No person has this call: its agent has it.",
  ending: "This call is ending."
}

/** Needs Calls, VoiceUsage, Organizations, Audit, ObjectStorage and ListenerAddresses. */
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

    /** Gives the organization of the caller. */
    const command = Effect.fnUntraced(function* (id: string, told: CallCommand) {
      const { organizationId } = yield* requireScope("calls:control")
      yield* commandCall(organizationId, id, told).pipe(
        Effect.catchTags({
          CallMissing: () => new NotFound({ error: "There is no such call." }),
          CallNotWithAgent: () =>
            new Conflict({
              error: "No agent has this call at this moment: it is over, not answered yet, or with a human."
            }),
          CallRefused: ({ refusal }) => new Conflict({ error: refusals[refusal] })
        })
      )
      return organizationId
    })
    const tell = (id: string, told: CallCommand) => Effect.as(command(id, told), { id, told: true as const })
    const { addressOf } = yield* ListenerAddresses
    const listen = Effect.fnUntraced(function* (id: string) {
      const listener = newId("lst")
      const organizationId = yield* command(id, { type: "listen", listener })
      return { id, listener, url: addressOf({ organizationId, callId: id, listener }) }
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
      .handle("say", ({ params, payload: { text } }) => tell(params.id, { type: "say", text }))
      .handle("end", ({ params }) => tell(params.id, { type: "end" }))
      .handle("transfer", ({ params }) => tell(params.id, { type: "transfer" }))
      .handle("listen", ({ params }) => listen(params.id))
      .handle("whisper", ({ params, payload: { text } }) => tell(params.id, { type: "whisper", text }))
      .handle("takeOver", ({ params, payload: { listener } }) => tell(params.id, { type: "take_over", listener }))
      .handle("handBack", ({ params }) => tell(params.id, { type: "hand_back" }))
      .handle(
        "list",
        Effect.fnUntraced(function* ({ query: { agentId, contactId, conversationId, ...query } }) {
          return yield* listCalls(yield* requireScope("voice:read"), query, { agentId, contactId, conversationId })
        })
      )
      .handle(
        "get",
        Effect.fnUntraced(function* ({ params }) {
          return yield* callDetail(yield* requireScope("voice:read"), params.id)
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
