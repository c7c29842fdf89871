/** Contacts in Postgres: one per number and organization. Tags and search have tables of their own, kept by triggers (`functions/contacts.sql`, `functions/contact-search.sql`). */
import { Effect, Layer } from "effect"
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
  phoneDigits,
  searchable,
  tidy
} from "../../../../domain/people/contacts/Contact.ts"
import { byInterface } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { asideIfSlow, asked, type ListRow, listedWithTotal } from "../../tenancy/Parts.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { addConsent, carryWord } from "./ConsentLedger.ts"
import { createContact } from "./ContactCreation.ts"
import { tellOfContact } from "./ContactEvents.ts"
import { identifyContact } from "./ContactIdentification.ts"
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

const literal = (part: string): string => part.replace(/[\\%_]/g, "\\$&")

/** Shorter parts are in too many names to be looked up: they are looked for where words begin. */
const shortestPart = 3
/** Letters of scripts that leave no space between words, and signs, are looked for everywhere all the same. */
const anywhere =
  /[^\p{L}\p{M}\p{N} ]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * LIKE patterns for what is searched: of the name (one or two), and of the digits of the number; and what name and number then have, with a blank
 * in front where a word or the number begins.
 */
const patterns = (wanted: string) => {
  const [text, digits] = [searchable(wanted), phoneDigits(wanted)]
  const begins = [...text].length < shortestPart && !anywhere.test(text)
  const numberBegins = digits !== undefined && digits.length < shortestPart
  return {
    name: begins ? `${literal(text)}%` : `%${literal(text)}%`,
    inName: begins ? `% ${literal(text)}%` : null,
    phone: digits === undefined ? null : numberBegins ? `${digits}%` : `%${digits}%`,
    namePart: begins ? ` ${text}` : text,
    phonePart: digits === undefined ? null : numberBegins ? ` ${digits}` : digits
  }
}

const place = (row: Row) => ({ at: row.createdAt.getTime(), id: row.id })

export const layer = Layer.effect(
  Contacts,
  Effect.gen(function* () {
    const { sql, asTenant, asTenantApart } = yield* makeSql
    const frequent = makeFrequentSearches()

    /** Columns of a contact's record, of `contacts c`. */
    const columns = sql.literal(contactColumns)
    const named = sql.withoutTransforms()
    const listedColumns = sql.literal(contactRowColumns("l.contact"))

    const byId = (id: string) => sql<Row>`SELECT ${columns} FROM contacts c WHERE c.id = ${id}`
    const byPhone = (phone: string) => sql<Row>`SELECT ${columns} FROM contacts c WHERE c.phone = ${phone}`

    /** What a contact says about getting messages is evidence; the flag alone is not. */
    const noteOptIn = Effect.fnUntraced(function* (before: boolean, contact: Contact, by: string) {
      const { optedIn } = contact
      if (optedIn === before) return
      const action = optedIn ? ("granted" as const) : ("withdrawn" as const)
      yield* addConsent(sql, "messaging", contact, { action, at: contact.updatedAt, ...byInterface(by) })
    })

    /**
     * Lays the changes over a locked contact. Consent belongs to a number: another one has not opted in, unless that is said too. One that was merged
     * into another contact is somebody by itself with a number of its own.
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
        // That somebody wants no messages holds for the first number too; that somebody wants them was not said of it.
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
      yield* sql`SELECT 1 FROM contacts WHERE phone = ${input.phone} FOR UPDATE`
      const before = yield* decodeFirst(yield* byPhone(input.phone))
      const contact = before === undefined ? undefined : yield* write(before, input, true, by)
      return contact === undefined
        ? yield* Effect.die(new Error("The contact was erased meanwhile"))
        : { contact, created: false }
    })

    const update = Effect.fnUntraced(function* (contactId: string, changes: ContactChanges, by: string) {
      yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR UPDATE`
      const before = yield* decodeFirst(yield* byId(contactId))
      return before === undefined ? undefined : yield* write(before, changes, false, by)
    })

    const list = Effect.fnUntraced(function* (
      organizationId: string,
      { search, tag, archived }: ContactFilter,
      part: Part
    ) {
      const wanted = search === undefined || searchable(search) === "" ? undefined : patterns(search)
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
        return yield* decodeFirst(yield* asTenant(organizationId)(byId(contactId)))
      }, Effect.orDie),

      findByPhone: traced("Contacts.findByPhone")(function* (organizationId, phone) {
        const canonical = contactPhone(phone)
        if (canonical === undefined) return undefined
        return yield* decodeFirst(yield* asTenant(organizationId)(byPhone(canonical)))
      }, Effect.orDie),

      list: (organizationId, filter, part) => Effect.orDie(list(organizationId, filter, part)),

      create: (organizationId, input, by, entry) =>
        Effect.catchTag(create(organizationId, tidy(input), by, entry), "SqlError", Effect.die),

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
            yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR UPDATE`
            const before = yield* contactWithId(sql, contactId)
            if (before === undefined || (before.archivedAt !== null) === archived) return before
            // Who is brought back is somebody by itself, whatever it was merged into.
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
