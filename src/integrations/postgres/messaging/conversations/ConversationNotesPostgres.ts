/** The notes of conversations in Postgres. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { ConversationNote, ConversationNotes } from "../../../../domain/messaging/conversations/ConversationNote.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"
import { conversationWithId } from "./ConversationRows.ts"

interface NoteRow {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const decode = Schema.decodeUnknownEffect(Schema.Array(ConversationNote))

/** The records of these rows. */
const notes = (rows: ReadonlyArray<NoteRow>) =>
  decode(rows.map((row) => ({ ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) })))

/** The notes with these ids. Use it as the tenant. */
export const notesWithIds = (sql: PgClient.PgClient, ids: ReadonlyArray<string>) =>
  sql<NoteRow>`SELECT * FROM conversation_notes WHERE id = ANY (${ids}::text[])`.pipe(Effect.flatMap(notes))

/** All notes about a contact, oldest first. Use it as the tenant. */
export const notesAbout = (sql: PgClient.PgClient, contactId: string) =>
  sql<NoteRow>`SELECT n.* FROM conversation_notes n
    JOIN conversations v ON v.organization_id = n.organization_id AND v.id = n.conversation_id
    WHERE v.contact_id = ${contactId} ORDER BY n.created_at, n.id`.pipe(Effect.flatMap(notes))

/** Writes a note, with its event. `undefined` when there is no such conversation. Use it as the tenant. */
export const writeNote = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  conversationId: string,
  author: string,
  text: string
) {
  // The lock waits for a running erasure of the contact.
  const held = yield* sql`SELECT 1 FROM conversations WHERE id = ${conversationId} FOR KEY SHARE`
  if (held.length === 0) return undefined
  const now = yield* Clock.currentTimeMillis
  const at = new Date(now)
  const rows = yield* sql<NoteRow>`INSERT INTO conversation_notes
    (organization_id, id, conversation_id, author, text, created_at, updated_at)
    VALUES (${organizationId}, ${newId("nte", now)}, ${conversationId}, ${author}, ${text}, ${at}, ${at}) RETURNING *`
  const [note] = yield* notes(rows)
  // The conversation names the contact, so that an erasure finds the event.
  const conversation = yield* conversationWithId(sql, conversationId, now)
  if (conversation === undefined) return undefined
  yield* recordEvent(sql, organizationId, { type: "conversation.noted", data: { conversation, note } }, now)
  return note
})

export const layer = Layer.effect(
  ConversationNotes,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const exists = (conversationId: string) =>
      Effect.map(
        sql`SELECT 1 AS found FROM conversations WHERE id = ${conversationId}`,
        (conversations) => conversations.length > 0
      )

    const first = (rows: ReadonlyArray<NoteRow>) => Effect.map(notes(rows), (all) => all.at(0))

    const list = Effect.fnUntraced(function* (conversationId: string, part: Part) {
      if (!(yield* exists(conversationId))) return undefined
      const where = sql`conversation_id = ${conversationId}`
      return yield* newestFirst(sql, { table: "conversation_notes", where, decode: notes }, part)
    })

    return ConversationNotes.of({
      list: traced("ConversationNotes.list")(
        (organizationId, conversationId, part) => asTenant(organizationId)(list(conversationId, part)),
        Effect.orDie
      ),
      find: traced("ConversationNotes.find")(
        (organizationId, conversationId, id) =>
          asTenant(organizationId)(
            sql<NoteRow>`SELECT * FROM conversation_notes WHERE id = ${id} AND conversation_id = ${conversationId}`
          ).pipe(Effect.flatMap(first)),
        Effect.orDie
      ),
      write: traced("ConversationNotes.write")(
        (organizationId, conversationId, author, text) =>
          asTenant(organizationId)(writeNote(sql, organizationId, conversationId, author, text)),
        Effect.orDie
      ),
      rewrite: traced("ConversationNotes.rewrite")(
        (organizationId, conversationId, id, text) =>
          asTenant(organizationId)(
            sql<NoteRow>`UPDATE conversation_notes SET text = ${text}, updated_at = now()
              WHERE id = ${id} AND conversation_id = ${conversationId} RETURNING *`
          ).pipe(Effect.flatMap(first)),
        Effect.orDie
      ),
      remove: traced("ConversationNotes.remove")(
        (organizationId, conversationId, id) =>
          Effect.map(
            asTenant(organizationId)(
              sql`DELETE FROM conversation_notes WHERE id = ${id} AND conversation_id = ${conversationId} RETURNING id`
            ),
            (gone) => gone.length > 0
          ),
        Effect.orDie
      )
    })
  })
)
