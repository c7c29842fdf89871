/** The database operations of the broadcast worker, run as the tenant: they claim the next recipients and store the outcomes. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { ClaimedRecipient } from "../../../../domain/messaging/broadcasts/BroadcastQueue.ts"
import {
  type Addressee,
  type SkipReason,
  unwanted
} from "../../../../domain/messaging/broadcasts/BroadcastRecipient.ts"
import { personal, type TemplateComponents } from "../../../../domain/messaging/templates/TemplateComponents.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { conversationOf } from "../conversations/ConversationOpening.ts"
import { type BroadcastRow, broadcastsOf, reachable, withdrew } from "./BroadcastRows.ts"

type Recipient = Pick<ClaimedRecipient, "broadcastId" | "contactId">

/** The current state of these contacts, by id. */
const addressees = (sql: PgClient.PgClient, ids: ReadonlyArray<string>) =>
  Effect.map(
    sql<Addressee>`SELECT c.id, c.name, c.phone, c.email, c.opted_in, c.archived_at IS NOT NULL AS archived, ${reachable(sql)} AS reachable, ${withdrew(sql)} AS withdrew
      FROM contacts c WHERE c.id = ANY (${ids}::text[])`,
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )

const ofRecipient = (sql: PgClient.PgClient, { broadcastId, contactId }: Recipient) =>
  sql`broadcast_id = ${broadcastId} AND contact_id = ${contactId} AND status = 'waiting'`

/** Marks a waiting recipient as skipped. `now` is Unix time in milliseconds. */
export const skip = (sql: PgClient.PgClient, recipient: Recipient, reason: SkipReason, now: number) =>
  sql`UPDATE broadcast_recipients SET status = 'skipped', reason = ${reason}, updated_at = ${new Date(now)}
    WHERE ${ofRecipient(sql, recipient)}`

/** Marks a waiting recipient as failed, with at most 500 characters of `reason`. `now` is Unix time in milliseconds. */
export const giveUp = (sql: PgClient.PgClient, recipient: Recipient, reason: string, now: number) =>
  sql`UPDATE broadcast_recipients SET status = 'failed', reason = ${reason.slice(0, 500)}, updated_at = ${new Date(now)}
    WHERE ${ofRecipient(sql, recipient)}`

/** Makes a waiting recipient due at `dueAt` (Unix milliseconds). */
export const postpone = (sql: PgClient.PgClient, recipient: Recipient, dueAt: number) =>
  sql`UPDATE broadcast_recipients SET due_at = ${new Date(dueAt)} WHERE ${ofRecipient(sql, recipient)}`

/**
 * Gives how many messages the organization may send now: `most`, or 0 while the pace of `perSecond` does not allow them yet. `now` is Unix time in
 * milliseconds. Concurrent callers are answered one after the other.
 */
export const pace = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  most: number,
  perSecond: number,
  now: number
) {
  const at = new Date(now)
  const step = (most / perSecond) * 1_000
  const moved = yield* sql`INSERT INTO broadcast_pace AS p (organization_id, next_at)
    VALUES (${organizationId}, ${new Date(now + step)})
    ON CONFLICT (organization_id) DO UPDATE SET next_at = excluded.next_at WHERE p.next_at <= ${at} RETURNING 1 AS moved`
  return moved.length > 0 ? most : 0
})

/** Running broadcasts with a recipient that is due, in random order, so that no broadcast always comes first. */
const withTurns = (sql: PgClient.PgClient, now: number) =>
  sql<BroadcastRow>`SELECT b.* FROM broadcasts b CROSS JOIN LATERAL (SELECT 1 FROM broadcast_recipients r
      WHERE r.organization_id = b.organization_id AND r.broadcast_id = b.id AND r.status = 'waiting' AND r.due_at <= ${new Date(now)} LIMIT 1) w
    WHERE b.status = 'running' ORDER BY random()`

const take = (sql: PgClient.PgClient, broadcastId: string, most: number, until: Date, now: number) => {
  const ids = Array.from({ length: most }, () => newId("msg", now))
  return sql<{ contactId: string; messageId: string; attempts: number }>`
    WITH picked AS (SELECT contact_id FROM broadcast_recipients
        WHERE broadcast_id = ${broadcastId} AND status = 'waiting' AND due_at <= ${new Date(now)}
        ORDER BY due_at, position LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED),
      numbered AS (SELECT contact_id, row_number() OVER () AS number FROM picked)
    UPDATE broadcast_recipients r SET due_at = ${until}, attempts = r.attempts + 1, message_id = coalesce(r.message_id, fresh.id)
    FROM numbered n JOIN unnest(${ids}::text[]) WITH ORDINALITY AS fresh (id, number) ON fresh.number = n.number
    WHERE r.broadcast_id = ${broadcastId} AND r.contact_id = n.contact_id
    RETURNING r.contact_id, r.message_id, r.attempts`
}

/** The components of the contact's message, or the reason to skip the contact. */
const componentsFor = (
  components: TemplateComponents,
  contact: Addressee | undefined
): TemplateComponents | SkipReason => {
  const reason = unwanted(contact)
  if (contact === undefined || reason !== undefined) return reason ?? "erased"
  const made = personal(components, contact)
  return "components" in made ? made.components : "missing_value"
}

/**
 * Claims at most `most` due recipients, shared equally among the running broadcasts, for `leaseMs`. Recipients that must not get the message are
 * skipped. Gives the others with their conversations created, and how many recipients were claimed. `now` is Unix time in milliseconds.
 */
export const claimRecipients = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  most: number,
  leaseMs: number,
  now: number
) {
  const sharing = yield* withTurns(sql, now)
  const claimed: Array<ClaimedRecipient> = []
  for (const [i, { id: broadcastId, startedAt, templateName, language, components }] of sharing.entries()) {
    // If a broadcast does not use its whole share, the following ones share the rest.
    const share = Math.ceil((most - claimed.length) / (sharing.length - i))
    if (share === 0) break
    const taken = yield* take(sql, broadcastId, share, new Date(now + leaseMs), now)
    const broadcast = { templateName, language }
    for (const one of taken)
      claimed.push({
        organizationId,
        broadcastId,
        broadcast,
        components,
        startedAt: startedAt?.getTime() ?? now,
        ...one
      })
  }
  const ids = claimed.map(({ contactId }) => contactId)
  // Contacts are locked before their conversations, all of them in one order: broadcasts to the same contacts may be claimed at once.
  yield* sql`SELECT 1 FROM contacts WHERE id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`
  const contacts = yield* addressees(sql, ids)
  const wanted: Array<ClaimedRecipient> = []
  for (const recipient of claimed.toSorted((a, b) => (a.contactId < b.contactId ? -1 : 1))) {
    const made = componentsFor(recipient.components, contacts.get(recipient.contactId))
    if (typeof made === "string") yield* skip(sql, recipient, made, now)
    else {
      // The conversation is made here, because it must be committed before the message is requested: its owner may be another process.
      yield* conversationOf(sql, organizationId, recipient.contactId, "messaging")
      wanted.push({ ...recipient, components: made })
    }
  }
  return { recipients: wanted, looked: claimed.length }
})

/** Completes the running broadcasts without waiting or queued recipients, and records their events. Gives the number of them. */
export const complete = Effect.fnUntraced(function* (sql: PgClient.PgClient, organizationId: string, now: number) {
  const at = new Date(now)
  const rows =
    yield* sql<BroadcastRow>`UPDATE broadcasts b SET status = 'completed', ended_at = ${at}, updated_at = ${at}
    WHERE b.status = 'running' AND NOT EXISTS (SELECT 1 FROM broadcast_recipients r
      WHERE r.organization_id = b.organization_id AND r.broadcast_id = b.id AND r.status IN ('waiting', 'queued')) RETURNING *`
  if (rows.length === 0) return 0
  for (const broadcast of yield* broadcastsOf(sql, rows))
    yield* recordEvent(sql, organizationId, { type: "broadcast.completed", data: { broadcast } }, now)
  return rows.length
})
