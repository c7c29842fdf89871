/** How many conversations the views of the inbox have. Each is counted along an index of its own, and to a limit. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { type InboxCounts, mostConversationsCounted } from "../../../../domain/messaging/conversations/Conversation.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { dueIs, isAwake, isSnoozed } from "./ConversationFilters.ts"

/** Use it as the tenant. `now`: Unix milliseconds. */
export const inboxCounts = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  userId: string | undefined,
  now: number
) {
  const own = sql`v.organization_id = ${organizationId}`
  const counted = (where: Statement.Fragment) =>
    sql`(SELECT count(*)::int FROM (SELECT 1 FROM conversations v WHERE ${own} AND ${where} LIMIT ${mostConversationsCounted}) counted)`
  const asleep = isSnoozed(sql, now)
  const awake = isAwake(sql, now)
  /** All with this status, by the counts that triggers keep. Of these the few that are snoozed are subtracted. */
  const listedAs = (status: "OPEN" | "ASSIGNED" | "RESOLVED") =>
    sql`(SELECT coalesce(sum(k.total), 0)::int FROM list_counts k
      WHERE k.organization_id = ${organizationId} AND k.list = ${listNames.conversations(status)})`
  const mine =
    userId === undefined ? sql`0` : counted(sql`v.assigned_user_id = ${userId} AND v.status = 'ASSIGNED' AND ${awake}`)
  const [counts] = yield* sql<InboxCounts>`SELECT
    ${listedAs("OPEN")} - ${counted(sql`v.status = 'OPEN' AND ${asleep}`)} AS open,
    ${listedAs("ASSIGNED")} - ${counted(sql`v.status = 'ASSIGNED' AND ${asleep}`)} AS assigned,
    ${mine} AS mine,
    ${counted(sql`v.unread_count > 0 AND ${awake}`)} AS unread,
    ${counted(sql`${dueIs(sql, "overdue", now)} AND ${awake}`)} AS overdue,
    ${counted(sql`${dueIs(sql, "soon", now)} AND ${awake}`)} AS due_soon,
    ${counted(asleep)} AS snoozed,
    ${listedAs("RESOLVED")} AS resolved`
  return counts
})
