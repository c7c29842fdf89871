/** Rows of broadcasts and their recipients, the records they become, and whom an audience means. To be used as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { type Audience, Broadcast, BroadcastRecipient, type CountRow, countsOf } from "../../domain/Broadcast.ts"
import { iso, isoOrNull } from "./Sql.ts"

export interface BroadcastRow
  extends Pick<Broadcast, "id" | "status" | "audience" | "components" | "language" | "templateName"> {
  readonly scheduledAt: Date | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface RecipientRow {
  readonly contactId: string
  readonly position: string
  readonly status: string
  readonly reason: string
  readonly failureReason: string | null
  readonly messageId: string | null
  readonly updatedAt: Date
}

const decode = (row: BroadcastRow, counts: ReadonlyArray<CountRow>) =>
  Schema.decodeUnknownEffect(Broadcast)({
    ...row,
    scheduledAt: isoOrNull(row.scheduledAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    counts: countsOf(counts),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  }).pipe(Effect.orDie)

/** Inside it is told apart whether the message is stored; outside both are waiting for the channel. */
export const decodeRecipient = (row: RecipientRow) =>
  Schema.decodeUnknownEffect(BroadcastRecipient)({
    ...row,
    status: row.status === "waiting" ? "queued" : row.status,
    reason: row.failureReason ?? (row.reason === "" ? null : row.reason),
    messageId: row.status === "waiting" || row.status === "skipped" ? null : row.messageId,
    updatedAt: iso(row.updatedAt)
  }).pipe(Effect.orDie)

/** An answer that has not come for so long is taken for lost. */
const lostAfter = "30 seconds"

/** How many recipients are where, of each of these broadcasts. What was handed over without an answer is looked up only while something is queued. */
const countRows = (sql: PgClient.PgClient, ids: ReadonlyArray<string>) =>
  sql<CountRow & { readonly broadcastId: string }>`
    WITH counted AS (SELECT broadcast_id, status, reason, count(*)::int AS count FROM broadcast_recipients
        WHERE broadcast_id = ANY (${ids}::text[]) GROUP BY broadcast_id, status, reason),
      lost AS (SELECT r.broadcast_id, count(*)::int AS count FROM broadcast_recipients r
        JOIN outbox o ON o.organization_id = r.organization_id AND o.message_id = r.message_id
        WHERE r.broadcast_id = ANY (${ids}::text[]) AND r.status = 'queued'
          AND o.handing_over_since < now() - ${lostAfter}::interval GROUP BY r.broadcast_id)
    SELECT c.broadcast_id, c.status, c.reason, c.count - CASE WHEN c.status = 'queued' THEN coalesce(l.count, 0) ELSE 0 END AS count
      FROM counted c LEFT JOIN lost l USING (broadcast_id)
    UNION ALL SELECT broadcast_id, 'unknown', '', count FROM lost`

/** Their records, with the counters of this moment. */
export const broadcastsOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, rows: ReadonlyArray<BroadcastRow>) {
  const counts = yield* countRows(
    sql,
    rows.map(({ id }) => id)
  )
  return yield* Effect.forEach(rows, (row) =>
    decode(
      row,
      counts.filter(({ broadcastId }) => broadcastId === row.id)
    )
  )
})

/** Condition on `contacts c`. Archived contacts are in it only when they are named. */
export const within = (sql: PgClient.PgClient, { all, tags = [], contactIds = [] }: Audience) =>
  sql.or([
    ...(all === true ? [sql`(c.opted_in AND c.archived_at IS NULL)`] : []),
    ...(tags.length === 0
      ? []
      : [
          sql`c.id IN (SELECT t.contact_id FROM contact_tags t WHERE t.tag = ANY (${tags.map((tag) => tag.trim())}::text[]) AND NOT t.archived)`
        ]),
    ...(contactIds.length === 0 ? [] : [sql`c.id = ANY (${contactIds}::text[])`])
  ])

/** Whether somebody can be reached at all: columns of `contacts c`. */
export const reachable = (
  sql: PgClient.PgClient
) => sql`(c.phone IS NOT NULL OR EXISTS (SELECT 1 FROM contact_identities i
  WHERE i.organization_id = c.organization_id AND i.contact_id = c.id AND i.channel = 'messaging'))`

/** As `unwanted` of the domain decides: empty for who is to get the message. */
export const skipReason = (sql: PgClient.PgClient) => sql`CASE WHEN c.archived_at IS NOT NULL THEN 'archived'
  WHEN NOT c.opted_in THEN 'opted_out' WHEN NOT ${reachable(sql)} THEN 'no_phone' ELSE '' END`
