/** Exports of contacts in Postgres: the records of the exports, and the data that goes into them. */
import { Clock, Effect, Layer, Option, Schema, Stream } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  ContactDossier,
  ContactExport,
  ContactExports,
  type ExportedLink,
  type ExportJob,
  exportLifetimeMs
} from "../../../domain/privacy/ContactExport.ts"
import { rowsAbout } from "../imports/ImportRows.ts"
import { threadsAbout } from "../messaging/agents/ExportedThreads.ts"
import { notesAbout } from "../messaging/conversations/ConversationNotesPostgres.ts"
import {
  type ConversationRow,
  conversations,
  selectConversations
} from "../messaging/conversations/ConversationRows.ts"
import { type MessageRow, messages, selectMessages } from "../messaging/conversations/MessageRows.ts"
import { allConsents, ledgerSubject } from "../people/contacts/ConsentLedger.ts"
import { contactWithId } from "../people/contacts/ContactRows.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { dueExports } from "./AcrossTenants.ts"
import { purchasesOf } from "./ExportedPurchases.ts"

interface Row {
  readonly sizeBytes: string | null
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly expiresAt: Date
}

const decode = (row: Row) =>
  Schema.decodeUnknownEffect(ContactExport)({
    ...row,
    sizeBytes: row.sizeBytes === null ? null : Number(row.sizeBytes),
    createdAt: iso(row.createdAt),
    completedAt: isoOrNull(row.completedAt),
    expiresAt: iso(row.expiresAt)
  })

export const layer = Layer.effect(
  ContactExports,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const newest = (contactId: string, now: number) => sql<Row>`SELECT * FROM contact_exports
      WHERE contact_id = ${contactId} AND expires_at > ${new Date(now)} ORDER BY created_at DESC, id DESC LIMIT 1`

    const request = Effect.fnUntraced(function* (organizationId: string, contactId: string, by: string, now: number) {
      // The lock allows one request at a time per contact, and waits for a running erasure.
      const contacts = yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
      if (contacts.length === 0) return undefined
      const [known] =
        yield* sql<Row>`SELECT * FROM contact_exports WHERE contact_id = ${contactId} AND status = 'queued' LIMIT 1`
      if (known !== undefined) return yield* decode(known)
      const at = new Date(now)
      const [made] =
        yield* sql<Row>`INSERT INTO contact_exports (organization_id, id, contact_id, status, requested_by, due_at,
          created_at, expires_at)
        VALUES (${organizationId}, ${newId("exp", now)}, ${contactId}, 'queued', ${by}, ${at}, ${at},
          ${new Date(now + exportLifetimeMs)}) RETURNING *`
      return yield* decode(made)
    })

    const update = (job: ExportJob, changes: Fragment) =>
      asTenant(job.organizationId)(
        sql`UPDATE contact_exports SET ${changes} WHERE id = ${job.id} AND status = 'queued' RETURNING id`
      ).pipe(Effect.orDie)

    return ContactExports.of({
      request: traced("ContactExports.request")(function* (organizationId, contactId, by, now) {
        return yield* asTenant(organizationId)(request(organizationId, contactId, by, now))
      }, Effect.orDie),

      newest: traced("ContactExports.newest")(function* (organizationId, contactId, now) {
        const [row] = yield* asTenant(organizationId)(newest(contactId, now))
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie),

      claim: traced("ContactExports.claim")(function* (now, leaseMs, most) {
        const work = (yield* dueExports(sql, now, most)).filter(({ expired }) => !expired)
        const claimed = yield* Effect.forEach(work, ({ organizationId, id }) =>
          asTenant(organizationId)(
            sql<ExportJob>`UPDATE contact_exports SET due_at = ${new Date(now + leaseMs)}
              WHERE id = ${id} AND due_at <= ${new Date(now)} RETURNING organization_id, id, contact_id, attempts`
          )
        )
        return claimed.flat()
      }, Effect.orDie),

      extend: traced("ContactExports.extend")((job, until) =>
        Effect.asVoid(update(job, sql`due_at = ${new Date(until)}`))
      ),

      completed: traced("ContactExports.completed")((job, sizeBytes, now) =>
        Effect.map(
          update(
            job,
            sql`status = 'completed', due_at = NULL, size_bytes = ${sizeBytes}, completed_at = ${new Date(now)},
              expires_at = ${new Date(now + exportLifetimeMs)}`
          ),
          (rows) => rows.length > 0
        )
      ),

      postpone: traced("ContactExports.postpone")((job, dueAt) =>
        Effect.asVoid(update(job, sql`attempts = attempts + 1, due_at = ${new Date(dueAt)}`))
      ),

      failed: traced("ContactExports.failed")((job, error) =>
        Effect.asVoid(update(job, sql`attempts = attempts + 1, status = 'failed', due_at = NULL, error = ${error}`))
      ),

      expired: traced("ContactExports.expired")(function* (now, most) {
        return (yield* dueExports(sql, now, most)).filter(({ expired }) => expired)
      }, Effect.orDie),

      remove: traced("ContactExports.remove")(function* ({ organizationId, id }) {
        yield* asTenant(organizationId)(sql`DELETE FROM contact_exports WHERE id = ${id}`)
      }, Effect.orDie)
    })
  })
)

/** The number of messages that one query reads. */
const pageSize = 500

/** Reads the data of a contact for its export. */
export const dossierLayer = Layer.effect(
  ContactDossier,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ids = (organizationId: string, select: Fragment) =>
      asTenant(organizationId)(sql<{ id: string }>`${select}`).pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie
      )

    const messagesAfter = (contactId: string, { at, id }: { readonly at: Date; readonly id: string }) =>
      sql<MessageRow>`${selectMessages(sql)} WHERE v.contact_id = ${contactId} AND (m.created_at, m.id) > (${at}, ${id})
        ORDER BY m.created_at, m.id LIMIT ${pageSize}`

    return ContactDossier.of({
      contact: traced("ContactDossier.contact")(function* (organizationId, contactId) {
        return yield* asTenant(organizationId)(contactWithId(sql, contactId))
      }, Effect.orDie),

      consents: traced("ContactDossier.consents")(function* (organizationId, contact) {
        const subject = ledgerSubject(contact)
        return yield* asTenant(organizationId)(
          Effect.all({
            voice: allConsents(sql, organizationId, subject, "voice"),
            messaging: allConsents(sql, organizationId, subject, "messaging")
          })
        )
      }, Effect.orDie),

      conversations: traced("ContactDossier.conversations")(function* (organizationId, contactId) {
        const rows = yield* asTenant(organizationId)(
          sql<ConversationRow>`${selectConversations(sql)} WHERE v.contact_id = ${contactId} ORDER BY v.created_at, v.id`
        )
        return yield* conversations(rows, () => undefined, yield* Clock.currentTimeMillis)
      }, Effect.orDie),

      notes: traced("ContactDossier.notes")(
        (organizationId, contactId) => asTenant(organizationId)(notesAbout(sql, contactId)),
        Effect.orDie
      ),

      agentThreads: traced("ContactDossier.agentThreads")(
        (organizationId, contactId) => asTenant(organizationId)(threadsAbout(sql, contactId)),
        Effect.orDie
      ),

      purchases: traced("ContactDossier.purchases")(
        (organizationId, contactId) => asTenant(organizationId)(purchasesOf(sql, organizationId, contactId)),
        Effect.orDie
      ),
      links: traced("ContactDossier.links")(function* (organizationId, contactId) {
        const rows = yield* asTenant(organizationId)(
          sql<
            Omit<ExportedLink, "updatedAt"> & { readonly updatedAt: Date }
          >`SELECT a.provider, l.kind, l.local_id AS id,
              l.remote_id AS external_id, l.fields, l.updated_at FROM app_links l
            JOIN app_connections a ON a.organization_id = l.organization_id AND a.id = l.connection_id
            WHERE l.contact_id = ${contactId} ORDER BY a.provider, l.kind, l.local_id`
        )
        return rows.map(({ updatedAt, ...link }) => ({ ...link, updatedAt: iso(updatedAt) }))
      }, Effect.orDie),

      importRows: traced("ContactDossier.importRows")(
        (organizationId, { phone }) => asTenant(organizationId)(rowsAbout(sql, phone)),
        Effect.orDie
      ),

      messages: (organizationId, contactId) =>
        Stream.paginate({ at: new Date(0), id: "" }, (after) =>
          asTenant(organizationId)(messagesAfter(contactId, after)).pipe(
            Effect.flatMap((rows) =>
              Effect.map(messages(rows), (shown) => {
                const last = rows.at(-1)
                const more = last !== undefined && rows.length === pageSize
                return [shown, more ? Option.some({ at: last.createdAt, id: last.id }) : Option.none()] as const
              })
            ),
            Effect.orDie
          )
        ),

      mediaIds: traced("ContactDossier.mediaIds")((organizationId, contactId) =>
        ids(
          organizationId,
          sql`SELECT DISTINCT m.media_id AS id FROM messages m JOIN conversations v
            ON v.organization_id = m.organization_id AND v.id = m.conversation_id
            WHERE v.contact_id = ${contactId} AND m.media_id IS NOT NULL ORDER BY 1`
        )
      ),

      callIds: traced("ContactDossier.callIds")((organizationId, contactId) =>
        ids(organizationId, sql`SELECT id FROM calls WHERE contact_id = ${contactId} ORDER BY created_at, id`)
      )
    })
  })
)
