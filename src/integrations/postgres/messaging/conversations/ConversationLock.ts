/**
 * Locks the row of a conversation until the transaction ends. This is the only place that changes a conversation's ownership and SLA clock. Use it
 * as the tenant. A writer with a fence must be the owner or become it; the lock includes this check.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Equal } from "effect"
import {
  type ConversationFence,
  LostConversation
} from "../../../../domain/messaging/conversations/ConversationFence.ts"
import {
  type Ownership,
  type OwnershipEvent,
  owned,
  ownershipNews
} from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import {
  nextDue,
  type SlaClock,
  type SlaTarget,
  slaAfter,
  slaMissed
} from "../../../../domain/messaging/conversations/Sla.ts"
import { Acting } from "../../../../domain/people/access/Audit.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import type { BusinessHours } from "../../../../domain/people/organizations/BusinessHours.ts"
import type { SlaPolicy } from "../../../../domain/people/organizations/SlaPolicy.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { routeToAgent, type StoredMessage } from "./AgentThreads.ts"
import { conversationWithId } from "./ConversationRows.ts"
import type { LockedConversation } from "./LockedConversation.ts"
import { assigneeColumns, type OwnershipRow, ownershipOf } from "./Ownership.ts"

interface LockedRow extends OwnershipRow {
  readonly channel: Channel
  readonly contactId: string
  readonly epoch: string
  readonly slaSince: Date | null
  readonly responseDueAt: Date | null
  readonly resolutionDueAt: Date | null
  readonly responseBreachedAt: Date | null
  readonly resolutionBreachedAt: Date | null
  readonly slaPolicy: SlaPolicy | null
  readonly businessHours: BusinessHours | null
  readonly timeZone: string
  readonly hasAgents: boolean
}

const millis = (time: Date | null): number | null => time?.getTime() ?? null
const date = (time: number | null): Date | null => (time === null ? null : new Date(time))

const clockOf = (row: LockedRow): SlaClock => ({
  since: millis(row.slaSince),
  responseDueAt: millis(row.responseDueAt),
  resolutionDueAt: millis(row.resolutionDueAt),
  responseBreachedAt: millis(row.responseBreachedAt),
  resolutionBreachedAt: millis(row.resolutionBreachedAt)
})

const columns = (
  sql: PgClient.PgClient
) => sql`v.channel, v.contact_id, v.status, v.assigned_user_id, v.assigned_agent_id, v.assigned_bot_id, v.epoch::text,
  v.sla_since, v.response_due_at, v.resolution_due_at, v.response_breached_at, v.resolution_breached_at, o.sla_policy, o.time_zone,
  EXISTS (SELECT 1 FROM text_agents a WHERE a.organization_id = v.organization_id) AS has_agents,
  CASE WHEN o.sla_policy IS NULL THEN NULL ELSE o.business_hours END AS business_hours`

/**
 * Locks a conversation. Gives `undefined` when there is no such conversation. Fails with `LostConversation` when the fence's epoch is not the
 * current one. A fence without an epoch makes its writer the owner.
 */
export const lockConversation = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  id: string,
  fence: ConversationFence | undefined
) {
  const claims = fence !== undefined && fence.epoch === undefined
  const [row] = yield* claims
    ? sql<LockedRow>`UPDATE conversations v SET epoch = v.epoch + 1 FROM organizations o
        WHERE o.id = v.organization_id AND v.id = ${id} RETURNING ${columns(sql)}`
    : sql<LockedRow>`SELECT ${columns(sql)} FROM conversations v JOIN organizations o ON o.id = v.organization_id
        WHERE v.id = ${id} FOR NO KEY UPDATE OF v`
  if (row === undefined) return undefined
  const epoch = Number(row.epoch)
  if (fence?.epoch !== undefined && fence.epoch !== epoch) return yield* new LostConversation({ conversationId: id })
  const { slaPolicy: policy, businessHours, timeZone, channel, contactId, hasAgents } = row
  const clock = clockOf(row)
  const locked: LockedConversation = {
    organizationId,
    id,
    channel,
    contactId,
    ownership: ownershipOf(row),
    clock,
    terms: policy === null ? null : { policy, businessHours, timeZone },
    epoch,
    fence,
    hasAgents
  }
  grant(locked, clock)
  return locked
})

const grant = ({ fence, epoch }: LockedConversation, clock: SlaClock): void => {
  if (fence !== undefined) fence.granted = { ...fence.granted, epoch, dueAt: nextDue(clock) }
}

/** The changes in a conversation that a message or command causes. */
export interface Happened {
  /** Changes of status and assignee, in order. */
  readonly ownership?: ReadonlyArray<OwnershipEvent>
  /** The contact wrote, or we answered. `at` is in Unix milliseconds. */
  readonly wrote?: { readonly who: "contact" | "us"; readonly at: number }
  /** The message that was just stored, for the text agent. */
  readonly stored?: StoredMessage
}

const clockAfter = (before: LockedConversation, after: Ownership, { wrote }: Happened, now: number) => {
  const { terms, ownership } = before
  const looked = slaMissed(before.clock, terms, now)
  const steps = [
    ...(ownership.status !== "RESOLVED" && after.status === "RESOLVED"
      ? [{ event: "resolved", at: now } as const]
      : []),
    ...(wrote === undefined ? [] : [{ event: wrote.who === "us" ? "answered" : "inbound", at: wrote.at } as const]),
    ...(ownership.status === "RESOLVED" && after.status !== "RESOLVED" && wrote === undefined
      ? [{ event: "reopened", at: now } as const]
      : [])
  ]
  return { ...looked, clock: steps.reduce((clock, { event, at }) => slaAfter(clock, event, terms, at), looked.clock) }
}

const write = (
  sql: PgClient.PgClient,
  id: string,
  { status, assignee }: Ownership,
  clock: SlaClock,
  touch: boolean
) => {
  const columns = assigneeColumns(assignee)
  const touched = touch ? sql`, updated_at = now()` : sql``
  const woken = status === "RESOLVED" ? sql`, snoozed_until = NULL` : sql``
  return sql`UPDATE conversations SET status = ${status}, assigned_user_id = ${columns.assigned_user_id},
    assigned_agent_id = ${columns.assigned_agent_id}, assigned_bot_id = ${columns.assigned_bot_id}, sla_since = ${date(clock.since)}, response_due_at = ${date(clock.responseDueAt)},
    resolution_due_at = ${date(clock.resolutionDueAt)}, response_breached_at = ${date(clock.responseBreachedAt)},
    resolution_breached_at = ${date(clock.resolutionBreachedAt)}, sla_due_at = ${date(nextDue(clock))}${touched}${woken} WHERE id = ${id}`
}

const breached = (target: SlaTarget, clock: SlaClock) => {
  const due = target === "first_response" ? clock.responseDueAt : clock.resolutionDueAt
  return { target, dueAt: due === null ? null : new Date(due).toISOString() }
}

/**
 * Applies what happened to the ownership, the text agent and the SLA clock of a locked conversation, and records the events, including those for due times that
 * have passed. Writes nothing when nothing changes. Gives the new ownership.
 */
export const moveConversation = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  before: LockedConversation,
  happened: Happened
) {
  const now = yield* Clock.currentTimeMillis
  const { id, organizationId } = before
  const happenedTo = happened.ownership ?? []
  const byAgents = yield* routeToAgent(sql, before, happenedTo, happened.stored, now)
  const after = [...happenedTo, ...byAgents].reduce(owned, before.ownership)
  const { clock, targets } = clockAfter(before, after, happened, now)
  grant(before, clock)
  const moved = !Equal.equals(after, before.ownership)
  if (!moved && Equal.equals(clock, before.clock)) return after
  yield* write(sql, id, after, clock, moved)
  const news = ownershipNews(before.ownership, after)
  if (news.length + targets.length === 0) {
    yield* tellUpdated(sql, before)
    return after
  }
  const view = yield* conversationWithId(sql, id, now)
  if (view === undefined) return after
  for (const target of targets) {
    const data = { conversation: view, ...breached(target, before.clock) }
    yield* recordEvent(sql, organizationId, { type: "conversation.sla_breached", data }, now)
  }
  const by = happened.stored?.message.sentBy ?? (yield* Acting).actor.id
  const assigned = { conversation: view, ...(by === null ? {} : { by }) }
  for (const type of news) {
    const data = type === "conversation.assigned" ? assigned : { conversation: view }
    yield* recordEvent(sql, organizationId, { type, data }, now)
  }
  return after
})

/** Records that something of the conversation has changed for which there is no event of its own: read, snoozed, due times. */
export const tellUpdated = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { organizationId, id }: Pick<LockedConversation, "organizationId" | "id">
) {
  const now = yield* Clock.currentTimeMillis
  const conversation = yield* conversationWithId(sql, id, now)
  if (conversation !== undefined)
    yield* recordEvent(sql, organizationId, { type: "conversation.updated", data: { conversation } }, now)
})
