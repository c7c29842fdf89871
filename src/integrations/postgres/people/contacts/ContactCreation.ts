/** Creates a contact in one statement (`create_contact`): its row, the evidence of its opt-in, its events and its audit entry. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Option } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { AuditEntry } from "../../../../domain/people/access/Audit.ts"
import {
  type Contact,
  type FreshContact,
  type NewContact,
  searchable
} from "../../../../domain/people/contacts/Contact.ts"
import { byInterface } from "../../../../domain/people/contacts/VoiceConsent.ts"
import { tellEvents } from "../../events/EventLog.ts"
import { auditRow } from "../../tenancy/AuditPostgres.ts"
import { CurrentTenant } from "../../tenancy/CurrentTenant.ts"
import { iso } from "../../tenancy/Sql.ts"
import { outlasting } from "../../tenancy/Unreachable.ts"
import { phoneHash } from "./ConsentLedger.ts"
import { contactEventTypes } from "./ContactEvents.ts"

interface CreatedRow {
  readonly id: string
  readonly createdAt: Date
}

const fresh = (organizationId: string, input: NewContact): FreshContact => ({
  id: newId("cnt"),
  organizationId,
  phone: input.phone,
  name: input.name ?? null,
  email: input.email ?? null,
  tags: input.tags ?? [],
  optedIn: input.optedIn ?? false,
  identities: [],
  archivedAt: null,
  lastSeenAt: null
})

/** The consent that records an opt-in through the REST interface; null without an opt-in. */
const optIn = ({ organizationId, optedIn }: FreshContact, phone: string, by: string) =>
  optedIn
    ? {
        id: newId("cns"),
        phoneHash: phoneHash(organizationId, phone).toString("hex"),
        ...byInterface(by)
      }
    : null

/** The arguments of `create_contact` for one contact, apart from the organization and the time. */
const creation = Effect.fnUntraced(function* (
  organizationId: string,
  input: NewContact,
  by: string,
  now: number,
  entry?: (contact: FreshContact) => AuditEntry
) {
  const contact = fresh(organizationId, input)
  return {
    contact,
    searchableName: searchable(contact.name ?? ""),
    told: contactEventTypes(undefined, contact).map((type) => ({ id: newId("evt", now), type })),
    consent: optIn(contact, input.phone, by),
    audited: entry === undefined ? null : yield* auditRow(entry(contact))
  }
})

/**
 * Creates contacts from tidied inputs, in one statement. It goes by the order of their numbers, so that two of these do not wait for each other.
 * Gives for each whether it was created.
 */
export const createContacts = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  inputs: ReadonlyArray<NewContact>,
  by: string,
  entry: (contact: FreshContact) => AuditEntry
) {
  const now = yield* Clock.currentTimeMillis
  const creations = yield* Effect.forEach(inputs, (input) => creation(organizationId, input, by, now, entry))
  const ordered = creations
    .map((one, at) => ({ ...one, at }))
    .sort((a, b) => (a.contact.phone ?? "").localeCompare(b.contact.phone ?? "") || a.at - b.at)
  const rows = yield* sql<{ at: number; id: string }>`SELECT g.at, m.id
    FROM jsonb_to_recordset(${sql.json(ordered)}::jsonb)
      AS g (at integer, contact jsonb, "searchableName" text, told jsonb, consent jsonb, audited jsonb)
    CROSS JOIN LATERAL create_contact(${organizationId}, g.contact, g."searchableName", g.told, nullif(g.consent, 'null'),
      nullif(g.audited, 'null'), ${new Date(now)}) m`
  yield* tellEvents
  const ids = new Map(rows.map(({ at, id }) => [at, id]))
  return creations.map(({ contact }, at) => ids.get(at) === contact.id)
})

/**
 * Creates a contact from tidied input. `entry` gives the audit entry, when this statement is to write one. When another contact has the number,
 * nothing is created and `existingId` is the id of that contact. Outside a transaction it retries while the database is unreachable: a retry
 * recognizes by its id a contact that the first attempt has created.
 */
export const createContact = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  input: NewContact,
  by: string,
  entry?: (contact: FreshContact) => AuditEntry
) {
  const now = yield* Clock.currentTimeMillis
  const { contact, searchableName, told, consent, audited } = yield* creation(organizationId, input, by, now, entry)
  const creating = sql<CreatedRow>`SELECT * FROM create_contact(${organizationId}, ${sql.json(contact)}::jsonb,
    ${searchableName}, ${sql.json(told)}::jsonb, ${consent === null ? null : sql.json(consent)}::jsonb,
    ${audited === null ? null : sql.json(audited)}::jsonb, ${new Date(now)})`
  const within = yield* Effect.serviceOption(CurrentTenant)
  const [{ id, createdAt }] = yield* Option.isSome(within) ? creating : outlasting(creating)
  if (id !== contact.id) return { existingId: id }
  yield* tellEvents
  const at = iso(createdAt)
  const made: Contact = { ...contact, createdAt: at, updatedAt: at }
  return { made }
})
