/** Evaluations of text agents in Postgres. */
import { Clock, Effect, Layer, Schema } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { storableTexts } from "../../../../domain/basics/PlainText.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  Evaluation,
  type EvaluationChanges,
  EvaluationSummary,
  Evaluations,
  type NewEvaluation
} from "../../../../domain/messaging/rehearsal/Evaluation.ts"
import { newestFirst } from "../../tenancy/Parts.ts"
import { holdName, iso, makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const shown = <R extends Row>(row: R) => ({ ...row, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) })

const decode = Schema.decodeUnknownEffect(Evaluation)
const decodeSummaries = Schema.decodeUnknownEffect(Schema.Array(EvaluationSummary))
const summaries = (rows: ReadonlyArray<Row>) => decodeSummaries(rows.map(shown))

/** What is stored of an optional JSON value; null keeps what is there. */
const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(storableTexts(value)))

export const layer = Layer.effect(
  Evaluations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const first = (rows: ReadonlyArray<Row>) =>
      rows[0] === undefined ? Effect.succeed(undefined) : decode(shown(rows[0]))

    const create = Effect.fnUntraced(function* (
      organizationId: string,
      { name, tools = {}, conversations }: NewEvaluation,
      most: number
    ) {
      // Two at once shall not both be the last one.
      yield* holdName(sql, `evaluations of ${organizationId}`)
      const [{ count }] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM evaluations`
      if (count >= most) return undefined
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      return yield* first(
        yield* sql<Row>`INSERT INTO evaluations (organization_id, id, name, tools, conversations, size, created_at, updated_at)
          VALUES (${organizationId}, ${newId("evs", now)}, ${name}, ${json(tools)}::jsonb, ${json(conversations)}::jsonb,
            ${conversations.length}, ${at}, ${at}) RETURNING *`
      )
    })

    const update = Effect.fnUntraced(function* (id: string, { name, tools, conversations }: EvaluationChanges) {
      const at = new Date(yield* Clock.currentTimeMillis)
      return yield* first(
        yield* sql<Row>`UPDATE evaluations SET name = coalesce(${name ?? null}, name),
          tools = coalesce(${json(tools)}::jsonb, tools), conversations = coalesce(${json(conversations)}::jsonb, conversations),
          size = coalesce(${conversations?.length ?? null}::integer, size), updated_at = ${at} WHERE id = ${id} RETURNING *`
      )
    })

    return Evaluations.of({
      list: traced("Evaluations.list")(
        (organizationId, part) =>
          asTenant(organizationId)(
            newestFirst(sql, { table: "evaluations", where: sql`TRUE`, decode: summaries }, part)
          ),
        Effect.orDie
      ),
      find: traced("Evaluations.find")(
        (organizationId, id) =>
          asTenant(organizationId)(Effect.flatMap(sql<Row>`SELECT * FROM evaluations WHERE id = ${id}`, first)),
        Effect.orDie
      ),
      create: traced("Evaluations.create")(
        (organizationId, input, most) => asTenant(organizationId)(create(organizationId, input, most)),
        Effect.orDie
      ),
      update: traced("Evaluations.update")(
        (organizationId, id, changes) => asTenant(organizationId)(update(id, changes)),
        Effect.orDie
      ),
      remove: traced("Evaluations.remove")(
        (organizationId, id) =>
          Effect.map(
            asTenant(organizationId)(sql`DELETE FROM evaluations WHERE id = ${id} RETURNING id`),
            (gone) => gone.length > 0
          ),
        Effect.orDie
      )
    })
  })
)
