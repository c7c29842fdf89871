/**
 * Brings the schema up to date, from the folder `migrations/` (its README says how to change the schema):
 * - `0001`…: the baseline, which makes the tables of a new database, and forward-only migrations from 0082 on;
 * - `functions/`: SQL functions and triggers, applied when their file has changed (`FunctionFiles.ts`);
 * - `until-0081/`: the migrations from before the baseline, for databases that began with them.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"
import { applyFunctions } from "./FunctionFiles.ts"

/** The folder `migrations/` of the project. */
export const migrationsFolder = fileURLToPath(new URL("../../../../migrations", import.meta.url))
/** In that folder: the migrations from before the baseline. */
export const formerMigrations = "until-0081"
/** The last number of the former migrations: a database that has it has what the baseline makes. */
const lastFormer = 81
/** Which migrations ran. */
export const migrationsTable = "parley_migrations"

/** Any fixed number: whoever prepares this database waits for the holder of this lock. */
const lock = 7_275_539

/** Holds the lock around `effect`. The client must have a single connection: the lock belongs to the session. */
export const exclusively = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.acquireUseRelease(
    sql`SELECT pg_advisory_lock(${lock})`,
    () => effect,
    () => Effect.orDie(sql`SELECT pg_advisory_unlock(${lock})`)
  )
})

/** Runs the migrations of a folder whose numbers are above the highest that ran; gives their names. */
const run = (from: string) =>
  Effect.map(Migrator.make({})({ loader: fromFileSystem(from), table: migrationsTable }), (ran) =>
    ran.map(([id, name]) => `${id}_${name}`)
  )

/** Whether the database began before there was a baseline: the former first migration has another name. */
const beganBefore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ found }] = yield* sql<{
    readonly found: boolean
  }>`SELECT to_regclass(${migrationsTable}) IS NOT NULL AS found`
  if (!found) return false
  const rows = yield* sql`SELECT 1 FROM ${sql(migrationsTable)} WHERE migration_id = 1 AND name = 'organizations'`
  return rows.length > 0
})

/** Whether a newer version has migrated the database: an older one must not put its functions in place of the newer ones. */
const isAhead = Effect.fnUntraced(function* (folder: string) {
  const sql = yield* SqlClient.SqlClient
  const [{ latest }] = yield* sql<{
    readonly latest: number
  }>`SELECT max(migration_id) AS latest FROM ${sql(migrationsTable)}`
  const known = yield* fromFileSystem(folder)
  return latest > Math.max(lastFormer, ...known.map(([id]) => id))
})

const update = Effect.fnUntraced(function* (folder: string) {
  const former = (yield* beganBefore) ? yield* run(join(folder, formerMigrations)) : []
  const ran = [...former, ...(yield* run(folder))]
  if (yield* isAhead(folder)) return ran
  return [...ran, ...(yield* applyFunctions(join(folder, "functions"), ran.length > 0))]
})

/**
 * Brings the schema up to date in one transaction; gives what was applied: migrations, then files of functions. Fails with `MigrationError`,
 * or with `FunctionFileError` that names the file; then nothing has changed.
 */
export const migrate = (folder = migrationsFolder) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(update(folder))).pipe(
    Effect.provide(NodeServices.layer)
  )
