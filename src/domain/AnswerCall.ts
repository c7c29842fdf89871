/**
 * Use case: what to do with an inbound call whose webhook has been verified. Every call is recorded, also the ones no agent
 * takes. A repeated webhook finds the first record; when that call is over, there is nothing left to answer but a hang-up.
 */
import { Effect } from "effect"
import { agentConfig } from "./AgentConfigs.ts"
import { type CallRecord, Calls, type NewCall } from "./CallRecord.ts"
import { type CallSetup, type EndReason, EngineClient } from "./EngineProtocol.ts"
import { Organizations, voiceRefusal } from "./Organization.ts"
import { calledNumber, toE164 } from "./Phone.ts"
import { PhoneNumbers, type TelephonyConnection } from "./PhoneNumber.ts"
import { VoiceAgents } from "./VoiceAgent.ts"

export interface InboundCall {
  readonly callSid: string
  /** As the provider sent them: E.164, `sip:` or anything a caller's carrier makes up. */
  readonly from: string
  readonly to: string
}

export type Answer =
  | { readonly _tag: "Connect"; readonly callId: string; readonly streamUrl: string; readonly token: string }
  | { readonly _tag: "Say"; readonly sentence: string }
  | { readonly _tag: "Busy" }
  | { readonly _tag: "HangUp" }

export const sentences = {
  unassigned: "The number you have called is not in service. Goodbye.",
  unavailable: "This service is not available at the moment. Goodbye.",
  unreachable: "We cannot take your call right now. Please try again later. Goodbye."
}

const over: ReadonlySet<CallRecord["status"]> = new Set(["completed", "busy", "no_answer", "failed", "canceled"])

/** Needs the stores and the engine once; the function it gives needs nothing. */
export const makeAnswerCall = Effect.gen(function* () {
  const organizations = yield* Organizations
  const numbers = yield* PhoneNumbers
  const agents = yield* VoiceAgents
  const calls = yield* Calls
  const engine = yield* EngineClient

  /** Records a call nobody takes. */
  const decline = Effect.fnUntraced(function* (call: Omit<NewCall, "status">, endReason: EndReason, sentence: string) {
    yield* calls.open({ ...call, status: "failed", endReason })
    return { _tag: "Say", sentence } satisfies Answer as Answer
  })

  return Effect.fn("AnswerCall.inbound")(function* (connection: TelephonyConnection, inbound: InboundCall) {
    const { organizationId, accountSid, authToken } = connection
    const to = calledNumber(inbound.to) ?? inbound.to
    const from = calledNumber(inbound.from) ?? toE164(inbound.from) ?? inbound.from
    const base = { organizationId, direction: "inbound", from, to, callSid: inbound.callSid } as const

    const organization = yield* organizations.find(organizationId)
    const agentId = yield* numbers.agentOf(organizationId, to)
    const agent = agentId === undefined ? undefined : yield* agents.find(organizationId, agentId)
    if (organization === undefined || agent === undefined)
      return yield* decline({ ...base, agentId: null }, "error", sentences.unassigned)
    if (voiceRefusal(organization) !== undefined)
      return yield* decline({ ...base, agentId: agent.id }, "error", sentences.unavailable)

    const { call, contactName } = yield* calls.open({ ...base, agentId: agent.id, status: "ringing" })
    if (over.has(call.status)) return { _tag: "HangUp" } satisfies Answer as Answer

    const config = agentConfig(agent, organization)
    const setup: CallSetup = {
      callId: call.id,
      agentId: agent.id,
      agentVersion: config.version,
      accountSid,
      callSid: inbound.callSid,
      authToken,
      direction: "inbound",
      from,
      to,
      contactName
    }
    const place = engine.placeCall(organizationId, setup)
    return yield* place.pipe(
      Effect.catchIf(
        (error) => error.status === 404,
        () => Effect.andThen(engine.putAgent(config), place)
      ),
      Effect.map(({ streamUrl, token }): Answer => ({ _tag: "Connect", callId: call.id, streamUrl, token })),
      Effect.catchIf(
        (error) => error.status === 429,
        () =>
          Effect.as(calls.close(organizationId, call.id, "busy", "capacity"), {
            _tag: "Busy"
          } satisfies Answer as Answer)
      ),
      Effect.catchTag("EngineProtocolError", (error) =>
        Effect.logWarning("the engine did not take a call", { callId: call.id, reason: error.message }).pipe(
          Effect.andThen(calls.close(organizationId, call.id, "failed", "error")),
          Effect.as({ _tag: "Say", sentence: sentences.unreachable } satisfies Answer as Answer)
        )
      )
    )
  })
})
