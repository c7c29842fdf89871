/** The work on imports in Postgres. One transaction applies some rows and records what became of them. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { importLifetimeMs, mostImportAttempts } from "../../../domain/imports/Import.ts"
import {
  type DueImport,
  type ImportJob,
  ImportQueue,
  type RowOutcome,
  type WaitingRow
} from "../../../domain/imports/Imports.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { dueImports } from "./AcrossTenants.ts"
import type { ImportRow } from "./ImportRows.ts"

type Which = Pick<DueImport, "organizationId" | "id">
type Apply = (job: ImportJob, rows: ReadonlyArray<WaitingRow>) => Effect.Effect<ReadonlyArray<RowOutcome>>

const jobOf = ({
  organizationId,
  id,
  kind,
  dryRun,
  onDuplicate,
  tags,
  fileName,
  actorType,
  requestedBy
}: ImportRow): ImportJob => ({
  ...{ organizationId, id, kind, dryRun, onDuplicate, tags, fileName, requestedBy },
  actor: { type: actorType, id: requestedBy }
})

const countOf = (outcomes: ReadonlyArray<RowOutcome>, tag: RowOutcome["_tag"]) =>
  outcomes.filter(({ _tag }) => _tag === tag).length

export const layer = Layer.effect(
  ImportQueue,
  Effect.gen(function* () {
    const { sql, asTenant, asTenantAsOne } = yield* makeSql

    /** Records the outcomes. Rows of a dry run stay until its end: later rows are compared with them. */
    const settle = Effect.fnUntraced(function* (
      { id, dryRun, place }: ImportRow,
      rows: ReadonlyArray<WaitingRow>,
      outcomes: ReadonlyArray<RowOutcome>,
      isLast: boolean,
      now: number
    ) {
      const refused = rows.flatMap(({ number }, at) => {
        const outcome = outcomes[at]
        return outcome._tag === "Refused" ? [{ number, field: outcome.field, problem: outcome.problem }] : []
      })
      if (refused.length > 0)
        yield* sql`UPDATE import_rows SET field = r.field, problem = r.problem, input = NULL
          FROM jsonb_to_recordset(${sql.json(refused)}::jsonb) AS r (number integer, field text, problem text)
          WHERE import_rows.import_id = ${id} AND import_rows.number = r.number`
      if (!dryRun)
        yield* sql`DELETE FROM import_rows WHERE import_id = ${id} AND problem IS NULL
          AND number = ANY(${rows.map(({ number }) => number)}::integer[])`
      else if (isLast) yield* sql`DELETE FROM import_rows WHERE import_id = ${id} AND problem IS NULL`
      const at = new Date(now)
      const end = isLast
        ? sql`status = 'completed', due_at = NULL, finished_at = ${at}, expires_at = ${new Date(now + importLifetimeMs)}`
        : sql`due_at = ${at}`
      yield* sql`UPDATE imports SET ${end}, place = ${rows.at(-1)?.number ?? place}, attempts = 0,
        created = created + ${countOf(outcomes, "Created")}, updated = updated + ${countOf(outcomes, "Updated")},
        skipped = skipped + ${countOf(outcomes, "Skipped")}, refused = refused + ${refused.length} WHERE id = ${id}`
    })

    const advance = Effect.fnUntraced(function* ({ id }: Which, most: number, apply: Apply, now: number) {
      const [row] =
        yield* sql<ImportRow>`SELECT * FROM imports WHERE id = ${id} AND status = 'running' AND due_at <= ${new Date(now)}
        FOR NO KEY UPDATE SKIP LOCKED`
      if (row === undefined) return undefined
      // The locks wait for a running erasure, and an erasure waits for them: what was erased is not made again.
      const rows = yield* sql<WaitingRow>`SELECT number, input FROM import_rows
        WHERE import_id = ${id} AND number > ${row.place} AND problem IS NULL ORDER BY number LIMIT ${most} FOR NO KEY UPDATE`
      const outcomes = yield* apply(jobOf(row), rows)
      yield* settle(row, rows, outcomes, rows.length < most, now)
      return rows.length
    })

    return ImportQueue.of({
      due: traced("ImportQueue.due")((now, most) => dueImports(sql, now, most), Effect.orDie),
      advance: traced("ImportQueue.advance")(
        (due, most, apply, now) => asTenantAsOne(due.organizationId)(advance(due, most, apply, now)),
        Effect.orDie
      ),
      repeated: traced("ImportQueue.repeated")(function* (organizationId, id, numbers) {
        const rows = yield* asTenant(organizationId)(
          sql<{
            number: number
          }>`SELECT r.number FROM import_rows r WHERE r.import_id = ${id} AND r.number = ANY(${numbers}::integer[])
            AND EXISTS (SELECT 1 FROM import_rows e WHERE e.import_id = r.import_id AND e.number < r.number AND e.problem IS NULL
              AND CASE WHEN r.key IS NULL THEN e.key IS NULL AND e.phone = r.phone ELSE e.key = r.key END)`
        )
        return new Set(rows.map(({ number }) => number))
      }, Effect.orDie),
      stumbled: traced("ImportQueue.stumbled")(function* ({ organizationId, id }, dueAt, error, now) {
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [left] = yield* sql<{
              attempts: number
            }>`UPDATE imports SET attempts = attempts + 1, due_at = ${new Date(dueAt)} WHERE id = ${id} AND status = 'running' RETURNING attempts`
            if (left === undefined || left.attempts < mostImportAttempts) return
            yield* sql`DELETE FROM import_rows WHERE import_id = ${id} AND problem IS NULL`
            yield* sql`UPDATE imports SET status = 'failed', due_at = NULL, error = ${error}, finished_at = ${new Date(now)},
              expires_at = ${new Date(now + importLifetimeMs)} WHERE id = ${id}`
          })
        )
      }, Effect.orDie)
    })
  })
)
