/**
 * Finds the contact that a channel names. It looks for the phone number first, for the channel's user id second and for the e-mail address last, and stores
 * them, so that it recognizes the person later by any of them. Runs inside the tenant's transaction.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { emailIn } from "../../../../domain/basics/Email.ts"
import { newId } from "../../../../domain/basics/Ids.ts"
import { contactPhone } from "../../../../domain/basics/Phone.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import { type ChannelPerson, searchable } from "../../../../domain/people/contacts/Contact.ts"
import { holdName } from "../../tenancy/Sql.ts"
import { carryWord } from "./ConsentLedger.ts"
import { moveBelongings, standFor } from "./ContactBelongings.ts"
import { tellOfContact } from "./ContactEvents.ts"
import { holdContactOfEmail } from "./ContactOfEmail.ts"
import { contactWithId } from "./ContactRows.ts"

interface Found {
  readonly id: string
  readonly phone: string | null
}

/** Finds the person's contact or creates it. Gives its id. */
export const identifyContact = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  channel: Channel,
  person: ChannelPerson
) {
  const { userId, previousUserId } = person
  const phone = person.phone === undefined ? undefined : contactPhone(person.phone)
  const name = person.name?.trim() || null
  const email = emailIn(person.email ?? "")

  /** Locks each identifier of the person, always in the same order, so that two first messages at once do not create two contacts. */
  const lock = Effect.forEach(
    [phone, userId, previousUserId, email?.toLowerCase()].filter((one) => one !== undefined).toSorted(),
    (one) => holdName(sql, `${organizationId}|${channel}|${one}`),
    { discard: true }
  )

  /** Locks the contacts that are known by these, in the order in which all lock contacts. */
  const hold = sql`SELECT 1 FROM contacts WHERE id IN (
      SELECT coalesce(merged_into, id) FROM contacts WHERE phone = ${phone ?? null}
      UNION SELECT contact_id FROM contact_identities WHERE channel = ${channel} AND user_id IN (${userId ?? null}, ${previousUserId ?? null})
    ) ORDER BY id FOR NO KEY UPDATE`

  const byPhone = Effect.fnUntraced(function* () {
    if (phone === undefined) return undefined
    return (yield* sql<Found>`SELECT id, phone FROM hold_contact(${organizationId}, ${phone}, NULL)`).at(0)
  })
  const byUserId = Effect.fnUntraced(function* (wanted: string | undefined) {
    if (wanted === undefined) return undefined
    const rows = yield* sql<Found>`SELECT c.id, c.phone FROM contact_identities i
      JOIN contacts c ON c.organization_id = i.organization_id AND c.id = i.contact_id
      WHERE i.channel = ${channel} AND i.user_id = ${wanted} FOR NO KEY UPDATE OF c`
    return rows.at(0)
  })

  const make = Effect.fnUntraced(function* () {
    // A call or a request may create a contact with this number at the same moment.
    const made =
      yield* sql<Found>`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, email, last_seen_at)
      VALUES (${organizationId}, ${newId("cnt")}, ${phone ?? null}, ${name}, ${searchable(name ?? "")}, ${email ?? null}, now())
      ON CONFLICT (organization_id, phone) DO NOTHING RETURNING id, phone`
    const [{ id }] =
      made.length > 0
        ? made
        : yield* sql<Found>`SELECT id, phone FROM hold_contact(${organizationId}, ${phone ?? null}, NULL)`
    return id
  })

  /** Assigns the user id to this contact and removes the id that it replaces. */
  const note = Effect.fnUntraced(function* (contactId: string) {
    if (previousUserId !== undefined && previousUserId !== userId)
      yield* sql`DELETE FROM contact_identities WHERE channel = ${channel} AND user_id = ${previousUserId}`
    if (userId !== undefined)
      yield* sql`INSERT INTO contact_identities (organization_id, channel, user_id, contact_id)
        VALUES (${organizationId}, ${channel}, ${userId}, ${contactId})
        ON CONFLICT (organization_id, channel, user_id) DO UPDATE SET contact_id = excluded.contact_id`
  })

  /**
   * Merges a contact that was known only by a user id (`from`) into the contact with the person's number (`to`). What belongs to
   * it moves there, and an erasure later erases both.
   */
  const merge = Effect.fnUntraced(function* (from: string, to: string) {
    const before = yield* contactWithId(sql, from)
    yield* moveBelongings(sql, from, to)
    yield* standFor(sql, from, to)
    const after = yield* contactWithId(sql, from)
    if (before !== undefined && after !== undefined) yield* tellOfContact(sql, before, after)
  })

  /** Carries consents about messages from before the number was known over to the number. */
  const carryConsents = Effect.fnUntraced(function* (
    from: string,
    to: { readonly id: string; readonly phone: string }
  ) {
    const optedIn = yield* carryWord(sql, { organizationId, id: from }, to, ["granted", "withdrawn"])
    if (optedIn !== undefined)
      yield* sql`UPDATE contacts SET opted_in = ${optedIn}, updated_at = now() WHERE id = ${to.id} AND opted_in <> ${optedIn}`
  })

  yield* lock
  if (userId !== undefined) yield* hold
  const numbered = yield* byPhone()
  const named = (yield* byUserId(userId)) ?? (yield* byUserId(previousUserId))
  // If the contact of the user id has another number, the number decides: the contact counts as another person.
  const same = named !== undefined && (phone === undefined || named.phone === null || named.phone === phone)
  const known =
    numbered ??
    (same ? named : undefined) ??
    (named === undefined && email !== undefined ? yield* holdContactOfEmail(sql, email) : undefined)
  const before = known === undefined ? undefined : yield* contactWithId(sql, known.id)
  const id = known?.id ?? (yield* make())
  if (numbered !== undefined && named !== undefined && named.id !== numbered.id && named.phone === null)
    yield* merge(named.id, numbered.id)
  yield* note(id)
  const isNew = sql`((phone IS NULL AND ${phone ?? null}::text IS NOT NULL) OR (name IS NULL AND ${name}::text IS NOT NULL)
        OR (email IS NULL AND ${email ?? null}::text IS NOT NULL))`
  // That it was seen is written once a minute: a burst of messages changes the row once.
  if (known !== undefined)
    yield* sql`UPDATE contacts SET phone = COALESCE(phone, ${phone ?? null}), name = COALESCE(name, ${name}), email = COALESCE(email, ${email ?? null}),
      searchable_name = CASE WHEN name IS NULL THEN ${searchable(name ?? "")} ELSE searchable_name END,
      updated_at = CASE WHEN ${isNew} THEN now() ELSE updated_at END, last_seen_at = now()
      WHERE id = ${id} AND (${isNew} OR last_seen_at IS NULL OR last_seen_at < now() - interval '1 minute')`
  if (phone !== undefined && named !== undefined && named.phone === null) yield* carryConsents(named.id, { id, phone })
  const after = yield* contactWithId(sql, id)
  if (after !== undefined) yield* tellOfContact(sql, before, after)
  return id
})
