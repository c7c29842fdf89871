/**
 * Erases a contact, inside the tenant's transaction. The port `ContactErasure.erase` says what is kept. Files are removed between transactions, some
 * at a time. That may take minutes; a repeated request goes on where the previous one stopped.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import type { ObjectKey } from "../../../domain/basics/ObjectStorage.ts"
import { writtenForms } from "../../../domain/basics/Phone.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { ContactBusy, ContactErasure, ContactHasFiles } from "../../../domain/privacy/ContactErasure.ts"
import { exportKey } from "../../../domain/privacy/ContactExport.ts"
import { removeRowsAbout } from "../imports/ImportRows.ts"
import { beginRemovals } from "../messaging/media/MediaRemoval.ts"
import { phoneHash, withdrawConsents } from "../people/contacts/ConsentLedger.ts"
import { withdrawEventsOf } from "../people/contacts/ContactEvents.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { tellingOfCall } from "../voice/calls/CallEventLog.ts"
import { blank, type CallRow, recordingParts, recordingsWithout } from "../voice/calls/CallRows.ts"

/** The number of calls whose recordings are removed at once, before the removal is noted. */
const callsAtOnce = 100

/** Inbox items that still have a payload. Each condition repeats that of a partial index; Postgres would not use the indexes if OR joined them. */
const unsettled = (sql: PgClient.PgClient) => {
  const where = (which: string) =>
    sql`SELECT i.organization_id, i.id, i.payload FROM channel_inbox i WHERE ${sql.literal(which)}`
  return sql`(${where("i.state = 'waiting' AND i.kind NOT IN ('media', 'template')")}
    UNION ALL ${where("i.state = 'waiting' AND i.kind IN ('media', 'template')")} UNION ALL ${where("i.state = 'failed'")}) AS i`
}

/**
 * Removes inbox items about the contact. The channel names people by phone number, mostly without the plus, or by its own user ids. Only a whole
 * JSON value counts as a match, because one number may be part of another. Settled items have no payload and are not read: there may be a week of
 * them, and an open transaction delays the events of all organizations.
 */
const eraseInboxItems = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  contactIds: ReadonlyArray<string>,
  phone: string | null
) {
  const identities = yield* sql<{
    userId: string
  }>`SELECT user_id FROM contact_identities WHERE contact_id = ANY(${contactIds}::text[])`
  const numbers = phone === null ? [] : writtenForms(phone).flatMap((form) => [form, form.slice(1)])
  const names = [...numbers, ...identities.map(({ userId }) => userId)]
  // Items for files that are still to be fetched name their message.
  const items = yield* sql<{ id: string }>`SELECT i.id FROM ${unsettled(sql)}
      WHERE EXISTS (SELECT 1 FROM unnest(${names}::text[]) AS name WHERE position(to_jsonb(name)::text in i.payload::text) > 0)
    UNION SELECT i.id FROM ${unsettled(sql)} JOIN messages m ON m.organization_id = i.organization_id AND m.id = i.payload ->> 'messageId'
      JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id
      WHERE v.contact_id = ANY(${contactIds}::text[])`
  yield* sql`DELETE FROM channel_inbox WHERE id = ANY(${items.map(({ id }) => id)}::text[])`
})

/**
 * Removes arrivals of integrations that name the contact and are still to be read, or were given up: by the digits of the number, the e-mail address, or
 * the integration's id of the contact. Rather one too many: the provider still has what it told. Those that were read have no payload.
 */
const eraseArrivals = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  contactIds: ReadonlyArray<string>,
  phone: string | null
) {
  const people = yield* sql<{
    name: string
  }>`SELECT lower_email AS name FROM contacts WHERE id = ANY(${contactIds}::text[]) AND email <> ''
    UNION SELECT to_jsonb(lower(remote_id))::text FROM app_links WHERE contact_id = ANY(${contactIds}::text[]) AND kind = 'contact'`
  const numbers = phone === null ? [] : writtenForms(phone).map((form) => form.replace(/\D/g, ""))
  const names = [...numbers, ...people.map(({ name }) => name)]
  yield* sql`DELETE FROM app_arrivals WHERE payload IS NOT NULL
    AND EXISTS (SELECT 1 FROM unnest(${names}::text[]) AS name WHERE position(name in lower(payload)) > 0
      OR (name ~ '^[0-9]+$' AND position(name in regexp_replace(payload, '[ ().-]', '', 'g')) > 0))`
})

interface Which {
  readonly organizationId: string
  readonly contactId: string
}

/** A worker that has a voicemail just now is done with it, or has died, after this time. */
const voicemailLeaseMs = 5 * 60_000

interface HeldCall {
  readonly id: string
  readonly recorded: boolean
  /** It waits in the queue of outbound calls. */
  readonly waiting: boolean
  /** It is on its way to the provider, rings or is talked in. */
  readonly running: boolean
}

/**
 * Locks the contact, the contacts merged into it and their calls until the transaction ends. Gives `undefined` when there is no such contact. Fails
 * with `ContactBusy` while a call is running.
 */
const hold = Effect.fnUntraced(function* (sql: PgClient.PgClient, contactId: string) {
  const [contact] = yield* sql<{
    phone: string | null
  }>`SELECT phone FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
  if (contact === undefined) return undefined
  const merged = yield* sql<{ id: string }>`SELECT id FROM contacts WHERE merged_into = ${contactId} FOR NO KEY UPDATE`
  const contactIds = [...merged.map(({ id }) => id), contactId]
  yield* sql`SELECT 1 FROM calls WHERE contact_id = ANY(${contactIds}::text[]) ORDER BY id FOR NO KEY UPDATE`
  // A statement of its own sees what was written by whoever held the calls before.
  const calls =
    yield* sql<HeldCall>`SELECT c.id, c.recordings <> '[]' AS recorded, coalesce(p.state = 'waiting', false) AS waiting,
      c.status IN ('queued', 'ringing', 'in_progress') AND p.state IS DISTINCT FROM 'waiting' AS running
    FROM calls c LEFT JOIN placements p ON p.organization_id = c.organization_id AND p.call_id = c.id
    WHERE c.contact_id = ANY(${contactIds}::text[]) ORDER BY c.id`
  // A running call would keep storing what is said.
  if (calls.some(({ running }) => running)) return yield* new ContactBusy({ contactId })
  return { phone: contact.phone, contactIds, calls }
})

/** Takes the waiting calls out of the queue. Fails with `ContactBusy` when one of them has just left it. */
const leaveQueue = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  contactId: string,
  calls: ReadonlyArray<HeldCall>
) {
  const waiting = calls.flatMap(({ id, waiting }) => (waiting ? [id] : []))
  const left =
    yield* sql`UPDATE placements SET state = 'done' WHERE call_id = ANY(${waiting}::text[]) AND state = 'waiting' RETURNING call_id`
  if (left.length < waiting.length) return yield* new ContactBusy({ contactId })
  return waiting
})

const cancelReason = "The contact was erased before the call was placed."

const cancel = (sql: PgClient.PgClient, callId: string) =>
  tellingOfCall(
    sql,
    callId,
    sql`UPDATE calls SET status = 'canceled', failure_reason = ${cancelReason}, ended_at = now() WHERE id = ${callId}`
  )

/** What was left as a voicemail is only to be removed at the provider now, however often that or its fetching has failed. */
const dropVoicemails = Effect.fnUntraced(function* (sql: PgClient.PgClient, callIds: ReadonlyArray<string>) {
  const free = new Date((yield* Clock.currentTimeMillis) + voicemailLeaseMs)
  yield* sql`UPDATE voicemails SET step = 'remove', attempts = 0, due_at = ${free} WHERE call_id = ANY(${callIds}::text[]) AND step <> 'done'`
})

/** Removes rows of imports about the contact. They are locked before contacts are. */
const eraseImportRows = Effect.fnUntraced(function* (sql: PgClient.PgClient, contactId: string) {
  const people = yield* sql<{
    phone: string | null
    email: string | null
  }>`SELECT phone, email FROM contacts WHERE id = ${contactId} OR merged_into = ${contactId}`
  yield* Effect.forEach(people, (person) => removeRowsAbout(sql, person), { discard: true })
})

/** Forgets the removed files in `gone`. Gives the next files that must be removed before the contact is erased; none when no file is left. */
const releaseFiles = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { organizationId, contactId }: Which,
  gone: ReadonlyArray<ObjectKey>
) {
  const held = yield* hold(sql, contactId)
  if (held === undefined) return []
  const { contactIds, calls } = held
  const recorded = calls.flatMap(({ id, recorded }) => (recorded ? [id] : []))
  if (gone.length > 0)
    yield* sql`UPDATE calls SET recordings = ${recordingsWithout(sql, gone)} WHERE id = ANY(${recorded}::text[])
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(recordings) part WHERE part ->> 'key' = ANY(${gone}::text[]))`
  // A worker that is making an export then finds it failed, and removes the file.
  yield* sql`UPDATE contact_exports SET status = 'failed', due_at = NULL, error = 'The contact is being erased.'
    WHERE contact_id = ANY(${contactIds}::text[]) AND status = 'queued'`
  const exports = yield* sql<{
    id: string
  }>`SELECT id FROM contact_exports WHERE contact_id = ANY(${contactIds}::text[])`
  const files = exports.map(({ id }) => ({ id, key: exportKey(organizationId, id) }))
  const over = files.flatMap(({ id, key }) => (gone.includes(key) ? [id] : []))
  yield* sql`DELETE FROM contact_exports WHERE id = ANY(${over}::text[])`
  const rows = yield* sql<Pick<CallRow, "recordings">>`SELECT recordings FROM calls
    WHERE id = ANY(${recorded}::text[]) AND recordings <> '[]' ORDER BY id LIMIT ${callsAtOnce}`
  const recordings = yield* Effect.forEach(rows, recordingParts)
  return [...recordings.flat(), ...files.filter(({ id }) => !over.includes(id))].map(({ key }) => key)
})

const eraseContact = Effect.fnUntraced(function* (sql: PgClient.PgClient, { organizationId, contactId }: Which) {
  yield* eraseImportRows(sql, contactId)
  const held = yield* hold(sql, contactId)
  if (held === undefined) return undefined
  const { phone, contactIds, calls } = held
  const exports = yield* sql`SELECT 1 FROM contact_exports WHERE contact_id = ANY(${contactIds}::text[]) LIMIT 1`
  if (exports.length > 0 || calls.some(({ recorded }) => recorded)) return yield* new ContactHasFiles({ contactId })
  const waiting = yield* leaveQueue(sql, contactId, calls)
  yield* withdrawConsents(sql, organizationId, held)
  // Every change of messages locks their conversation: a file that arrives is attached before this lock, or finds no message after the erasure.
  yield* sql`SELECT 1 FROM conversations WHERE contact_id = ANY(${contactIds}::text[]) ORDER BY id FOR NO KEY UPDATE`
  const media = yield* sql<{ mediaId: string }>`SELECT DISTINCT m.media_id FROM messages m JOIN conversations v
    ON v.organization_id = m.organization_id AND v.id = m.conversation_id
    WHERE v.contact_id = ANY(${contactIds}::text[]) AND m.media_id IS NOT NULL`

  const callIds = calls.map(({ id }) => id)
  yield* sql`DELETE FROM utterances WHERE call_id = ANY(${callIds}::text[])`
  yield* sql`DELETE FROM call_summaries WHERE call_id = ANY(${callIds}::text[])`
  yield* sql`UPDATE tool_calls SET arguments = ${blank}, result = ${blank} WHERE call_id = ANY(${callIds}::text[])`
  // With `erased`, utterances and recordings that arrive later are discarded.
  yield* sql`UPDATE calls SET erased = true,
      from_address = CASE direction WHEN 'inbound' THEN ${blank} ELSE from_address END,
      to_address = CASE direction WHEN 'inbound' THEN to_address ELSE ${blank} END
    WHERE id = ANY(${callIds}::text[])`
  yield* dropVoicemails(sql, callIds)
  const [{ conversations, messages }] = yield* sql<{ conversations: number; messages: number }>`SELECT
      count(DISTINCT v.id)::int AS conversations, count(m.id)::int AS messages FROM conversations v
    LEFT JOIN messages m ON m.organization_id = v.organization_id AND m.conversation_id = v.id
    WHERE v.contact_id = ANY(${contactIds}::text[])`
  yield* eraseInboxItems(sql, contactIds, phone)
  yield* eraseArrivals(sql, contactIds, phone)
  // Orders stay as records of a sale that names nobody.
  yield* sql`UPDATE carts SET contact_id = NULL, buyer_external_id = NULL, recovery_url = NULL
    WHERE contact_id = ANY(${contactIds}::text[])`
  yield* sql`UPDATE orders SET contact_id = NULL, conversation_id = NULL, buyer_external_id = NULL, notes = NULL, custom_fields = '{}'
    WHERE contact_id = ANY(${contactIds}::text[])`
  // So do payments.
  yield* sql`UPDATE payment_links SET contact_id = NULL, conversation_id = NULL, call_id = NULL, description = ${blank}, failure = NULL
    WHERE contact_id = ANY(${contactIds}::text[])`
  yield* sql`DELETE FROM call_notices WHERE call_id = ANY(${callIds}::text[])`
  // Foreign keys delete tags, identities, conversations, messages, notes, labels and links to companies too.
  yield* sql`DELETE FROM contacts WHERE id = ANY(${contactIds}::text[])`
  // The removal of the media begins in this transaction. If it began later and failed, nothing would link the files to the contact any more.
  const named = media.map(({ mediaId }) => mediaId)
  const mediaIds = yield* beginRemovals(sql, organizationId, named, { unlessUsed: true })
  // A customer's server may have returned the contact's data in its response.
  yield* sql`UPDATE webhook_deliveries d SET response = NULL FROM events e WHERE e.organization_id = ${organizationId}
    AND e.contact_id = ANY(${contactIds}::text[]) AND d.organization_id = e.organization_id AND d.event_id = e.id AND d.response IS NOT NULL`
  // What integrations were told of the contact, and what they call it. What they store is theirs to erase.
  for (const table of ["app_tasks", "app_links", "app_log"])
    yield* sql`DELETE FROM ${sql(table)} WHERE contact_id = ANY(${contactIds}::text[])`
  yield* withdrawEventsOf(sql, organizationId, contactIds)
  // Only now: the event of a canceled call names no contact, and stays.
  yield* Effect.forEach(waiting, (callId) => cancel(sql, callId), { discard: true })

  return {
    phoneHash: phone === null ? null : phoneHash(organizationId, phone).toString("hex"),
    conversations,
    messages,
    calls: calls.length,
    mediaIds
  }
})

export const layer = Layer.effect(
  ContactErasure,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return ContactErasure.of({
      releaseFiles: traced("ContactErasure.releaseFiles")((organizationId, contactId, gone) =>
        asTenant(organizationId)(releaseFiles(sql, { organizationId, contactId }, gone)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),
      erase: traced("ContactErasure.erase")((organizationId, contactId) =>
        asTenant(organizationId)(eraseContact(sql, { organizationId, contactId })).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      )
    })
  })
)
