/** What happens outside of a call that its agent waits for, in Postgres. Run these as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { CallNotices } from "../../../../domain/voice/calls/live/CallNotices.ts"
import { makeSql } from "../../tenancy/Sql.ts"

/** Notices are told within seconds. Those of yesterday's calls go with the next one. */
const keptMs = 86_400_000

/** Writes a notice in the transaction of what it tells of. A call that was erased gets none. */
export const writeNotice = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  callId: string,
  text: string,
  now: number
) {
  yield* sql`INSERT INTO call_notices (organization_id, call_id, text, created_at)
    SELECT ${organizationId}, id, ${text}, ${new Date(now)} FROM calls WHERE id = ${callId} AND NOT erased FOR SHARE`
  yield* sql`DELETE FROM call_notices WHERE organization_id = ${organizationId} AND created_at < ${new Date(now - keptMs)}`
})

export const layer = Layer.effect(
  CallNotices,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return CallNotices.of({
      after: traced("CallNotices.after")(function* (organizationId, callId, position) {
        return yield* asTenant(organizationId)(
          sql<{ position: number; text: string }>`SELECT position::float8 AS position, text FROM call_notices
            WHERE organization_id = ${organizationId} AND call_id = ${callId} AND position > ${position} ORDER BY position LIMIT 20`
        )
      }, Effect.orDie),

      toldUntil: traced("CallNotices.toldUntil")(function* (organizationId, callId, until) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ position: number }>`SELECT coalesce(max(position), 0)::float8 AS position FROM call_notices
            WHERE organization_id = ${organizationId} AND call_id = ${callId} AND created_at < ${new Date(until)}
            HAVING EXISTS (SELECT 1 FROM tool_calls WHERE call_id = ${callId} AND tells_later)
              OR EXISTS (SELECT 1 FROM payment_links WHERE organization_id = ${organizationId} AND call_id = ${callId})`
        )
        return row?.position
      }, Effect.orDie)
    })
  })
)
