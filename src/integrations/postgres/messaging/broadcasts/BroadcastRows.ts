/** Converts rows of broadcasts and recipients into records, and audiences into SQL conditions. Use it as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { Audience } from "../../../../domain/messaging/broadcasts/Audience.ts"
import { Broadcast } from "../../../../domain/messaging/broadcasts/Broadcast.ts"
import { type CountRow, countsOf } from "../../../../domain/messaging/broadcasts/BroadcastCounts.ts"
import { BroadcastRecipient, SkipReason } from "../../../../domain/messaging/broadcasts/BroadcastRecipient.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"

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

/** The database distinguishes `waiting` (message not stored yet) from `queued` (message stored). The record shows both as `queued`. */
export const decodeRecipient = (row: RecipientRow) =>
  Schema.decodeUnknownEffect(BroadcastRecipient)({
    ...row,
    status: row.status === "waiting" ? "queued" : row.status,
    reason: row.failureReason ?? (row.reason === "" ? null : row.reason),
    messageId: row.status === "waiting" || row.status === "skipped" ? null : row.messageId,
    updatedAt: iso(row.updatedAt)
  }).pipe(Effect.orDie)

/** If the channel has not answered within this time, the answer counts as lost. */
const lostAfter = "30 seconds"

interface Counted extends CountRow {
  readonly broadcastId: string
}

const places = [
  ...(["waiting", "queued", "sent", "delivered", "read", "failed"] as const).map((status) => ({ status, reason: "" })),
  ...SkipReason.literals.map((reason) => ({ status: "skipped" as const, reason }))
]

/** The number of recipients of each of these broadcasts, by status and reason. */
export const recipientCounts = Effect.fnUntraced(function* (sql: PgClient.PgClient, ids: ReadonlyArray<string>) {
  const lists = new Map(
    ids.flatMap((broadcastId) =>
      places.map(({ status, reason }) => [
        listNames.recipients(broadcastId, status, reason),
        { broadcastId, status, reason }
      ])
    )
  )
  const rows = yield* sql<{ list: string; count: number }>`SELECT list, sum(total)::int AS count FROM list_counts
    WHERE list = ANY (${[...lists.keys()]}::text[]) GROUP BY list`
  return rows.flatMap(({ list, count }): ReadonlyArray<Counted> => {
    const place = lists.get(list)
    return place === undefined ? [] : [{ ...place, count }]
  })
})

/** For each of these broadcasts, the number of messages that were handed over to the channel and whose answer is lost. */
const lostRows = (sql: PgClient.PgClient, ids: ReadonlyArray<string>) =>
  sql<{ broadcastId: string; count: number }>`SELECT r.broadcast_id, count(*)::int AS count FROM broadcast_recipients r
    JOIN outbox o ON o.organization_id = r.organization_id AND o.message_id = r.message_id
    WHERE r.broadcast_id = ANY (${ids}::text[]) AND r.status = 'queued'
      AND o.handing_over_since < now() - ${lostAfter}::interval GROUP BY r.broadcast_id`

/** The counts of recipients, with lost answers counted as `unknown` instead of `queued`. Only broadcasts with queued messages are checked. */
const countRows = Effect.fnUntraced(function* (sql: PgClient.PgClient, ids: ReadonlyArray<string>) {
  const counted = yield* recipientCounts(sql, ids)
  const queued = counted.filter(({ status, count }) => status === "queued" && count > 0)
  if (queued.length === 0) return counted
  const lost = yield* lostRows(
    sql,
    queued.map(({ broadcastId }) => broadcastId)
  )
  return [
    ...counted,
    ...lost.flatMap(
      ({ broadcastId, count }): ReadonlyArray<Counted> => [
        { broadcastId, status: "unknown", reason: "", count },
        { broadcastId, status: "queued", reason: "", count: -count }
      ]
    )
  ]
})

/** The records of these broadcasts, with their current counts. */
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

/** An SQL condition on `contacts c`: the contact belongs to the audience. Archived contacts belong to it only when `contactIds` names them. */
export const inAudience = (sql: PgClient.PgClient, { all, tags = [], contactIds = [] }: Audience) =>
  sql.or([
    ...(all === true ? [sql`(c.opted_in AND c.archived_at IS NULL)`] : []),
    ...(tags.length === 0
      ? []
      : [
          sql`c.id IN (SELECT t.contact_id FROM contact_tags t WHERE t.tag = ANY (${tags.map((tag) => tag.trim())}::text[]) AND NOT t.archived)`
        ]),
    ...(contactIds.length === 0 ? [] : [sql`c.id = ANY (${contactIds}::text[])`])
  ])

/** An SQL condition on `contacts c`: the contact has a phone number or an identity at the messaging channel. */
export const reachable = (
  sql: PgClient.PgClient
) => sql`(c.phone IS NOT NULL OR EXISTS (SELECT 1 FROM contact_identities i
  WHERE i.organization_id = c.organization_id AND i.contact_id = c.id AND i.channel = 'messaging'))`

/** An SQL condition on `contacts c`: the contact has once said that it does not want messages. */
export const withdrew = (sql: PgClient.PgClient) => sql`EXISTS (SELECT 1 FROM consents w
  WHERE w.organization_id = c.organization_id AND w.channel = 'messaging' AND w.action = 'withdrawn'
    AND w.phone_hash = sha256(convert_to(c.organization_id || '|' || coalesce(c.phone, 'contact:' || c.id), 'UTF8')))`

/** An SQL expression that decides like the domain's `unwanted`: the reason to skip the contact, or '' when the contact gets the message. */
export const skipReason = (sql: PgClient.PgClient) => sql`CASE WHEN c.archived_at IS NOT NULL THEN 'archived'
  WHEN NOT c.opted_in THEN CASE WHEN ${withdrew(sql)} THEN 'opted_out' ELSE 'never_opted_in' END WHEN NOT ${reachable(sql)} THEN 'no_phone' ELSE '' END`
