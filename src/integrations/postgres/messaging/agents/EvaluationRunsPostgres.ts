/** Runs of evaluations in Postgres, and the queue of those that are to be played. */
import { Clock, Effect, Layer, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { ToolDefinition } from "../../../../domain/ai/tools/Tool.ts"
import { newId } from "../../../../domain/basics/Ids.ts"
import { storableTexts } from "../../../../domain/basics/PlainText.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { TextAgent } from "../../../../domain/messaging/agents/TextAgent.ts"
import {
  type EvaluationJob,
  EvaluationResult,
  EvaluationRun,
  EvaluationRuns,
  EvaluationScript,
  mostRuns,
  mostWaitingRuns
} from "../../../../domain/messaging/rehearsal/EvaluationRun.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { holdName, iso, isoOrNull, makeSql } from "../../tenancy/Sql.ts"
import { dueEvaluationRuns } from "./AcrossTenants.ts"

interface Row {
  readonly id: string
  readonly results: unknown
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const shown = ({ results, ...row }: Row) => ({
  ...row,
  conversations: results ?? [],
  createdAt: iso(row.createdAt),
  endedAt: isoOrNull(row.endedAt)
})

const decodeRuns = Schema.decodeUnknownEffect(Schema.Array(EvaluationRun))
const decodeResult = Schema.decodeUnknownEffect(EvaluationResult)
const decodeScript = Schema.decodeUnknownEffect(EvaluationScript)

const runs = (rows: ReadonlyArray<Row>) => decodeRuns(rows.map(shown))

/** A tool without what it would ask: no tool of a run asks anybody, and addresses and headers may hold secrets. */
const mute = (tool: ToolDefinition): ToolDefinition =>
  tool.handler?.type === "http"
    ? { ...tool, handler: { type: "http", method: tool.handler.method, url: "https://tools.invalid/" } }
    : tool

export const layer = Layer.effect(
  EvaluationRuns,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const start = Effect.fnUntraced(function* (
      organizationId: string,
      evaluationId: string,
      agent: TextAgent,
      { draft, startedBy }: { readonly draft: boolean; readonly startedBy: string }
    ) {
      yield* holdName(sql, `evaluations of ${organizationId}`)
      const [evaluation] = yield* sql<{
        tools: unknown
        conversations: unknown
        size: number
      }>`SELECT tools, conversations, size FROM evaluations WHERE id = ${evaluationId}`
      if (evaluation === undefined) return undefined
      const [{ waiting }] = yield* sql<{
        waiting: number
      }>`SELECT count(*)::int AS waiting FROM evaluation_runs WHERE due_at IS NOT NULL`
      if (waiting >= mostWaitingRuns) return "full" as const
      const { tools, conversations, size } = evaluation
      const script = { agent: { ...agent, tools: agent.tools.map(mute) }, tools, conversations }
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const rows = yield* sql<Row>`INSERT INTO evaluation_runs
        (organization_id, id, evaluation_id, agent_id, agent_name, draft, script, state, total, started_by, due_at, created_at)
        VALUES (${organizationId}, ${newId("evr", now)}, ${evaluationId}, ${agent.id}, ${agent.name}, ${draft},
          ${JSON.stringify(script)}::jsonb, 'queued', ${size}, ${startedBy}, ${at}, ${at}) RETURNING *`
      yield* sql`DELETE FROM evaluation_runs WHERE evaluation_id = ${evaluationId} AND id IN (SELECT id FROM evaluation_runs
        WHERE evaluation_id = ${evaluationId} ORDER BY created_at DESC, id DESC OFFSET ${mostRuns})`
      const [run] = yield* runs(rows)
      return run
    })

    const list = Effect.fnUntraced(function* (evaluationId: string, part: Parameters<typeof newestFirst>[2]) {
      const found = yield* sql`SELECT 1 AS found FROM evaluations WHERE id = ${evaluationId}`
      if (found.length === 0) return undefined
      const where = sql`evaluation_id = ${evaluationId}`
      return yield* newestFirst(sql, { table: "evaluation_runs", where, decode: runs }, part)
    })

    /** One run whose time has come, for this worker alone. */
    const claimOne = Effect.fnUntraced(function* (organizationId: string, id: string, now: number, leaseMs: number) {
      const [row] = yield* sql<{ script: unknown; attempts: number }>`UPDATE evaluation_runs
        SET state = 'running', attempts = attempts + 1, due_at = ${new Date(now + leaseMs)}, done = 0, passed = 0
        WHERE id = ${id} AND due_at <= ${new Date(now)} RETURNING script, attempts`
      if (row === undefined) return []
      const { attempts } = row
      return [{ organizationId, id, attempts, script: yield* decodeScript(row.script) } satisfies EvaluationJob]
    })

    /** Changes a run that is still played by this job; false when it is gone, or somebody else's. */
    const during = ({ organizationId, id, attempts }: EvaluationJob, changes: Fragment) =>
      asTenant(organizationId)(
        sql`UPDATE evaluation_runs SET ${changes} WHERE id = ${id} AND attempts = ${attempts} AND state = 'running' RETURNING id`
      ).pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie
      )

    const ended = Effect.map(
      Clock.currentTimeMillis,
      (now) => sql`due_at = NULL, script = NULL, ended_at = ${new Date(now)}`
    )

    return EvaluationRuns.of({
      list: traced("EvaluationRuns.list")(
        (organizationId, evaluationId, part) => asTenant(organizationId)(list(evaluationId, part)),
        Effect.orDie
      ),
      find: traced("EvaluationRuns.find")(
        (organizationId, evaluationId, id) =>
          asTenant(organizationId)(
            Effect.flatMap(
              sql<Row>`SELECT * FROM evaluation_runs WHERE id = ${id} AND evaluation_id = ${evaluationId}`,
              ([row]) => (row === undefined ? Effect.succeed(undefined) : decodeResult(shown(row)))
            )
          ),
        Effect.orDie
      ),
      start: traced("EvaluationRuns.start")(
        (organizationId, evaluationId, agent, by) =>
          asTenant(organizationId)(start(organizationId, evaluationId, agent, by)),
        Effect.orDie
      ),
      remove: traced("EvaluationRuns.remove")(
        (organizationId, evaluationId, id) =>
          Effect.map(
            asTenant(organizationId)(
              sql`DELETE FROM evaluation_runs WHERE id = ${id} AND evaluation_id = ${evaluationId} RETURNING id`
            ),
            (gone) => gone.length > 0
          ),
        Effect.orDie
      ),
      claim: traced("EvaluationRuns.claim")(function* (now, leaseMs, most) {
        const due = yield* dueEvaluationRuns(sql, now, most)
        const claimed = yield* Effect.forEach(due, ({ organizationId, id }) =>
          asTenant(organizationId)(claimOne(organizationId, id, now, leaseMs))
        )
        return claimed.flat()
      }, Effect.orDie),
      hold: traced("EvaluationRuns.hold")((job, until, { done, passed }) =>
        during(job, sql`due_at = ${new Date(until)}, done = ${done}, passed = ${passed}`)
      ),
      end: traced("EvaluationRuns.end")(function* (job, conversations) {
        const passed = conversations.filter((one) => one.passed).length
        yield* during(
          job,
          sql`${yield* ended}, state = 'done', done = ${conversations.length}, passed = ${passed},
            results = ${JSON.stringify(storableTexts(conversations))}::jsonb`
        )
      }),
      fail: traced("EvaluationRuns.fail")(function* (job, problem) {
        yield* during(job, sql`${yield* ended}, state = 'failed', problem = ${problem}`)
      })
    })
  })
)
