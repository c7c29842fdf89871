/** Reads voice usage from the ledger of calls (`VoiceLedger.ts`). */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import type { Charge } from "../../../domain/usage/Metering.ts"
import { type UsageRow, VoiceUsage } from "../../../domain/usage/VoiceUsage.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { callsMatching } from "../voice/calls/CallFilters.ts"
import { chargeColumns, charged, monthsOf } from "../voice/calls/VoiceLedger.ts"

export const layer = Layer.effect(
  VoiceUsage,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const charge = sql.literal(chargeColumns)

    return VoiceUsage.of({
      read: traced("VoiceUsage.read")(function* (organizationId, { from, to, groupBy, agentId }) {
        const rows = charged(sql, monthsOf(sql, sql`${from}`, sql`${to}`))
        const own = agentId === undefined ? sql`` : sql`AND c.agent_id = ${agentId}`
        const wanted = sql`${rows} c WHERE c.day BETWEEN ${from}::date AND ${to}::date ${own}`
        return yield* asTenant(organizationId)(
          groupBy === "day"
            ? sql<UsageRow>`SELECT c.day::text AS day, NULL AS agent_id, NULL AS agent_name, ${charge}
                FROM ${wanted} GROUP BY c.day ORDER BY c.day`
            : sql<UsageRow>`SELECT NULL AS day, u.*, (SELECT name FROM voice_agents a WHERE a.id = u.agent_id) AS agent_name
                FROM (SELECT c.agent_id, ${charge} FROM ${wanted} GROUP BY c.agent_id) u ORDER BY minutes DESC, agent_id`
        )
      }, Effect.orDie),

      ofCalls: traced("VoiceUsage.ofCalls")(function* (organizationId, filter) {
        const matching = sql`SELECT id FROM calls WHERE ${callsMatching(sql, filter)}`
        const day = (which: "min" | "max") =>
          sql`(SELECT ${sql.literal(which)}(day) FROM voice_ledger WHERE call_id IN (${matching}))`
        const rows = charged(sql, monthsOf(sql, day("min"), day("max")))
        const [found] = yield* asTenant(organizationId)(
          sql<Charge>`SELECT ${charge} FROM ${rows} c WHERE c.call_id IN (${matching})`
        )
        return found
      }, Effect.orDie),

      ofCall: traced("VoiceUsage.ofCall")(function* (organizationId, callId) {
        const day = sql`(SELECT day FROM voice_ledger WHERE call_id = ${callId})`
        const [found] = yield* asTenant(organizationId)(
          sql<Charge>`SELECT ${charge} FROM ${charged(sql, monthsOf(sql, day, day))} c WHERE c.call_id = ${callId}`
        )
        return found.calls === 0 ? undefined : found
      }, Effect.orDie)
    })
  })
)
