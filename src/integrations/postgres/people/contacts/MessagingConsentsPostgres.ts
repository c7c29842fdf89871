/** Consents to messages in Postgres: their entries in the ledger, and the contact's flag `optedIn`. */
import { Clock, Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { Contact } from "../../../../domain/people/contacts/Contact.ts"
import { MessagingConsents } from "../../../../domain/people/contacts/MessagingConsent.ts"
import type { NewConsentEntry } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { addConsent, ledgerSubject, newestConsents } from "./ConsentLedger.ts"
import { tellOfContact } from "./ContactEvents.ts"
import { contactWithId } from "./ContactRows.ts"

export const layer = Layer.effect(
  MessagingConsents,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const entries = (organizationId: string, contact: Pick<Contact, "id" | "phone">, limit: number) =>
      newestConsents(sql, organizationId, ledgerSubject(contact), "messaging", limit)

    /** Records an event even if the flag stays the same: a contact that never opted in and then opts out has changed. */
    const tell = Effect.fnUntraced(function* (before: Contact, after: Contact) {
      if (before.optedIn !== after.optedIn) return yield* tellOfContact(sql, before, after)
      const type = after.optedIn ? "contact.opted_in" : "contact.opted_out"
      const now = yield* Clock.currentTimeMillis
      yield* recordEvent(sql, after.organizationId, { type, data: { contact: after } }, now)
    })

    const record = Effect.fnUntraced(function* (organizationId: string, contactId: string, entry: NewConsentEntry) {
      yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
      const before = yield* contactWithId(sql, contactId)
      if (before === undefined) return undefined
      const optedIn = entry.action === "granted"
      const [newest] = yield* entries(organizationId, before, 1)
      if (newest?.action === entry.action && before.optedIn === optedIn)
        return { contact: before, recorded: newest.source === entry.source && newest.text === entry.text }
      yield* sql`UPDATE contacts SET opted_in = ${optedIn}, updated_at = now() WHERE id = ${contactId}`
      yield* addConsent(sql, "messaging", before, entry)
      const contact = yield* Effect.flatMap(contactWithId(sql, contactId), Effect.fromNullishOr)
      yield* tell(before, contact)
      return { contact, recorded: true }
    })

    return MessagingConsents.of({
      record: traced("MessagingConsents.record")(function* (organizationId, contactId, entry) {
        return yield* asTenant(organizationId)(record(organizationId, contactId, entry))
      }, Effect.orDie),

      history: traced("MessagingConsents.history")(function* (organizationId, contact) {
        return yield* asTenant(organizationId)(entries(organizationId, contact, 100))
      }, Effect.orDie)
    })
  })
)
