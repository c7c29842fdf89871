/**
 * Opens a call in one statement (`open_call`): it creates the call, its contact, its voice conversation and their events. This file builds the
 * records; the statement fills in times and the ids of existing rows.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { canonicalPhone, toE164 } from "../../../../domain/basics/Phone.ts"
import { type Conversation, noSla } from "../../../../domain/messaging/conversations/Conversation.ts"
import type { Contact } from "../../../../domain/people/contacts/Contact.ts"
import { isFinal } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallRecord, NewCall } from "../../../../domain/voice/calls/records/CallRecord.ts"
import { tellEvents } from "../../events/EventLog.ts"
import { iso } from "../../tenancy/Sql.ts"
import { outlasting } from "../../tenancy/Unreachable.ts"

interface OpenedRow {
  /** Null when a call with the provider's id existed already. */
  readonly callId: string | null
  readonly contactId: string | null
  readonly contactName: string | null
  readonly conversationId: string | null
  readonly createdAt: Date
  readonly told: boolean
}

/** A placeholder for a time that the statement fills in. */
const then = ""

/** A contact with nothing but a number. */
const newContact = (organizationId: string, phone: string): Contact => ({
  id: newId("cnt"),
  organizationId,
  phone,
  name: null,
  email: null,
  tags: [],
  optedIn: false,
  identities: [],
  archivedAt: null,
  lastSeenAt: null,
  createdAt: then,
  updatedAt: then
})

const newConversation = ({ organizationId, id, name, phone }: Contact): Conversation => ({
  id: newId("cnv"),
  organizationId,
  channel: "voice",
  status: "OPEN",
  assignee: null,
  labels: [],
  snoozedUntil: null,
  contact: { id, name, phone },
  unreadCount: 0,
  flagged: false,
  window: null,
  sla: noSla,
  lastMessage: null,
  lastActivityAt: then,
  createdAt: then,
  updatedAt: then
})

const newCall = ({
  organizationId,
  agentId,
  direction,
  status,
  endReason,
  from,
  to,
  callSid,
  test = false
}: NewCall): CallRecord => ({
  id: newId("call"),
  organizationId,
  agentId,
  contactId: null,
  conversationId: null,
  direction,
  status,
  endReason: endReason ?? null,
  from,
  to,
  callSid,
  dealId: null,
  test,
  failureReason: null,
  startedAt: null,
  endedAt: null,
  durationSeconds: null,
  interruptions: 0,
  falseInterruptions: 0,
  talkRatio: null,
  toolCallCount: 0,
  turns: [],
  transfer: null,
  recording: null,
  createdAt: then
})

/** Opens a call. When a call with the provider's id exists already, nothing is created and `call` is undefined. */
export const openCall = Effect.fnUntraced(function* (sql: PgClient.PgClient, input: NewCall) {
  const { organizationId } = input
  const now = yield* Clock.currentTimeMillis
  const phone = toE164(input.direction === "inbound" ? input.from : input.to)
  const contact = phone === undefined ? undefined : newContact(organizationId, canonicalPhone(phone))
  const call = newCall(input)
  // A call that no agent takes is over when it is opened.
  const over = isFinal(input.status)
  const open = sql<OpenedRow>`SELECT * FROM open_call(${organizationId}, ${sql.json(call)}::jsonb,
    ${contact === undefined ? null : sql.json(contact)}::jsonb, ${contact === undefined ? null : sql.json(newConversation(contact))}::jsonb,
    ${over}, ${newId("evt", now)}, ${newId("evt", now)}, ${newId("evt", now)}, ${new Date(now)})`
  // If the first attempt succeeded without a response, the retry finds the provider's id and creates nothing.
  const [opened] = yield* outlasting(open)
  if (opened.told) yield* tellEvents
  const { callId, contactName, contactId, conversationId } = opened
  if (callId === null) return { call: undefined, contactName }
  const createdAt = iso(opened.createdAt)
  return { call: { ...call, contactId, conversationId, createdAt, endedAt: over ? createdAt : null }, contactName }
})
