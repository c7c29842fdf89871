/**
 * Events: what happened in an organization, for the live feed, outgoing webhooks and push notifications. An event is written in the transaction of
 * the change that it reports, so both are committed or neither is.
 */
import { Schema } from "effect"
import { JsonRecord } from "../basics/Json.ts"

/** All types of events. `EventData.ts` defines the data of each. */
export const eventTypes = [
  "contact.created",
  "contact.updated",
  "contact.archived",
  "contact.restored",
  "contact.merged",
  "contact.erased",
  "contact.opted_in",
  "contact.opted_out",
  "conversation.created",
  "conversation.assigned",
  "conversation.labeled",
  "conversation.noted",
  "conversation.updated",
  "conversation.resolved",
  "conversation.reopened",
  "conversation.sla_breached",
  "message.received",
  "message.queued",
  "message.status",
  "message.updated",
  "ai.allowance_used",
  "voice.allowance_used",
  "voice_agent.updated",
  "call.started",
  "call.ended",
  "call.recorded",
  "call.summarized",
  "broadcast.completed",
  "template.updated",
  "order.created",
  "order.updated",
  "order.paid",
  "cart.abandoned",
  "payment.created",
  "payment.completed",
  "payment.failed",
  "payment.expired",
  "payment.canceled",
  "payment.refunded",
  "payment.disputed",
  "connection.failed",
  "connection.recovered",
  "provider.failed",
  "provider.recovered",
  "webhook.disabled",
  "webhook.test"
] as const
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

export const Event = Schema.Struct({
  id: Schema.String,
  type: EventType,
  /** When the event happened, ISO 8601. */
  createdAt: Schema.String,
  data: JsonRecord
})
export type Event = typeof Event.Type
