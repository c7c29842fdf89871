/** Counts the tokens of language models. Use it as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { TokenUsage } from "../../../../domain/ai/providers/Reasoning.ts"
import { knowledgeAgentId } from "../../../../domain/usage/AiUsage.ts"

/** The organization's tokens of language models since this day (`2026-11-01`). */
export const tokensSince = (sql: PgClient.PgClient, day: string) =>
  Effect.map(
    sql<{ tokens: string }>`SELECT coalesce(sum(input_tokens + output_tokens), 0)::text AS tokens FROM ai_usage
      WHERE day >= ${day}::date AND agent_id <> ${knowledgeAgentId}`,
    ([{ tokens }]) => Number(tokens)
  )

const sums = (usage: ReadonlyArray<TokenUsage>) => {
  const byModel = new Map<string, TokenUsage & { readonly requests: number }>()
  for (const { model, inputTokens, outputTokens } of usage) {
    const before = byModel.get(model) ?? { model, requests: 0, inputTokens: 0, outputTokens: 0 }
    byModel.set(model, {
      model,
      requests: before.requests + 1,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens
    })
  }
  // In one order, so that two transactions lock the rows in the same order.
  return [...byModel.values()].toSorted((a, b) => (a.model < b.model ? -1 : 1))
}

/** Adds requests of an agent to its day in the organization's time zone. */
export const addUsage = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  agentId: string,
  usage: ReadonlyArray<TokenUsage>,
  now: number
) {
  for (const { model, requests, inputTokens, outputTokens } of sums(usage))
    yield* sql`INSERT INTO ai_usage (organization_id, day, agent_id, model, requests, input_tokens, output_tokens)
      SELECT id, (${new Date(now)}::timestamptz AT TIME ZONE time_zone)::date, ${agentId}, ${model}, ${requests}, ${inputTokens}, ${outputTokens}
        FROM organizations WHERE id = ${organizationId}
      ON CONFLICT (organization_id, day, agent_id, model) DO UPDATE SET requests = ai_usage.requests + excluded.requests,
        input_tokens = ai_usage.input_tokens + excluded.input_tokens, output_tokens = ai_usage.output_tokens + excluded.output_tokens`
})
