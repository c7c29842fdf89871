/** Use case: the callee of an outbound call has answered, and the provider asks what to do. */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { Organizations, voiceRefusal } from "../../../people/organizations/Organization.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { type Answer, makeConnectCall, sentences, spokenAnswer } from "../live/ConnectCall.ts"
import { makeCallContext } from "../records/CallContext.ts"
import { isFinal } from "../records/CallProgress.ts"
import { Calls } from "../records/CallRecord.ts"
import { Placements } from "./Placement.ts"
import { RingingCalls } from "./RingingCalls.ts"

export interface AnsweredCall {
  readonly callId: string
  readonly callSid: string
  /** `AnsweredBy` of the provider; empty when machine detection is off. */
  readonly answeredBy: string
}

/** Needs the stores and the engine. The function it returns gives `undefined` when the account has no such call. */
export const makeAnswerOutbound = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const calls = yield* Calls
  const placements = yield* Placements
  const contextOf = yield* makeCallContext
  const connect = yield* makeConnectCall
  const ringing = yield* RingingCalls

  const answered = Effect.fnUntraced(function* (
    connection: TelephonyConnection,
    { callId, callSid, answeredBy }: AnsweredCall
  ): Effect.fn.Return<Answer | undefined> {
    const { organizationId, accountSid, authToken } = connection
    // The provider's answer to our request may not have arrived yet, or may be lost, so this webhook stores its call id too.
    if (!(yield* placements.placed(organizationId, callId, callSid))) return undefined
    const call = yield* calls.told(
      organizationId,
      { id: callId },
      {
        status: "in_progress",
        sequence: null,
        at: yield* Clock.currentTimeMillis,
        durationSeconds: null,
        failureReason: null
      }
    )
    if (call === undefined) return undefined
    if (isFinal(call.status)) return { _tag: "HangUp" }
    if (/^(machine|fax)/.test(answeredBy)) {
      yield* calls.close(organizationId, callId, "completed", "agent_hangup")
      return { _tag: "HangUp" }
    }
    const organization = yield* organizations.find(organizationId)
    const agent = call.agentId === null ? undefined : yield* agents.find(organizationId, call.agentId)
    if (organization === undefined || agent === undefined || voiceRefusal(organization) !== undefined) {
      yield* calls.close(organizationId, callId, "failed", "error")
      return spokenAnswer(sentences.unavailable)
    }
    const { direction, from, to } = call
    const context = yield* contextOf(call)
    const setup = { callId, accountSid, authToken, callSid, direction, from, to, contactName: null }
    return yield* connect(organization, agent, context === undefined ? setup : { ...setup, context }, {
      // The callee has answered: too late for a busy signal.
      status: "failed",
      answer: spokenAnswer(sentences.unreachable)
    })
  })

  return traced("AnswerOutbound.answered")(function* (connection: TelephonyConnection, call: AnsweredCall) {
    const answer = yield* answered(connection, call)
    // Only after the call has its slot. Earlier, a stopping process would wait for neither the ringing nor the live call.
    if (answer !== undefined) yield* ringing.settled(call.callId)
    return answer
  })
})
