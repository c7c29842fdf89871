/** A call with its summary, its transcript, its tool calls and its cost. */
import { Effect } from "effect"
import type { Principal } from "../../../domain/people/access/Access.ts"
import { seesCost } from "../../../domain/people/access/PeopleRules.ts"
import { usageOf } from "../../../domain/usage/Metering.ts"
import { VoiceUsage } from "../../../domain/usage/VoiceUsage.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { CallSummaries } from "../../../domain/voice/calls/records/CallSummary.ts"
import { NotFound } from "../../wire/Errors.ts"

/** Makes the function that gives a call; it fails with 404 when there is none. An AGENT gets no cost. Needs Calls, CallSummaries and VoiceUsage. */
export const makeCallDetail = Effect.gen(function* () {
  const calls = yield* Calls
  const summaries = yield* CallSummaries
  const usage = yield* VoiceUsage
  return Effect.fnUntraced(function* (caller: Principal, callId: string) {
    const { organizationId } = caller
    const call = yield* calls.find(organizationId, callId)
    if (call === undefined) return yield* new NotFound({ error: "There is no such call." })
    const summary = yield* summaries.find(organizationId, callId)
    const utterances = yield* calls.utterances(organizationId, callId)
    const toolCalls = yield* calls.toolCalls(organizationId, callId)
    const charge = seesCost(caller) ? yield* usage.ofCall(organizationId, callId) : undefined
    return { ...call, summary, utterances, toolCalls, cost: charge === undefined ? null : usageOf(charge) }
  })
})
