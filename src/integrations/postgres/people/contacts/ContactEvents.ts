/** Records events about contacts in the event log. Runs inside the transaction of the change, as `recordEvent` does. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { EventType } from "../../../../domain/events/Event.ts"
import type { Contact, FreshContact } from "../../../../domain/people/contacts/Contact.ts"
import { recordEvent } from "../../events/EventLog.ts"

/** Those of a change of one contact. A merge is about two, and is told by whoever makes it. */
type ContactEventType = Exclude<Extract<EventType, `contact.${string}`>, "contact.merged">

/** The attributes of a contact that do not count as content: a change of them alone is no `contact.updated`. */
const stamps = { updatedAt: "", archivedAt: "", lastSeenAt: "", optedIn: false }
const content = (contact: FreshContact) => JSON.stringify({ ...contact, ...stamps })

/** The types of the events for a change of a contact, in the order of recording. `before` is `undefined` for a new contact. */
export const contactEventTypes = (
  before: Contact | undefined,
  after: FreshContact
): ReadonlyArray<ContactEventType> => {
  const was = before ?? { optedIn: false, archivedAt: null }
  const found: ReadonlyArray<readonly [ContactEventType, boolean]> = [
    ["contact.created", before === undefined],
    ["contact.restored", was.archivedAt !== null && after.archivedAt === null],
    ["contact.updated", before !== undefined && content(before) !== content(after)],
    ["contact.opted_in", !was.optedIn && after.optedIn],
    ["contact.opted_out", was.optedIn && !after.optedIn],
    ["contact.archived", was.archivedAt === null && after.archivedAt !== null]
  ]
  return found.filter(([, happened]) => happened).map(([type]) => type)
}

/** Records the events for a change of a contact: none when nothing changed. */
export const tellOfContact = (sql: PgClient.PgClient, before: Contact | undefined, after: Contact) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.forEach(
      contactEventTypes(before, after),
      (type) => recordEvent(sql, after.organizationId, { type, data: { contact: after } }, now),
      { discard: true }
    )
  )

/**
 * Removes erased contacts from the event log. Their events, and those of their messages, conversations and calls, keep their places and lose their
 * data. Then it records one `contact.erased` event for each contact, which holds only the id.
 */
export const withdrawEventsOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  contactIds: ReadonlyArray<string>
) {
  yield* sql`UPDATE webhook_deliveries d SET status = 'discarded', due_at = NULL, error = 'The contact was erased.', response = NULL
    FROM events e WHERE e.organization_id = ${organizationId} AND e.contact_id = ANY(${contactIds}::text[]) AND d.organization_id = e.organization_id
      AND d.event_id = e.id AND d.status = 'pending'`
  yield* sql`UPDATE events SET data = '{}', withdrawn = true WHERE organization_id = ${organizationId}
    AND contact_id = ANY(${contactIds}::text[])`
  const now = yield* Clock.currentTimeMillis
  for (const id of contactIds)
    yield* recordEvent(sql, organizationId, { type: "contact.erased", data: { contact: { id } } }, now)
})
