/** Merges two contacts, in one transaction. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { traced } from "../../../../domain/basics/Traced.ts"
import { type Contact, NoSuchContact, searchable } from "../../../../domain/people/contacts/Contact.ts"
import {
  ContactMerging,
  type MergeRequest,
  mergedFields,
  UnmergeableContacts
} from "../../../../domain/people/contacts/MergeContacts.ts"
import type { NewConsentEntry } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"
import { addConsent, ledgerSubject, newestConsents } from "./ConsentLedger.ts"
import { moveBelongings, standFor } from "./ContactBelongings.ts"
import { tellOfContact } from "./ContactEvents.ts"
import { contactWithId } from "./ContactRows.ts"

/** The source of a withdrawal that a merge carries over to the person's other number. */
const mergeSource = "merge"

/**
 * Waiting recipients of broadcasts become the contact that stays, unless it gets the broadcast itself. They are locked before contacts. What is left waits for
 * an archived contact, and is skipped.
 */
const moveRecipients = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: string, to: string) {
  yield* sql`SELECT 1 FROM broadcast_recipients WHERE contact_id = ${from} AND status = 'waiting' ORDER BY broadcast_id FOR NO KEY UPDATE`
  yield* sql`UPDATE broadcast_recipients r SET contact_id = ${to} WHERE r.contact_id = ${from} AND r.status = 'waiting'
    AND NOT EXISTS (SELECT 1 FROM broadcast_recipients o WHERE o.broadcast_id = r.broadcast_id AND o.contact_id = ${to})`
})

/** Whether `from` was merged into `stays` before. Fails when the two cannot be merged. `lock`: how their rows are locked. */
const judge = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  stays: string,
  from: string,
  lock: Statement.Fragment
) {
  const rows = yield* sql<{
    id: string
    mergedInto: string | null
    archivedAt: Date | null
  }>`SELECT id, merged_into, archived_at
    FROM contacts WHERE id IN (${stays}, ${from}) ORDER BY id ${lock}`
  const held = new Map(rows.map((row) => [row.id, row]))
  const [staying, coming] = [held.get(stays), held.get(from)]
  if (staying === undefined || coming === undefined)
    return yield* new NoSuchContact({ id: staying === undefined ? stays : from })
  const refused = (reason: string) => new UnmergeableContacts({ reason })
  if (staying.mergedInto !== null)
    return yield* refused(`This contact was merged into ${staying.mergedInto}: merge the other one into that.`)
  if (staying.archivedAt !== null) return yield* refused("This contact is archived: restore it before.")
  if (coming.mergedInto !== null && coming.mergedInto !== stays)
    return yield* refused(`The other contact was merged into ${coming.mergedInto} before.`)
  return coming.mergedInto === stays
})

/** Locks both contacts, by id, and those that were merged into `from`. True: nothing is locked, as `from` was merged into `stays` before. */
const isMerged = Effect.fnUntraced(function* (sql: PgClient.PgClient, stays: string, from: string) {
  if (yield* judge(sql, stays, from, sql``)) return true
  yield* moveRecipients(sql, from, stays)
  const isDone = yield* judge(sql, stays, from, sql`FOR NO KEY UPDATE`)
  yield* sql`SELECT 1 FROM contacts WHERE merged_into = ${from} ORDER BY id FOR NO KEY UPDATE`
  return isDone
})

/**
 * Carries a withdrawal of either contact over to both, in either channel: the stricter word holds for the person. Gives whether messages are not wanted.
 */
const withdrawForBoth = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  contacts: ReadonlyArray<Contact>,
  entry: NewConsentEntry
) {
  const withdrew = { voice: false, messaging: false }
  for (const channel of ["voice", "messaging"] as const) {
    const words = yield* Effect.forEach(contacts, (contact) =>
      Effect.map(
        newestConsents(sql, contact.organizationId, ledgerSubject(contact), channel, 1),
        ([newest]) => newest?.action
      )
    )
    withdrew[channel] = words.includes("withdrawn")
    if (!withdrew[channel]) continue
    const others = contacts.filter((_, at) => words[at] !== "withdrawn")
    yield* Effect.forEach(others, (contact) => addConsent(sql, channel, contact, entry), { discard: true })
  }
  return withdrew.messaging
})

/** Stores the fields of both. One of two numbers stays with the merged contact, so that whoever calls from it is still known. */
const writeFields = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  stays: Contact,
  from: Contact,
  { phone, name, email, tags, optedIn }: ReturnType<typeof mergedFields>
) {
  const isTaken = phone !== stays.phone
  // A number is one contact's at every moment.
  if (isTaken) yield* sql`UPDATE contacts SET phone = NULL WHERE id = ${from.id}`
  yield* sql`UPDATE contacts SET phone = ${phone}, name = ${name}, searchable_name = ${searchable(name ?? "")}, email = ${email},
    tags = ${tags}::text[], opted_in = ${optedIn}, updated_at = now() WHERE id = ${stays.id}`
  if (isTaken) yield* sql`UPDATE contacts SET phone = ${stays.phone} WHERE id = ${from.id}`
})

const merge = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactId: string,
  { contactId: from, take }: MergeRequest,
  by: string
) {
  if (from === contactId)
    return yield* new UnmergeableContacts({
      reason: "A contact cannot be merged into itself: contactId is the other one."
    })
  const isDone = yield* isMerged(sql, contactId, from)
  const before = yield* Effect.flatMap(contactWithId(sql, contactId), Effect.fromNullishOr)
  if (isDone) return { before, after: before }
  const merged = yield* Effect.flatMap(contactWithId(sql, from), Effect.fromNullishOr)
  const now = yield* Clock.currentTimeMillis
  const entry = { action: "withdrawn", at: iso(new Date(now)), source: mergeSource, text: "", recordedBy: by } as const
  const withdrew = yield* withdrawForBoth(sql, [before, merged], entry)
  yield* moveBelongings(sql, from, contactId)
  yield* standFor(sql, from, contactId)
  yield* writeFields(sql, before, merged, mergedFields(before, merged, take ?? [], withdrew))
  const after = yield* Effect.flatMap(contactWithId(sql, contactId), Effect.fromNullishOr)
  const archived = yield* Effect.flatMap(contactWithId(sql, from), Effect.fromNullishOr)
  yield* tellOfContact(sql, merged, archived)
  yield* tellOfContact(sql, before, after)
  yield* recordEvent(
    sql,
    organizationId,
    { type: "contact.merged", data: { contact: after, merged: { id: from } } },
    now
  )
  return { before, after }
})

export const layer = Layer.effect(
  ContactMerging,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return ContactMerging.of({
      merge: traced("ContactMerging.merge")((organizationId, contactId, request, by) =>
        asTenant(organizationId)(merge(sql, organizationId, contactId, request, by)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die, NoSuchElementError: Effect.die })
        )
      )
    })
  })
)
