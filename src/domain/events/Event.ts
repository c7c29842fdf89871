/**
 * What happened in an organization, for those who want to know: the live feed, outgoing webhooks, push. An event is written in the
 * transaction of the change it tells of, so there is never one without the other.
 */
import { Schema } from "effect"
import { JsonRecord } from "../basics/Json.ts"

/** Every kind there is. What the data of each holds is in `EventData.ts`. */
export const eventTypes = [
  "contact.created",
  "contact.updated",
  "contact.archived",
  "contact.restored",
  "contact.erased",
  "contact.opted_in",
  "contact.opted_out",
  "conversation.created",
  "conversation.assigned",
  "conversation.resolved",
  "conversation.reopened",
  "conversation.sla_breached",
  "message.received",
  "message.queued",
  "message.status",
  "message.updated",
  "call.started",
  "call.ended",
  "call.recorded",
  "broadcast.completed",
  "template.updated",
  "payment.completed",
  "webhook.disabled",
  "webhook.test"
] as const
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

export const Event = Schema.Struct({
  id: Schema.String,
  type: EventType,
  /** When it happened, ISO 8601. */
  createdAt: Schema.String,
  data: JsonRecord
})
export type Event = typeof Event.Type
