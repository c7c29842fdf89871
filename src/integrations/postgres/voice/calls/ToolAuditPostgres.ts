/** Reads the audit of tool calls across all calls, and all turns of text agents, of an organization. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { toolUnfinished } from "../../../../domain/voice/calls/records/CallRecord.ts"
import { ToolAudit, ToolAuditEntry } from "../../../../domain/voice/calls/records/ToolAudit.ts"
import { numbered } from "../../tenancy/Parts.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"

const entry = (row: { readonly createdAt: Date }) =>
  Schema.decodeUnknownEffect(ToolAuditEntry)({ ...row, createdAt: iso(row.createdAt) })

export const layer = Layer.effect(
  ToolAudit,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return ToolAudit.of({
      list: traced("ToolAudit.list")(function* (organizationId, filter, page, limit) {
        const { agentId, callId, name, outcome, since, before } = filter
        const ofCalls = sql`SELECT t.id, t.name, t.arguments, t.result, t.outcome, t.duration_ms, t.withheld, t.created_at, t.call_id,
            c.agent_id, c.conversation_id FROM tool_calls t JOIN calls c ON c.organization_id = t.organization_id AND c.id = t.call_id`
        const ofTurns = sql`SELECT r.turn_id || '.' || r.key, r.name, r.arguments, coalesce(r.result, ${toolUnfinished}), coalesce(r.outcome, 'error'),
            coalesce(round(extract(epoch FROM r.ended_at - r.started_at) * 1000), 0)::integer, NULL::text[], r.started_at, '', r.agent_id,
            r.conversation_id FROM agent_tool_runs r`
        const from = sql`(${ofCalls} UNION ALL ${ofTurns}) t
          WHERE ${sql.and([
            ...(agentId === undefined ? [] : [sql`t.agent_id = ${agentId}`]),
            ...(callId === undefined ? [] : [sql`t.call_id = ${callId}`]),
            ...(name === undefined ? [] : [sql`t.name = ${name}`]),
            ...(outcome === undefined ? [] : [sql`t.outcome = ${outcome}`]),
            ...(since === undefined ? [] : [sql`t.created_at >= ${new Date(since)}`]),
            ...(before === undefined ? [] : [sql`t.created_at < ${new Date(before)}`])
          ])}`
        const columns = sql`t.*`
        const order = sql`t.created_at DESC, t.call_id DESC, t.id DESC`
        return yield* numbered({ sql, asTenant }, organizationId, { columns, from, order, decode: entry }, page, limit)
      }, Effect.orDie)
    })
  })
)
