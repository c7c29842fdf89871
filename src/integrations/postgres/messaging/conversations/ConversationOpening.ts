/** Finds or creates the contact and the conversation that a call or a message belongs to. Runs inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { canonicalPhone } from "../../../../domain/basics/Phone.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import { recordEvents } from "../../events/EventLog.ts"
import { tellOfContact } from "../../people/contacts/ContactEvents.ts"
import { contactWithId } from "../../people/contacts/ContactRows.ts"
import { emptyConversations } from "./ConversationRows.ts"

export interface Contact {
  readonly id: string
  readonly name: string | null
}

/** The contact with this number (E.164), or the one it was merged into, created if new. Its row is locked, so that two calls of one caller at once use one conversation. */
export const contactOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, organizationId: string, phone: string) {
  const canonical = canonicalPhone(phone)
  const made = yield* sql<{ id: string }>`INSERT INTO contacts (organization_id, id, phone)
    VALUES (${organizationId}, ${newId("cnt")}, ${canonical}) ON CONFLICT (organization_id, phone) DO NOTHING RETURNING id`
  const record = made.length === 0 ? undefined : yield* contactWithId(sql, made[0].id)
  if (record !== undefined) yield* tellOfContact(sql, undefined, record)
  const [contact] = yield* sql<Contact>`SELECT id, name FROM hold_contact(${organizationId}, ${canonical}, NULL)`
  return contact
})

/** Locks the contact with this id, or the one it was merged into, so that two messages at once use one conversation. Gives its id. */
export const heldContact = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactId: string
) {
  const [held] = yield* sql<{ id: string }>`SELECT id FROM hold_contact(${organizationId}, NULL, ${contactId})`
  return held?.id ?? contactId
})

/** Gives the id of the contact's newest unresolved conversation on the channel, with its activity time set to now, or of a new OPEN one. */
export const conversationOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactId: string,
  channel: Channel
) {
  const [known] = yield* sql<{ id: string }>`UPDATE conversations SET last_activity_at = now() WHERE id = (
      SELECT id FROM conversations WHERE contact_id = ${contactId} AND channel = ${channel} AND status <> 'RESOLVED'
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) RETURNING id`
  if (known !== undefined) return known.id
  const id = newId("cnv")
  yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel)
    VALUES (${organizationId}, ${id}, ${contactId}, ${channel})`
  yield* tellOfNew(sql, organizationId, [id])
  return id
})

/** Records events for conversations that were just created and have no messages yet. */
export const tellOfNew = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  ids: ReadonlyArray<string>
) {
  if (ids.length === 0) return
  const now = yield* Clock.currentTimeMillis
  const conversations = yield* emptyConversations(sql, ids, now)
  const happened = conversations.map((conversation) => ({
    type: "conversation.created" as const,
    data: { conversation }
  }))
  yield* recordEvents(sql, organizationId, happened, now)
})
