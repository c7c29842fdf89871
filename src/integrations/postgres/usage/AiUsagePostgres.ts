/** Reads the tokens that turns of text agents, and summaries of calls, have used (`messaging/agents/AiTokens.ts` writes them). */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { AiUsage, type AiUsageRow } from "../../../domain/usage/AiUsage.ts"
import { makeSql } from "../tenancy/Sql.ts"

interface Row {
  readonly key: string
  readonly name: string | null
  readonly requests: string
  readonly inputTokens: string
  readonly outputTokens: string
}

const keys = { day: "u.day::text", agent: "u.agent_id", model: "u.model" } as const

export const layer = Layer.effect(
  AiUsage,
  Effect.map(makeSql, ({ sql, asTenant }) =>
    AiUsage.of({
      read: traced("AiUsage.read")(function* (organizationId, { from, to, groupBy, agentId }) {
        const own = agentId === undefined ? sql`` : sql`AND u.agent_id = ${agentId}`
        const order = groupBy === "day" ? sql`1` : sql`sum(u.input_tokens + u.output_tokens) DESC, 1`
        const name =
          groupBy === "agent"
            ? sql`coalesce((SELECT a.name FROM text_agents a WHERE a.id = u.agent_id),
          (SELECT a.name FROM voice_agents a WHERE a.id = u.agent_id))`
            : sql`NULL`
        const rows = yield* asTenant(organizationId)(
          sql<Row>`SELECT ${sql.literal(keys[groupBy])} AS key, ${name} AS name, sum(u.requests)::text AS requests,
              sum(u.input_tokens)::text AS input_tokens, sum(u.output_tokens)::text AS output_tokens
            FROM ai_usage u WHERE u.day BETWEEN ${from}::date AND ${to}::date ${own} GROUP BY ${sql.literal(keys[groupBy])} ORDER BY ${order}`
        )
        return rows.map(
          ({ requests, inputTokens, outputTokens, ...row }): AiUsageRow => ({
            ...row,
            requests: Number(requests),
            inputTokens: Number(inputTokens),
            outputTokens: Number(outputTokens)
          })
        )
      }, Effect.orDie)
    })
  )
)
