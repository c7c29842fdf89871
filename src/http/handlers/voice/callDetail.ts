/** A call with its transcript, its tool calls and its cost. */
import { Effect } from "effect"
import { usageOf } from "../../../domain/usage/Metering.ts"
import { VoiceUsage } from "../../../domain/usage/VoiceUsage.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { NotFound } from "../../wire/Errors.ts"

/** Makes the function that gives a call; it fails with 404 when there is none. Needs Calls and VoiceUsage. */
export const makeCallDetail = Effect.gen(function* () {
  const calls = yield* Calls
  const usage = yield* VoiceUsage
  return Effect.fnUntraced(function* (organizationId: string, callId: string) {
    const call = yield* calls.find(organizationId, callId)
    if (call === undefined) return yield* new NotFound({ error: "There is no such call." })
    const utterances = yield* calls.utterances(organizationId, callId)
    const toolCalls = yield* calls.toolCalls(organizationId, callId)
    const charge = yield* usage.ofCall(organizationId, callId)
    return { ...call, utterances, toolCalls, cost: charge === undefined ? null : usageOf(charge) }
  })
})
