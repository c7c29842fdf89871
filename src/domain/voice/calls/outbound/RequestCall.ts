/**
 * Use case: an agent shall call somebody. What stands against it is said at once; otherwise the call is recorded and queued. The call is named
 * after its operation, so a request that is carried out again, because its process died before it had answered, gives the call that is queued.
 */
import { Clock, Context, Effect, Schema } from "effect"
import { canonicalPhone, toE164 } from "../../../basics/Phone.ts"
import { plainText } from "../../../basics/PlainText.ts"
import { traced } from "../../../basics/Traced.ts"
import { idOfOperation, Operation } from "../../../people/access/Idempotency.ts"
import { Contacts } from "../../../people/contacts/Contact.ts"
import { concurrentCalls, Organizations } from "../../../people/organizations/Organization.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import { Calls } from "../records/CallRecord.ts"
import { makeOutboundGate } from "./OutboundGate.ts"
import { Dialer, Placements } from "./Placement.ts"

export const outboundDefaults = {
  /** Calls per second and account; the provider queues what comes faster. */
  callsPerSecond: 1,
  /** A call that waited longer for its turn is not placed any more. */
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
})
export type OutboundRequest = typeof OutboundRequest.Type

/** 400: `message` is a sentence that names the field. */
export class InvalidCall extends Schema.TaggedError<InvalidCall>()("InvalidCall", { message: Schema.String }) {}
/** 403: plan, flag, hours, consent or a do-not-call list. */
export class CallNotAllowed extends Schema.TaggedError<CallNotAllowed>()("CallNotAllowed", {
  message: Schema.String
}) {}
/** 404: `what` is not there, or another organization's. */
export class NoSuch extends Schema.TaggedError<NoSuch>()("NoSuch", {
  what: Schema.Literals(["voice agent", "contact"])
}) {}

/** Needs the stores once; the function it gives fails with InvalidCall, CallNotAllowed, NoSuch or TooManyCalls. */
export const makeRequestCall = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const contacts = yield* Contacts
  const calls = yield* Calls
  const placements = yield* Placements
  const dialer = yield* Dialer
  const policy = yield* OutboundPolicy
  const gate = yield* makeOutboundGate

  /** A contact that is named must be there, and be the one who is called: consent belongs to a number. */
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
    const organization = yield* organizations.find(organizationId)
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
