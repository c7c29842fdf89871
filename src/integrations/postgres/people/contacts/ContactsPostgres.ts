/**
 * Contacts in Postgres: one per number and organization. Tags and search have separate tables, which triggers maintain (`functions/contacts.sql`,
 * `functions/contact-search.sql`).
 */
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { contactPhone } from "../../../../domain/basics/Phone.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { AuditEntry } from "../../../../domain/people/access/Audit.ts"
import {
  type Contact,
  type ContactChanges,
  type ContactFilter,
  Contacts,
  DuplicateContact,
  type FreshContact,
  mostCounted,
  type NewContact,
  searchable,
  tidy
} from "../../../../domain/people/contacts/Contact.ts"
import { byInterface } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { asideIfSlow, asked, type ListRow, listedWithTotal } from "../../tenancy/Parts.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { addConsent, carryWord } from "./ConsentLedger.ts"
import { createContact, createContacts } from "./ContactCreation.ts"
import { tellOfContact } from "./ContactEvents.ts"
import { identifyContact } from "./ContactIdentification.ts"
import { makeContactOrder } from "./ContactOrder.ts"
import {
  contactColumns,
  contactRecords,
  contactRowColumns,
  contactWithId,
  contactRecord as decode,
  firstContact as decodeFirst,
  type ContactRow as Row
} from "./ContactRows.ts"
import { makeFrequentSearches } from "./FrequentSearches.ts"
import { searchPatterns } from "./SearchPatterns.ts"

const place = (row: Row) => ({ at: row.createdAt.getTime(), id: row.id })

export const layer = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const { sql, asTenant, asTenantApart } = yield* makeSql
    const frequent = makeFrequentSearches()

    const columns = sql.literal(contactColumns)
    const named = sql.withoutTransforms()
    const sorted = makeContactOrder(sql)
    const listedColumns = sql.literal(contactRowColumns("l.contact"))

    const byId = (id: string) => sql<Row>`SELECT ${columns} FROM contacts c WHERE c.id = ${id}`
    /** Of a contact that was merged into another one: that one. */
    const standingFor = (condition: Statement.Fragment) => sql<Row>`SELECT ${columns} FROM contacts c
      WHERE c.id = (SELECT coalesce(m.merged_into, m.id) FROM contacts m WHERE ${condition})`
    const byPhone = (phone: string) => standingFor(sql`m.phone = ${phone}`)

    /** Records a change of the opt-in flag in the ledger of consents, because the flag alone is no evidence. */
    const noteOptIn = Effect.fnUntraced(function* (before: boolean, contact: Contact, by: string) {
      const { optedIn } = contact
      if (optedIn === before) return
      const action = optedIn ? ("granted" as const) : ("withdrawn" as const)
      yield* addConsent(sql, "messaging", contact, { action, at: contact.updatedAt, ...byInterface(by) })
    })

    /**
     * Applies the changes to a locked contact. Consent belongs to a number: with a new number the contact has not opted in, unless the changes say
     * so. A merged contact that gets a number of its own becomes separate again.
     */
    const write = Effect.fnUntraced(function* (before: Contact, changes: ContactChanges, restore: boolean, by: string) {
      const moved = changes.phone !== undefined && changes.phone !== before.phone
      const { phone, name, email, tags, optedIn } = { ...before, ...(moved ? { optedIn: false } : {}), ...changes }
      yield* sql`UPDATE contacts SET phone = ${phone}, name = ${name}, searchable_name = ${searchable(name ?? "")}, email = ${email},
        tags = ${tags}::text[], opted_in = ${optedIn}, archived_at = CASE WHEN ${restore} THEN NULL ELSE archived_at END,
        merged_into = CASE WHEN ${moved} THEN NULL ELSE merged_into END, updated_at = now()
        WHERE id = ${before.id}`
      const contact = yield* decodeFirst(yield* byId(before.id))
      if (contact !== undefined) {
        // A withdrawal from before the contact had a number holds for its first number too. A grant does not.
        if (before.phone === null && contact.phone !== null)
          yield* carryWord(sql, before, { id: contact.id, phone: contact.phone }, ["withdrawn"])
        yield* noteOptIn(moved ? false : before.optedIn, contact, by)
        yield* tellOfContact(sql, before, contact)
      }
      return contact
    })

    const create = Effect.fnUntraced(function* (
      organizationId: string,
      input: NewContact,
      by: string,
      entry?: (made: FreshContact) => AuditEntry
    ) {
      const { made, existingId } = yield* createContact(sql, organizationId, input, by, entry)
      return made ?? (yield* new DuplicateContact({ phone: input.phone, existingId }))
    })

    const save = Effect.fnUntraced(function* (organizationId: string, input: NewContact, by: string) {
      const { made } = yield* createContact(sql, organizationId, input, by)
      if (made !== undefined) return { contact: made, created: true }
      yield* sql`SELECT 1 FROM hold_contact(${organizationId}, ${input.phone}, NULL)`
      const before = yield* decodeFirst(yield* byPhone(input.phone))
      // Found by the number of a contact that was merged into it, it keeps its own.
      const changes = { ...input, phone: before?.phone ?? input.phone }
      const contact = before === undefined ? undefined : yield* write(before, changes, true, by)
      return contact === undefined
        ? yield* Effect.die(new Error("The contact was erased meanwhile"))
        : { contact, created: false }
    })

    const update = Effect.fnUntraced(function* (contactId: string, changes: ContactChanges, by: string) {
      yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
      const before = yield* decodeFirst(yield* byId(contactId))
      return before === undefined ? undefined : yield* write(before, changes, false, by)
    })

    const list = Effect.fnUntraced(function* (organizationId: string, filter: ContactFilter, part: Part) {
      const { search, tag, archived, sort = "-createdAt" } = filter
      if (sort !== "-createdAt")
        return yield* asTenant(organizationId)(sorted(organizationId, { ...filter, sort }, part))
      const wanted = search === undefined ? undefined : searchPatterns(search)
      const counted = tag === undefined ? listNames.contacts(archived) : listNames.tagged(tag, archived)
      const asSearch = wanted === undefined ? undefined : JSON.stringify([organizationId, archived, tag, wanted])
      const isFrequent = asSearch !== undefined && (yield* frequent.has(asSearch))
      const rows = yield* named<
        ListRow<Row>
      >`SELECT l.total, ${listedColumns}, l.identities FROM list_contacts(${organizationId}, ${archived},
        ${tag ?? null}, ${wanted?.name ?? null}, ${wanted?.inName ?? null}, ${wanted?.phone ?? null},
        ${wanted?.namePart ?? null}, ${wanted?.phonePart ?? null}, ${isFrequent ? 0 : mostCounted}, ${asked(sql, part, [counted])}) l`.pipe(
        asideIfSlow(sql, part, wanted !== undefined)
      )
      const total = isFrequent ? mostCounted : rows[0].total
      if (asSearch !== undefined && !isFrequent && total === mostCounted) yield* frequent.add(asSearch)
      return yield* listedWithTotal(rows, part, total, place, contactRecords)
    })

    const existingContact = (phone: string) =>
      Effect.flatMap(byPhone(phone), ([existing]) => new DuplicateContact({ phone, existingId: existing.id }))

    return Contacts.of({
      find: traced("Contacts.find")(function* (organizationId, contactId) {
        return yield* decodeFirst(yield* asTenant(organizationId)(standingFor(sql`m.id = ${contactId}`)))
      }, Effect.orDie),

      findItself: traced("Contacts.findItself")(function* (organizationId, contactId) {
        return yield* decodeFirst(yield* asTenant(organizationId)(byId(contactId)))
      }, Effect.orDie),

      findByPhone: traced("Contacts.findByPhone")(function* (organizationId, phone) {
        const canonical = contactPhone(phone)
        if (canonical === undefined) return undefined
        return yield* decodeFirst(yield* asTenant(organizationId)(byPhone(canonical)))
      }, Effect.orDie),

      tags: traced("Contacts.tags")(function* (organizationId, most) {
        // Goes from tag to tag along the index, so it costs by the number of tags and not of contacts.
        const after = (tag: Statement.Fragment) => sql`SELECT c.tag FROM contact_tags c
          WHERE c.organization_id = ${organizationId} AND NOT c.archived ${tag} ORDER BY c.tag LIMIT 1`
        const rows = yield* asTenant(organizationId)(
          sql<{ readonly tag: string }>`WITH RECURSIVE t AS ((${after(sql``)})
            UNION ALL SELECT (${after(sql`AND c.tag > t.tag`)}) FROM t WHERE t.tag IS NOT NULL)
            SELECT tag FROM t WHERE tag IS NOT NULL LIMIT ${most}`
        )
        return rows.map(({ tag }) => tag)
      }, Effect.orDie),

      list: (organizationId, filter, part) => Effect.orDie(list(organizationId, filter, part)),

      create: (organizationId, input, by, entry) =>
        Effect.catchTag(create(organizationId, tidy(input), by, entry), "SqlError", Effect.die),

      createAll: traced("Contacts.createAll")(
        (organizationId, inputs, by, entry) =>
          inputs.length === 0
            ? Effect.succeed([])
            : asTenant(organizationId)(createContacts(sql, organizationId, inputs.map(tidy), by, entry)),
        Effect.orDie
      ),

      hold: traced("Contacts.hold")(function* (organizationId, phones) {
        yield* asTenant(organizationId)(
          sql`SELECT 1 FROM contacts WHERE id IN (SELECT coalesce(m.merged_into, m.id) FROM contacts m
            WHERE m.phone = ANY(${phones}::text[])) ORDER BY id FOR NO KEY UPDATE`
        )
      }, Effect.orDie),

      withPhones: traced("Contacts.withPhones")(function* (organizationId, phones) {
        const rows = yield* asTenant(organizationId)(
          sql<Row & { readonly asked: string }>`SELECT m.phone AS asked, ${columns} FROM contacts m
            JOIN contacts c ON c.organization_id = m.organization_id AND c.id = coalesce(m.merged_into, m.id)
            WHERE m.phone = ANY(${phones}::text[])`
        )
        const records = yield* contactRecords(rows)
        return new Map(rows.map(({ asked }, at) => [asked, records[at]]))
      }, Effect.orDie),

      save: traced("Contacts.save")(
        (organizationId, input, by) => asTenant(organizationId)(save(organizationId, tidy(input), by)),
        Effect.orDie
      ),

      update: traced("Contacts.update")((organizationId, contactId, given, by) => {
        const changes = tidy(given)
        const { phone } = changes
        return asTenantApart(organizationId)(update(contactId, changes, by)).pipe(
          Effect.catchIf(
            (error) => error._tag === "SqlError" && error.reason._tag === "UniqueViolation",
            (error) => (phone === undefined ? Effect.die(error) : asTenant(organizationId)(existingContact(phone)))
          ),
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      }),

      setArchived: traced("Contacts.setArchived")(function* (organizationId, contactId, archived) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
            const before = yield* contactWithId(sql, contactId)
            if (before === undefined || (before.archivedAt !== null) === archived) return before
            // A restored contact becomes separate again if it had been merged.
            yield* sql`UPDATE contacts SET archived_at = CASE WHEN ${archived} THEN now() END,
              merged_into = CASE WHEN ${archived} THEN merged_into END, updated_at = now() WHERE id = ${contactId}`
            const after = yield* contactWithId(sql, contactId)
            if (after !== undefined) yield* tellOfContact(sql, before, after)
            return after
          })
        )
      }, Effect.orDie),

      identify: traced("Contacts.identify")(function* (organizationId, channel, person) {
        const rows = yield* asTenant(organizationId)(
          Effect.flatMap(identifyContact(sql, organizationId, channel, person), byId)
        )
        return yield* decode(rows[0])
      }, Effect.orDie)
    })
  })
)
