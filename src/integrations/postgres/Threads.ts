/** Finding or making the contact and the conversation that a call belongs to. Runs inside the tenant's transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../domain/Ids.ts"

export interface Contact {
  readonly id: string
  readonly name: string | null
}

/** The contact with this number (E.164), made if new; locked, so that two calls of one caller find one conversation. */
export const contactOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, organizationId: string, phone: string) {
  yield* sql`INSERT INTO contacts (organization_id, id, phone) VALUES (${organizationId}, ${newId("cnt")}, ${phone})
    ON CONFLICT (organization_id, phone) DO NOTHING`
  const [contact] = yield* sql<Contact>`SELECT id, name FROM contacts WHERE phone = ${phone} FOR UPDATE`
  return contact
})

/** The contact's newest unresolved voice conversation, or a new OPEN one; gives its id. */
export const voiceConversationOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactId: string
) {
  const [known] = yield* sql<{ id: string }>`SELECT id FROM conversations
    WHERE contact_id = ${contactId} AND channel = 'voice' AND status <> 'RESOLVED'
    ORDER BY created_at DESC, id DESC LIMIT 1`
  if (known !== undefined) return known.id
  const id = newId("cnv")
  yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel)
    VALUES (${organizationId}, ${id}, ${contactId}, 'voice')`
  return id
})
