/**
 * The ledger of consents. The service's database role may not change or delete its rows. Phone numbers are stored as hashes, so an archived or
 * erased contact leaves the evidence without its number (anyone who guesses the number can still confirm it). Runs inside the tenant's transaction.
 */
import { createHash } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { Acting } from "../../../../domain/people/access/Audit.ts"
import type { Contact } from "../../../../domain/people/contacts/Contact.ts"
import { ConsentEntry, erasureSource, type NewConsentEntry } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { iso } from "../../tenancy/Sql.ts"

export interface ConsentRow {
  readonly happenedAt: Date
  readonly recordedAt: Date
}

/** The SHA-256 that the ledger stores instead of a phone number or another subject. */
export const phoneHash = (organizationId: string, phone: string) =>
  createHash("sha256").update(`${organizationId}|${phone}`).digest()

/** The subject that the ledger hashes for a contact: its number, or its id when it has none. The database function `find_recipients` hashes alike. */
export const ledgerSubject = ({ id, phone }: Pick<Contact, "id" | "phone">): string => phone ?? `contact:${id}`

/** The record of a row. Fails when the row does not match the domain's schema. */
export const consentEntry = (row: ConsentRow) =>
  Schema.decodeUnknownEffect(ConsentEntry)({ ...row, at: iso(row.happenedAt), recordedAt: iso(row.recordedAt) })

type ConsentChannel = "voice" | "messaging"

const about = (sql: PgClient.PgClient, organizationId: string, subject: string, channel: ConsentChannel) =>
  sql`FROM consents WHERE phone_hash = ${phoneHash(organizationId, subject)} AND channel = ${channel}`
const entries = Effect.flatMap((rows: ReadonlyArray<ConsentRow>) => Effect.forEach(rows, consentEntry))

/** The newest entries about a subject (`ledgerSubject`), newest first, at most `limit`. */
export const newestConsents = (
  sql: PgClient.PgClient,
  organizationId: string,
  subject: string,
  channel: ConsentChannel,
  limit: number
) =>
  entries(
    sql<ConsentRow>`SELECT * ${about(sql, organizationId, subject, channel)} ORDER BY ordinal DESC LIMIT ${limit}`
  )

/** All entries about a subject (`ledgerSubject`), oldest first. */
export const allConsents = (sql: PgClient.PgClient, organizationId: string, subject: string, channel: ConsentChannel) =>
  entries(sql<ConsentRow>`SELECT * ${about(sql, organizationId, subject, channel)} ORDER BY ordinal`)

/** Adds an entry about a contact. Gives its row. */
export const addConsent = (
  sql: PgClient.PgClient,
  channel: ConsentChannel,
  contact: Pick<Contact, "organizationId" | "id" | "phone">,
  { action, at, source, text, recordedBy }: NewConsentEntry
) => sql<ConsentRow>`INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
  VALUES (${contact.organizationId}, ${newId("cns")}, ${contact.id}, ${phoneHash(contact.organizationId, ledgerSubject(contact))}, ${channel}, ${action}, ${new Date(at)},
    ${source}, ${text}, ${recordedBy}) RETURNING *`

interface Word {
  readonly phoneHash: Buffer
  readonly channel: ConsentChannel
}

/**
 * Withdraws every consent of a contact that is erased (`contactIds`: also the contacts merged into it). Its number gets a withdrawal in both
 * channels even if nothing was granted. Of other numbers, which the contact had earlier, only those where the contact's own consent is the newest.
 */
export const withdrawConsents = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  { phone, contactIds }: { readonly phone: string | null; readonly contactIds: ReadonlyArray<string> }
) {
  const { actor } = yield* Acting
  const numbers = phone === null ? [] : [phoneHash(organizationId, phone)]
  const words = yield* sql<Word>`WITH own AS (
      SELECT hash AS phone_hash, channel, true AS is_own FROM unnest(${numbers}::bytea[]) AS hash, unnest(ARRAY['voice', 'messaging']) AS channel
      UNION SELECT phone_hash, channel, false FROM consents WHERE contact_id = ANY(${contactIds}::text[]) AND phone_hash <> ALL(${numbers}::bytea[])
    ) SELECT phone_hash, channel FROM own LEFT JOIN LATERAL (
      SELECT c.action, c.contact_id FROM consents c WHERE c.phone_hash = own.phone_hash AND c.channel = own.channel ORDER BY c.ordinal DESC LIMIT 1
    ) newest ON true
    WHERE CASE WHEN is_own THEN newest.action IS DISTINCT FROM 'withdrawn'
      ELSE newest.action = 'granted' AND newest.contact_id = ANY(${contactIds}::text[]) END`
  const contactId = contactIds.at(-1) ?? ""
  yield* Effect.forEach(
    words,
    ({
      phoneHash,
      channel
    }) => sql`INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text,
      recorded_by) VALUES (${organizationId}, ${newId("cns")}, ${contactId}, ${phoneHash}, ${channel}, 'withdrawn', now(), ${erasureSource}, '', ${actor.id ?? actor.type})`,
    { discard: true }
  )
})

/**
 * Carries the newest consent about messages of a contact without a number (`from`) over to the number of `to`. It is carried only when its action is
 * one of `words` and the number has no later entry. Gives whether `to` has opted in: false when the newest entry of both is a withdrawal, true when a
 * consent was carried, `undefined` otherwise.
 */
export const carryWord = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  from: Pick<Contact, "organizationId" | "id">,
  to: { readonly id: string; readonly phone: string },
  words: ReadonlyArray<ConsentEntry["action"]>
) {
  const { organizationId } = from
  const unnumbered = phoneHash(organizationId, ledgerSubject({ id: from.id, phone: null }))
  const numbered = phoneHash(organizationId, to.phone)
  const [last] = yield* sql<{ action: ConsentEntry["action"]; isCarried: boolean }>`WITH last AS (
      SELECT *, phone_hash = ${unnumbered} AND action = ANY(${words}::text[]) AS is_carried FROM consents
        WHERE phone_hash IN (${unnumbered}, ${numbered}) AND channel = 'messaging' ORDER BY ordinal DESC LIMIT 1
    ), carried AS (
      INSERT INTO consents (organization_id, id, contact_id, phone_hash, channel, action, happened_at, source, text, recorded_by)
        SELECT organization_id, ${newId("cns")}, ${to.id}, ${numbered}, channel, action, happened_at, source, text, recorded_by
        FROM last WHERE is_carried
    ) SELECT action, is_carried FROM last`
  if (last?.action === "withdrawn") return false
  return last?.isCarried === true ? true : undefined
})
