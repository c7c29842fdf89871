/** What a person sees of the work of a connection, in Postgres. */
import { Effect, Layer, Schema } from "effect"
import { SyncLogEntry, SyncProblem, SyncRecords } from "../../../domain/apps/SyncRecords.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"

interface ProblemRow {
  readonly failures: number
  readonly createdAt: Date
  readonly settledAt: Date
}

const decodeProblem = Schema.decodeUnknownEffect(SyncProblem)
const decodeEntry = Schema.decodeUnknownEffect(SyncLogEntry)

export const layer = Layer.effect(
  SyncRecords,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    return SyncRecords.of({
      problems: traced("SyncRecords.problems")((organizationId, connectionId, page, limit) => {
        const list = {
          from: sql`app_tasks WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND status = 'dead'`,
          order: sql`settled_at DESC, id DESC`,
          decode: (row: ProblemRow) =>
            decodeProblem({
              ...row,
              attempts: row.failures,
              createdAt: iso(row.createdAt),
              givenUpAt: iso(row.settledAt)
            })
        }
        return numbered({ sql, asTenant }, organizationId, list, page, limit)
      }, Effect.orDie),

      replay: traced("SyncRecords.replay")(function* (organizationId, connectionId, taskId, now) {
        const which = taskId === undefined ? sql`true` : sql`id = ${taskId}`
        const rows = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM app_connections WHERE id = ${connectionId} FOR NO KEY UPDATE`
            return yield* sql`UPDATE app_tasks SET status = 'pending', due_at = ${new Date(now)}, settled_at = NULL, failures = 0
              WHERE organization_id = ${organizationId} AND connection_id = ${connectionId} AND status = 'dead' AND ${which}
              RETURNING id`
          })
        )
        return rows.length
      }, Effect.orDie),

      log: traced("SyncRecords.log")((organizationId, connectionId, page, limit) => {
        const list = {
          from: sql`app_log WHERE organization_id = ${organizationId} AND connection_id = ${connectionId}`,
          decode: (row: { readonly createdAt: Date }) => decodeEntry({ ...row, createdAt: iso(row.createdAt) })
        }
        return numbered({ sql, asTenant }, organizationId, list, page, limit)
      }, Effect.orDie)
    })
  })
)
