/**
 * The data of each type of event: records under their names, as the REST interface shows them. This is the only definition: the compiler checks code
 * that records events against it, and `/openapi.json` is made from it.
 */
import { Schema } from "effect"
import { ToldConnection } from "../apps/AppConnection.ts"
import { exampleIds } from "../basics/Examples.ts"
import { Cart } from "../business/carts/Cart.ts"
import { Order } from "../business/orders/Order.ts"
import { Broadcast } from "../messaging/broadcasts/Broadcast.ts"
import { Conversation } from "../messaging/conversations/Conversation.ts"
import { ConversationNote } from "../messaging/conversations/ConversationNote.ts"
import { Message } from "../messaging/conversations/Message.ts"
import { SlaTarget } from "../messaging/conversations/Sla.ts"
import { Template } from "../messaging/templates/Templates.ts"
import { PaymentLink } from "../payments/PaymentLink.ts"
import { Contact } from "../people/contacts/Contact.ts"
import { CallRecord } from "../voice/calls/records/CallRecord.ts"
import { CallSummary } from "../voice/calls/records/CallSummary.ts"
import type { EventType } from "./Event.ts"
import { ToldProvider } from "./Outage.ts"
import { WebhookEndpoint } from "./Webhook.ts"

const contact = Schema.Struct({ contact: Contact })
const conversation = Schema.Struct({ conversation: Conversation })
const message = Schema.Struct({ message: Message })
const call = Schema.Struct({ call: CallRecord })
const appConnection = Schema.Struct({ connection: ToldConnection })
/** A record of which only the id remains or is shown. */
const onlyId = (example: string) => Schema.Struct({ id: Schema.String }).annotate({ examples: [{ id: example }] })
/** `contact`: who ordered. An erasure finds the event by it. */
const order = Schema.Struct({ order: Order, contact: Schema.NullOr(onlyId(exampleIds.contact)) })
/** `contact`: who is asked to pay. An erasure finds the event by it. */
const payment = Schema.Struct({ payment: PaymentLink, contact: Schema.NullOr(onlyId(exampleIds.contact)) })

export const eventData = {
  "contact.created": contact,
  "contact.updated": contact,
  "contact.archived": contact,
  "contact.restored": contact,
  /** `merged`: the record that was merged into `contact`. */
  "contact.merged": Schema.Struct({ contact: Contact, merged: onlyId(exampleIds.otherContact) }),
  "contact.erased": Schema.Struct({ contact: onlyId(exampleIds.contact) }),
  "contact.opted_in": contact,
  "contact.opted_out": contact,
  "conversation.created": conversation,
  "conversation.assigned": Schema.Struct({
    conversation: Conversation,
    /** Whose doing it is: a person (`usr_…`) who assigned it or has answered, or an API key (`key_…`); absent: an agent's or the service's. */
    by: Schema.optionalKey(Schema.String)
  }),
  "conversation.labeled": conversation,
  "conversation.noted": Schema.Struct({ conversation: Conversation, note: ConversationNote }),
  "conversation.updated": conversation,
  "conversation.resolved": conversation,
  "conversation.reopened": conversation,
  "conversation.sla_breached": Schema.Struct({
    conversation: Conversation,
    target: SlaTarget,
    /** When the target was due. */
    dueAt: Schema.NullOr(Schema.String).annotate({ examples: ["2026-11-21T10:00:00.000Z"] })
  }),
  "message.received": message,
  "message.queued": message,
  "message.status": message,
  "message.updated": message,
  "ai.allowance_used": Schema.Struct({
    usage: Schema.Struct({
      /** In the organization's time zone. */
      month: Schema.String,
      allowance: Schema.Int,
      used: Schema.Int
    })
  }).annotate({ examples: [{ usage: { month: "2026-11", allowance: 200_000, used: 200_412 } }] }),
  "voice.allowance_used": Schema.Struct({
    usage: Schema.Struct({
      /** In the organization's time zone. */
      month: Schema.String,
      /** Minutes that are included in the month. */
      allowance: Schema.Int,
      used: Schema.Int,
      /** The price of each further minute, USD. */
      overagePrice: Schema.String
    })
  }).annotate({
    examples: [{ usage: { month: "2026-11", allowance: 500, used: 503, overagePrice: "0.120000" } }]
  }),
  "voice_agent.updated": Schema.Struct({
    agent: Schema.Struct({ id: Schema.String, name: Schema.String, deleted: Schema.Boolean, updatedAt: Schema.String })
  }).annotate({
    examples: [
      {
        agent: { id: exampleIds.agent, name: "Front desk", deleted: false, updatedAt: "2026-11-21T09:30:00.000Z" }
      }
    ]
  }),
  "call.started": call,
  "call.ended": call,
  "call.recorded": call,
  "call.summarized": Schema.Struct({ call: CallRecord, summary: CallSummary }),
  "broadcast.completed": Schema.Struct({ broadcast: Broadcast }),
  "template.updated": Schema.Struct({ template: Template }),
  "order.created": order,
  "order.updated": order,
  "order.paid": order,
  "cart.abandoned": Schema.Struct({ cart: Cart, contact: Schema.NullOr(onlyId(exampleIds.contact)) }),
  "payment.created": payment,
  "payment.completed": payment,
  "payment.failed": payment,
  "payment.expired": payment,
  "payment.canceled": payment,
  "payment.refunded": payment,
  "payment.disputed": payment,
  "connection.failed": appConnection,
  "connection.recovered": appConnection,
  "provider.failed": Schema.Struct({ provider: ToldProvider }),
  "provider.recovered": Schema.Struct({ provider: ToldProvider }),
  "webhook.disabled": Schema.Struct({ webhook: WebhookEndpoint }),
  "webhook.test": Schema.Struct({
    webhook: onlyId(exampleIds.webhook),
    sentAt: Schema.String.annotate({ examples: ["2026-11-21T09:30:00.000Z"] })
  })
} as const satisfies Record<EventType, Schema.Top>

/** An event to record: its type, and the data of that type. */
export type NewEvent = {
  readonly [Type in EventType]: { readonly type: Type; readonly data: (typeof eventData)[Type]["Type"] }
}[EventType]
