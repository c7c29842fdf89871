/** The tools that turns of text agents have run. Use it as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { AnswerSource, ToolAnswer } from "../../../../domain/ai/tools/ToolRunner.ts"
import type { ToolRun, Turn } from "../../../../domain/messaging/agents/AgentTurns.ts"
import { makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly key: string
  readonly name: string
  readonly arguments: string
  readonly outcome: ToolAnswer["outcome"] | null
  readonly result: string | null
  readonly sources: ReadonlyArray<AnswerSource> | null
}

const run = ({ outcome, result, sources, ...row }: Row): ToolRun => ({
  ...row,
  answer: outcome === null || result === null ? null : { outcome, result, ...(sources === null ? {} : { sources }) }
})

/** The tools that a turn has begun, in their order. */
export const runsOf = (sql: PgClient.PgClient, conversationId: string, turnId: string) =>
  sql<Row>`SELECT key, name, arguments, outcome, result, sources FROM agent_tool_runs
    WHERE conversation_id = ${conversationId} AND turn_id = ${turnId} ORDER BY position, key`.pipe(
    Effect.map((rows) => rows.map(run))
  )

export const makeToolRuns = Effect.map(makeSql, ({ sql }) => ({
  /** Gives the earlier run of the same tool with the same arguments in this turn, if there is one. */
  begin: Effect.fnUntraced(function* (
    turn: Turn,
    { key, name, arguments: text }: Omit<ToolRun, "answer">,
    now: number
  ) {
    const { organizationId, conversationId, id, agentId } = turn
    const made = yield* sql`INSERT INTO agent_tool_runs
        (organization_id, conversation_id, turn_id, key, position, agent_id, name, arguments, started_at)
      SELECT ${organizationId}, ${conversationId}, ${id}, ${key},
        (SELECT count(*) FROM agent_tool_runs WHERE conversation_id = ${conversationId} AND turn_id = ${id}),
        ${agentId}, ${name}, ${text}, ${new Date(now)}::timestamptz
      FROM conversations WHERE id = ${conversationId} ON CONFLICT DO NOTHING RETURNING key`
    if (made.length > 0) return undefined
    const [row] = yield* sql<Row>`SELECT key, name, arguments, outcome, result, sources FROM agent_tool_runs
      WHERE conversation_id = ${conversationId} AND turn_id = ${id} AND key = ${key}`
    // The contact was erased meanwhile: nothing is run for it any more.
    return row === undefined ? { key, name, arguments: text, answer: null } : run(row)
  }),
  end: Effect.fnUntraced(function* (turn: Turn, key: string, { outcome, result, sources }: ToolAnswer, now: number) {
    yield* sql`UPDATE agent_tool_runs SET outcome = ${outcome}, result = ${result},
      sources = ${sources === undefined ? null : sql.json(sources)}, ended_at = ${new Date(now)}
      WHERE conversation_id = ${turn.conversationId} AND turn_id = ${turn.id} AND key = ${key}`
  })
}))
