/**
 * Takes the contacts of an integration over. A contact is found by its link, else by its number, else by its e-mail address; it is made when it has a number.
 * Linked contacts are merged field by field (`MergeContact`).
 */
import { Effect, Schema } from "effect"
import type { AbsorbNote } from "../../../domain/apps/AppAbsorbers.ts"
import type { StoredConnection } from "../../../domain/apps/AppConnection.ts"
import type { ContactRecord, RemovedRecord } from "../../../domain/apps/AppRecord.ts"
import { rowOf } from "../../../domain/apps/Catalogue.ts"
import type { ContactFields } from "../../../domain/apps/ContactFields.ts"
import { type Merged, mergeContact } from "../../../domain/apps/incoming/MergeContact.ts"
import { contactPhone } from "../../../domain/basics/Phone.ts"
import {
  type Contact,
  ContactChanges,
  Contacts,
  type DuplicateContact,
  NewContact
} from "../../../domain/people/contacts/Contact.ts"
import { contactOfEmail } from "../people/contacts/ContactOfEmail.ts"
import { makeSql } from "../tenancy/Sql.ts"

interface LinkRow {
  readonly localId: string
  readonly fields: Partial<ContactFields> | null
  readonly remoteAt: Date | null
}

const isNew = Schema.is(NewContact)
const isChange = Schema.is(ContactChanges)
const fieldNames = { phone: "phone number", name: "name", email: "e-mail address", tags: "tags" } as const

/** The fields as we write them, and what cannot be taken. */
const readable = (fields: ContactRecord["fields"]) => {
  const { phone, ...others } = fields
  const number = phone == null ? undefined : contactPhone(phone)
  const kept = Object.fromEntries(
    Object.entries(others).filter(([name, value]) => value === undefined || isChange({ [name]: value }))
  ) as Partial<ContactFields>
  const refused = [
    ...Object.keys(others).filter((name) => !Object.hasOwn(kept, name)),
    ...(phone != null && phone !== "" && number === undefined ? ["phone"] : [])
  ]
  return { fields: number === undefined ? kept : { ...kept, phone: number }, refused }
}

export const makeContactAbsorber = Effect.gen(function* () {
  const { sql, asTenant } = yield* makeSql
  const contacts = yield* Contacts

  const linkOf = ({ id }: StoredConnection, remoteId: string) =>
    sql<LinkRow>`SELECT local_id, fields, remote_at FROM app_links WHERE connection_id = ${id} AND kind = 'contact' AND remote_id = ${remoteId}
      ORDER BY updated_at DESC LIMIT 1`

  const known = Effect.fnUntraced(function* (organizationId: string, { phone, email }: Partial<ContactFields>) {
    const byPhone = phone == null ? undefined : yield* contacts.findByPhone(organizationId, phone)
    if (byPhone !== undefined || email == null || email === "") return byPhone
    const found = yield* contactOfEmail(sql, email)
    return found === undefined ? undefined : yield* contacts.find(organizationId, found.id)
  })

  const link = (
    { organizationId, id }: StoredConnection,
    { externalId, updatedAt }: ContactRecord,
    contactId: string,
    fields: Partial<ContactFields>,
    at: Date
  ) =>
    sql`INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, fields, remote_at, updated_at)
      VALUES (${organizationId}, ${id}, 'contact', ${contactId}, ${contactId}, ${externalId}, ${sql.json(fields)}, ${new Date(updatedAt)}, ${at})
      ON CONFLICT (organization_id, connection_id, kind, local_id) DO UPDATE SET remote_id = excluded.remote_id, fields = excluded.fields,
        remote_at = excluded.remote_at, updated_at = excluded.updated_at`

  /** The record there that a contact is linked to already. */
  const otherRecord = ({ id }: StoredConnection, contactId: string) =>
    Effect.map(
      sql<{
        remoteId: string
      }>`SELECT remote_id FROM app_links WHERE connection_id = ${id} AND kind = 'contact' AND local_id = ${contactId}`,
      (rows) => rows.at(0)?.remoteId
    )

  const noteOf = (contactId: string | null, text: string): AbsorbNote => ({ contactId, text })

  const lostNotes = (from: StoredConnection, contactId: string, { lost }: Merged): ReadonlyArray<AbsorbNote> =>
    lost.map(({ field, by }) =>
      noteOf(
        contactId,
        by === "us"
          ? `The ${fieldNames[field]} was changed here and in ${rowOf(from.provider).title}: the newer one, theirs, was taken.`
          : `The ${fieldNames[field]} was changed here and in ${rowOf(from.provider).title}: the newer one, ours, stays.`
      )
    )

  const make = Effect.fnUntraced(function* (
    from: StoredConnection,
    record: ContactRecord,
    fields: Partial<ContactFields>
  ) {
    const given = { ...fields, tags: fields.tags ?? [] }
    if (!isNew(given)) return undefined
    return yield* contacts.create(from.organizationId, given, from.id).pipe(
      Effect.catchTag("DuplicateContact", ({ existingId }) => contacts.find(from.organizationId, existingId)),
      Effect.annotateLogs({ record: record.externalId })
    )
  })

  const merge = Effect.fnUntraced(function* (
    from: StoredConnection,
    record: ContactRecord,
    contact: Contact,
    fields: Partial<ContactFields>,
    base: LinkRow["fields"]
  ) {
    const times = { ourTime: Date.parse(contact.updatedAt), theirTime: record.updatedAt }
    const merged = mergeContact({ ours: contact, theirs: fields, base, ...times })
    const notes = [...lostNotes(from, contact.id, merged)]
    if (Object.keys(merged.changes).length > 0) {
      const { phone, ...others } = merged.changes
      const changes = { ...others, ...(phone == null ? {} : { phone }) }
      const taken = ({ existingId }: DuplicateContact) => {
        notes.push(noteOf(contact.id, `The phone number of ${existingId} is not given to this contact too.`))
        return contacts.update(from.organizationId, contact.id, others, from.id)
      }
      yield* contacts
        .update(from.organizationId, contact.id, changes, from.id)
        .pipe(Effect.catchTag("DuplicateContact", taken))
    }
    return { base: merged.base, notes }
  })

  return (from: StoredConnection, record: ContactRecord | RemovedRecord, now: number) =>
    asTenant(from.organizationId)(
      Effect.gen(function* () {
        const { organizationId } = from
        if (record._tag === "removed") {
          // The contact stays. With its next change here it is made there again.
          yield* sql`DELETE FROM app_links WHERE connection_id = ${from.id} AND kind = 'contact' AND remote_id = ${record.externalId}`
          return []
        }
        const [linked] = yield* linkOf(from, record.externalId)
        if (linked === undefined && record.onlyLinked === true) return []
        if (linked?.remoteAt != null && linked.remoteAt.getTime() > record.updatedAt) return []
        const { fields, refused } = readable(record.fields)
        const found =
          linked === undefined
            ? yield* known(organizationId, fields)
            : yield* contacts.find(organizationId, linked.localId)
        const contact = found ?? (yield* make(from, record, fields))
        const other = contact === undefined || linked !== undefined ? undefined : yield* otherRecord(from, contact.id)
        if (contact !== undefined && other !== undefined)
          return [
            noteOf(contact.id, `The contact ${record.externalId} is the one of ${other} twice, and was left out.`)
          ]
        if (contact === undefined)
          return [
            noteOf(null, `The contact ${record.externalId} has no phone number with a country code, and was left out.`)
          ]
        const { base, notes } = yield* merge(from, record, contact, fields, linked?.fields ?? null)
        yield* link(from, record, contact.id, base, new Date(now))
        const names = refused.map((name) => (name in fieldNames ? fieldNames[name as keyof typeof fieldNames] : name))
        return [
          ...notes,
          ...names.map((name) => noteOf(contact.id, `The ${name} there is not valid, and was left out.`))
        ]
      })
    ).pipe(Effect.orDie)
})
