/** Imports and their rows in Postgres, as those who send files and ask for their state see them. */
import { Effect, Layer, Option, Stream } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import type { Part } from "../../../domain/basics/Listing.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { importLifetimeMs, mostUnfinished, silenceMs, TooManyImports } from "../../../domain/imports/Import.ts"
import { Imports, type NewImport, type StagedRow } from "../../../domain/imports/Imports.ts"
import { newestFirst } from "../tenancy/Parts.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { firstImport, type ImportRow, importRecords, refusedColumns, refusedRows } from "./ImportRows.ts"

/** Refused rows that are read at a time. */
const pageSize = 500

export const layer = Layer.effect(
  Imports,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const columns = sql.literal(refusedColumns)

    const begin = Effect.fnUntraced(function* (organizationId: string, given: NewImport, now: number) {
      // The lock allows one beginning at a time, so that they are counted right.
      yield* sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`
      const [{ unfinished }] = yield* sql<{
        unfinished: number
      }>`SELECT count(*)::int AS unfinished FROM imports WHERE status IN ('receiving', 'running')`
      if (unfinished >= mostUnfinished) return yield* new TooManyImports({ limit: mostUnfinished })
      const { kind, dryRun, onDuplicate, tags, fileName, actor, requestedBy } = given
      const [made] =
        yield* sql<ImportRow>`INSERT INTO imports (organization_id, id, kind, status, dry_run, on_duplicate, tags, file_name,
          actor_type, requested_by, created_at, expires_at)
        VALUES (${organizationId}, ${newId("imp", now)}, ${kind}, 'receiving', ${dryRun}, ${onDuplicate}, ${tags}::text[], ${fileName},
          ${actor.type}, ${requestedBy}, ${new Date(now)}, ${new Date(now + silenceMs)}) RETURNING *`
      const [record] = yield* importRecords([made])
      return record
    })

    const stage = Effect.fnUntraced(function* (
      organizationId: string,
      id: string,
      staged: ReadonlyArray<StagedRow>,
      now: number
    ) {
      const refused = staged.filter(({ problem }) => problem !== null).length
      const counted = yield* sql`UPDATE imports SET rows = rows + ${staged.length}, refused = refused + ${refused},
        expires_at = ${new Date(now + silenceMs)} WHERE id = ${id} AND status = 'receiving' RETURNING 1`
      if (counted.length === 0) return false
      const rows = staged.map(({ subject, values: original, ...row }) => ({ ...row, ...subject, original }))
      yield* sql`INSERT INTO import_rows (organization_id, import_id, number, phone, email, input, original, field, problem, key)
        SELECT ${organizationId}, ${id}, r.* FROM jsonb_to_recordset(${sql.json(rows)}::jsonb)
          AS r (number integer, phone text, email text, input jsonb, original jsonb, field text, problem text, key text)`
      return true
    })

    const cancel = Effect.fnUntraced(function* (id: string, now: number) {
      const [known] = yield* sql<ImportRow>`SELECT * FROM imports WHERE id = ${id} FOR NO KEY UPDATE`
      if (known === undefined) return undefined
      if (known.status !== "receiving" && known.status !== "running") return "over" as const
      yield* sql`DELETE FROM import_rows WHERE import_id = ${id} AND problem IS NULL`
      return yield* firstImport(
        yield* sql<ImportRow>`UPDATE imports SET status = 'canceled', due_at = NULL, finished_at = ${new Date(now)},
          expires_at = ${new Date(now + importLifetimeMs)} WHERE id = ${id} RETURNING *`
      )
    })

    const refusedAfter = (id: string, number: number, limit: number, skip = 0) =>
      Effect.flatMap(
        sql<object>`SELECT ${columns} FROM import_rows WHERE import_id = ${id} AND problem IS NOT NULL AND number > ${number}
          ORDER BY number LIMIT ${limit} OFFSET ${skip}`,
        refusedRows
      )

    return Imports.of({
      begin: traced("Imports.begin")((organizationId, given, now) =>
        asTenant(organizationId)(begin(organizationId, given, now)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),
      stage: traced("Imports.stage")(
        (organizationId, id, rows, now) => asTenant(organizationId)(stage(organizationId, id, rows, now)),
        Effect.orDie
      ),
      start: traced("Imports.start")(
        (organizationId, id, read, now) =>
          asTenant(organizationId)(
            sql<ImportRow>`UPDATE imports SET status = 'running', columns = ${sql.json(read)}, due_at = ${new Date(now)}, expires_at = NULL
              WHERE id = ${id} AND status = 'receiving' RETURNING *`.pipe(Effect.flatMap(firstImport))
          ),
        Effect.orDie
      ),
      remove: traced("Imports.remove")(
        (organizationId, id) => Effect.asVoid(asTenant(organizationId)(sql`DELETE FROM imports WHERE id = ${id}`)),
        Effect.orDie
      ),
      find: traced("Imports.find")(
        (organizationId, id) =>
          asTenant(organizationId)(Effect.flatMap(sql<ImportRow>`SELECT * FROM imports WHERE id = ${id}`, firstImport)),
        Effect.orDie
      ),
      list: traced("Imports.list")(
        (organizationId: string, part: Part) =>
          asTenant(organizationId)(
            newestFirst(sql, { table: "imports", where: sql`true`, decode: importRecords }, part)
          ),
        Effect.orDie
      ),
      cancel: traced("Imports.cancel")(
        (organizationId, id, now) => asTenant(organizationId)(cancel(id, now)),
        Effect.orDie
      ),
      refused: traced("Imports.refused")(function* (organizationId, id, page, limit) {
        const [data, [{ total }]] = yield* asTenant(organizationId)(
          Effect.all([
            refusedAfter(id, 0, limit, (page - 1) * limit),
            sql<{ total: number }>`SELECT count(*)::int AS total FROM import_rows
              WHERE import_id = ${id} AND problem IS NOT NULL`
          ])
        )
        return { data, total }
      }, Effect.orDie),
      everyRefused: (organizationId, id) =>
        Stream.paginate(0, (after) =>
          Effect.map(Effect.orDie(asTenant(organizationId)(refusedAfter(id, after, pageSize))), (rows) => {
            const last = rows.at(-1)
            return [rows, last === undefined || rows.length < pageSize ? Option.none() : Option.some(last.row)] as const
          })
        )
    })
  })
)
