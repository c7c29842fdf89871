/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations that have messages to hand over, the
 * conversations that are due, and counts of waiting work in all organizations. Times are Unix milliseconds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { goneOf, idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations that have messages to hand over to the channel at `now`. */
export const organizationsToDeliver = (sql: Sql, now: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_deliver(${new Date(now)}) AS id`)

/** Conversations whose due time has passed, the longest due first; at most `most`. */
export const dueConversations = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; conversationId: string }>`
    SELECT organization_id, id AS conversation_id FROM due_conversations(${new Date(now)}, ${most})`

/** Conversations whose text agent should have begun its turn by `at`, the longest due first; at most `most`. */
export const dueTurns = (sql: Sql, at: number, most: number) =>
  sql<{ organizationId: string; conversationId: string }>`
    SELECT organization_id, conversation_id FROM due_turns(${new Date(at)}, ${most})`

/** Removes the records of commands that conversations carried out before `before`, at most `most`. Gives the number of records removed. */
export const forgetCommands = (sql: Sql, before: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT forget_commands(${new Date(before)}, ${most}) AS gone`)

export interface BacklogRow {
  /** The number of messages in the outbox, and when the oldest was queued. */
  readonly outbox: bigint
  readonly outboxOldest: Date | null
  /** The numbers of webhook deliveries and of push notifications that wait for their next attempt. */
  readonly webhooks: bigint
  readonly pushes: bigint
  readonly broadcastsRunning: bigint
  readonly broadcastsScheduled: bigint
  /** When the oldest event was written that readers cannot see yet because of a running transaction. */
  readonly eventHeldBack: Date | null
}

/** The waiting work of all organizations. Each count of waiting items stops at `most`. */
export const messagingBacklog = (sql: Sql, most: number) =>
  Effect.map(sql<BacklogRow>`SELECT * FROM messaging_backlog(${most})`, ([found]) => found)
