/**
 * Use case: have an agent call somebody. A call that is not allowed is refused at once; otherwise it is recorded and queued. The call's id
 * comes from its operation. So if the process dies before it answers and the request runs again, it returns the call already queued.
 */
import { Clock, Context, Effect, Schema } from "effect"
import { exampleIds } from "../../../basics/Examples.ts"
import { canonicalPhone, toE164 } from "../../../basics/Phone.ts"
import { plainText } from "../../../basics/PlainText.ts"
import { traced } from "../../../basics/Traced.ts"
import { idOfOperation, Operation } from "../../../people/access/Idempotency.ts"
import { Contacts } from "../../../people/contacts/Contact.ts"
import { concurrentCalls } from "../../../people/organizations/Organization.ts"
import { makeOrganizationOf } from "../../../people/organizations/PlanGate.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import { Calls } from "../records/CallRecord.ts"
import { makeOutboundGate } from "./OutboundGate.ts"
import { Dialer, Placements } from "./Placement.ts"

export const outboundDefaults = {
  /** Calls per second and account. The provider queues calls that come faster. */
  callsPerSecond: 1,
  /** A call that waits longer than this in the queue is not placed. */
  queueSeconds: 60,
  /** How long the callee's telephone rings. */
  ringSeconds: 30,
  machineDetection: false
}

export class OutboundPolicy extends Context.Service<
  OutboundPolicy,
  typeof outboundDefaults & {
    /** Address of the telephony webhooks, e.g. `https://app.example.com/api/webhooks/telephony`. */
    readonly webhooks: string
  }
>()("parley/domain/OutboundPolicy") {}

export const OutboundRequest = Schema.Struct({
  /** The callee, E.164. */
  to: Schema.String,
  contactId: Schema.optionalKey(plainText(200)),
  dealId: Schema.optionalKey(plainText(200))
}).annotate({ title: "NewCall", examples: [{ to: "+14155550123", contactId: exampleIds.contact }] })
export type OutboundRequest = typeof OutboundRequest.Type

/** HTTP 400. `message` is a sentence that names the field. */
export class InvalidCall extends Schema.TaggedError<InvalidCall>()("InvalidCall", { message: Schema.String }) {}
/** HTTP 403: plan, flag, business hours, consent or a do-not-call list forbids the call. */
export class CallNotAllowed extends Schema.TaggedError<CallNotAllowed>()("CallNotAllowed", {
  message: Schema.String
}) {}
/** HTTP 404: `what` does not exist, or belongs to another organization. */
export class NoSuch extends Schema.TaggedError<NoSuch>()("NoSuch", {
  what: Schema.Literals(["voice agent", "contact"])
}) {}

/** Needs the stores. The function it returns gives the queued call, or fails with InvalidCall, CallNotAllowed, NoSuch or TooManyCalls. */
export const makeRequestCall = Effect.gen(function* () {
  const organizationOf = yield* makeOrganizationOf
  const agents = yield* VoiceAgents
  const contacts = yield* Contacts
  const calls = yield* Calls
  const placements = yield* Placements
  const dialer = yield* Dialer
  const policy = yield* OutboundPolicy
  const gate = yield* makeOutboundGate

  /** A named contact must exist and have the called number, because consent belongs to a number. */
  const checkContact = Effect.fnUntraced(function* (organizationId: string, contactId: string, to: string) {
    const contact = yield* contacts.find(organizationId, contactId)
    if (contact === undefined) return yield* new NoSuch({ what: "contact" })
    if (contact.phone !== canonicalPhone(to))
      return yield* new InvalidCall({ message: "to must be the number of the contact that contactId names." })
  })

  return traced("RequestCall.request")(function* (
    organizationId: string,
    agentId: string,
    { to, contactId, dealId }: OutboundRequest
  ) {
    const now = yield* Clock.currentTimeMillis
    const operation = yield* Operation
    const callId = idOfOperation("call", operation, now)
    const before = operation === undefined ? undefined : yield* calls.find(organizationId, callId)
    if (before !== undefined) return before
    const phone = toE164(to)
    if (phone === undefined)
      return yield* new InvalidCall({ message: "to must be a phone number with its country code, like +14155550123." })
    const organization = yield* organizationOf(organizationId)
    const agent = yield* agents.find(organizationId, agentId)
    if (organization === undefined || agent === undefined) return yield* new NoSuch({ what: "voice agent" })
    if (agent.phoneNumber === null)
      return yield* new InvalidCall({ message: "The agent has no phone number to call from; assign one to it first." })
    if (contactId !== undefined) yield* checkContact(organizationId, contactId, phone)
    const refusal = yield* gate(organization, phone)
    if (refusal !== undefined) return yield* new CallNotAllowed({ message: refusal.sentence })
    const call = yield* placements.request(
      {
        organizationId,
        callId,
        agentId,
        from: agent.phoneNumber,
        to: phone,
        dealId: dealId ?? null,
        concurrentCalls: concurrentCalls(organization),
        notAfter: now + policy.queueSeconds * 1_000
      },
      now
    )
    yield* dialer.wake
    return call
  })
})
