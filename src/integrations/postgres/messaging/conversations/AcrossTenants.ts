/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they give the organizations that have messages to hand over, the conversations
 * that are due, and counts of what waits in all organizations. Times are Unix milliseconds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { goneOf, idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations that have messages to hand over at `now`. */
export const organizationsToDeliver = (sql: Sql, now: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_deliver(${new Date(now)}) AS id`)

/** Conversations with a due time that has passed, the longest due first. */
export const dueConversations = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; conversationId: string }>`
    SELECT organization_id, id AS conversation_id FROM due_conversations(${new Date(now)}, ${most})`

/** Forgets which commands conversations carried out before a time, at most so many. Gives how many went. */
export const forgetCommands = (sql: Sql, before: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT forget_commands(${new Date(before)}, ${most}) AS gone`)

export interface BacklogRow {
  /** Messages on their way to the channel, and when the oldest was queued. */
  readonly outbox: bigint
  readonly outboxOldest: Date | null
  /** Deliveries of webhooks, and notifications to devices, that wait for their next attempt. */
  readonly webhooks: bigint
  readonly pushes: bigint
  readonly broadcastsRunning: bigint
  readonly broadcastsScheduled: bigint
  /** When the oldest event was written that a transaction under way holds back from readers. */
  readonly eventHeldBack: Date | null
}

/** What waits in all organizations; the counts of what waits go no further than `most`. */
export const messagingBacklog = (sql: Sql, most: number) =>
  Effect.map(sql<BacklogRow>`SELECT * FROM messaging_backlog(${most})`, ([found]) => found)
