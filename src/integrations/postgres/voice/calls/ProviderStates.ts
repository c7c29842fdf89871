/** Merges the telephony provider's reports about a call into its row. Runs inside the tenant's transaction with the row locked. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { type CallProgress, isFinal, nextStatus } from "../../../../domain/voice/calls/records/CallProgress.ts"
import type { CallNews } from "../../../../domain/voice/calls/records/CallRecord.ts"
import { tellOfCall } from "./CallEventLog.ts"
import type { CallRow } from "./CallRows.ts"
import { progressOf } from "./ProgressColumns.ts"
import { enterCall } from "./VoiceLedger.ts"

/** The later end counts. That is usually the provider's, because the provider closes the line after the engine has ended. */
const update = (sql: PgClient.PgClient, id: string, before: CallProgress, after: CallProgress, news: CallNews) => {
  const over = isFinal(after.status)
  const at = new Date(news.at)
  const end = over && isFinal(news.status) ? sql`GREATEST(ended_at, ${at}::timestamptz)` : sql`ended_at`
  const revived = isFinal(before.status) && !over
  return sql`UPDATE calls SET status = ${after.status}, provider_status = ${after.provider?.status ?? null},
    provider_sequence = ${after.provider?.sequence ?? null}, ended_at = ${revived ? sql`NULL` : end},
    failure_reason = ${revived ? sql`NULL` : sql`COALESCE(failure_reason, ${news.failureReason}::text)`},
    duration_seconds = GREATEST(duration_seconds, ${news.durationSeconds}::double precision) WHERE id = ${id}`
}

/** Applies a report to the call that the SQL condition `where` selects. Gives the call's id; undefined when there is no such call. */
export const applyNews = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  where: ReturnType<PgClient.PgClient["and"]>,
  news: CallNews
) {
  const [row] = yield* sql<CallRow>`SELECT * FROM calls WHERE ${where} FOR NO KEY UPDATE`
  if (row === undefined) return undefined
  const before = progressOf(row)
  yield* update(sql, row.id, before, nextStatus(before, news), news)
  // A call that no engine took part in is not charged: for example an announcement of the provider, or an answering machine.
  if (row.startedAt !== null) yield* enterCall(sql, row.id)
  yield* tellOfCall(sql, row, row.id)
  return row.id
})
