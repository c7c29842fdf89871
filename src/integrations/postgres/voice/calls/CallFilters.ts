/** Converts a `CallFilter` into SQL conditions on rows of `calls`. The schema has an index for each condition. */
import type { PgClient } from "@effect/sql-pg"
import type { CallFilter } from "../../../../domain/voice/calls/records/CallFilter.ts"

export const callsMatching = (sql: PgClient.PgClient, filter: CallFilter) => {
  const {
    agentId,
    contactId,
    conversationId,
    direction,
    status,
    endReason,
    phone,
    minDurationSeconds,
    maxDurationSeconds,
    slowerThanMs,
    since,
    before
  } = filter
  return sql.and([
    sql`true`,
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(contactId === undefined ? [] : [sql`contact_id = ${contactId}`]),
    ...(conversationId === undefined ? [] : [sql`conversation_id = ${conversationId}`]),
    ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(endReason === undefined ? [] : [sql`end_reason = ${endReason}`]),
    ...(phone === undefined
      ? []
      : [sql`CASE direction WHEN 'inbound' THEN from_address ELSE to_address END = ${phone}`]),
    ...(minDurationSeconds === undefined ? [] : [sql`duration_seconds >= ${minDurationSeconds}`]),
    ...(maxDurationSeconds === undefined ? [] : [sql`duration_seconds <= ${maxDurationSeconds}`]),
    ...(slowerThanMs === undefined ? [] : [sql`slowest_ms > ${slowerThanMs}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${new Date(since)}`]),
    ...(before === undefined ? [] : [sql`created_at < ${new Date(before)}`])
  ])
}
