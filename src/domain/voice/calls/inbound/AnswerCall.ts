/**
 * Use case: answer an inbound call whose webhook has been verified. Every call is recorded, also a call that no agent takes. A repeated
 * webhook finds the first record; if that call is over, the answer is a hang-up.
 */
import { Clock, Effect } from "effect"
import { calledNumber, toE164 } from "../../../basics/Phone.ts"
import { traced } from "../../../basics/Traced.ts"
import { isOpen } from "../../../people/organizations/BusinessHours.ts"
import { voiceRefusal } from "../../../people/organizations/Organization.ts"
import type { EndReason } from "../../engine/EndReason.ts"
import { CalledNumbers } from "../../telephony/CalledNumbers.ts"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { type Answer, makeConnectCall, sentences, spokenAnswer } from "../live/ConnectCall.ts"
import { isFinal } from "../records/CallProgress.ts"
import { Calls, type NewCall } from "../records/CallRecord.ts"
import { makeTakeVoicemail } from "./TakeVoicemail.ts"

export interface InboundCall {
  readonly callSid: string
  /** The numbers as the provider sent them: E.164, `sip:` or any text of the caller's carrier. */
  readonly from: string
  readonly to: string
}

/** Needs the stores and the engine; the function it returns needs nothing. */
export const makeAnswerCall = Effect.gen(function* () {
  const numbers = yield* CalledNumbers
  const calls = yield* Calls
  const connect = yield* makeConnectCall
  const messages = yield* makeTakeVoicemail

  /** Records a call that nobody takes, and says why to the caller. */
  const decline = Effect.fnUntraced(function* (call: Omit<NewCall, "status">, endReason: EndReason, sentence: string) {
    yield* calls.open({ ...call, status: "failed", endReason })
    return spokenAnswer(sentence)
  })

  return traced("AnswerCall.inbound")(function* (connection: TelephonyConnection, inbound: InboundCall) {
    const { organizationId, accountSid, authToken } = connection
    const to = calledNumber(inbound.to) ?? inbound.to
    const from = calledNumber(inbound.from) ?? toE164(inbound.from) ?? inbound.from
    const base = { organizationId, direction: "inbound", from, to, callSid: inbound.callSid } as const

    const { organization, agent } = yield* numbers.find(organizationId, to)
    if (organization === undefined || agent === undefined)
      return yield* decline({ ...base, agentId: null }, "error", sentences.unassigned)
    if (voiceRefusal(organization) !== undefined)
      return yield* decline({ ...base, agentId: agent.id }, "error", sentences.unavailable)

    const open = isOpen(organization.businessHours, organization.timeZone, yield* Clock.currentTimeMillis)
    const { call, contactName } = yield* calls.open({
      ...base,
      agentId: agent.id,
      ...(open ? { status: "ringing" } : { status: "completed", endReason: "outside_hours" })
    })
    // The first webhook of this call decides, even if business hours have begun when the webhook is repeated.
    if (call.endReason === "outside_hours") return yield* messages.greet(organization, agent, call.id)
    if (isFinal(call.status)) return { _tag: "HangUp" } satisfies Answer as Answer

    const { id: callId } = call
    const setup = {
      callId,
      accountSid,
      authToken,
      callSid: inbound.callSid,
      direction: "inbound",
      from,
      to,
      contactName
    } as const
    return yield* connect(organization, agent, setup, { status: "busy", answer: { _tag: "Busy" } })
  })
})
