/** Forward-only migrations from the `migrations/` folder, run by one process at a time. */
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"

const folder = fileURLToPath(new URL("../../../../migrations", import.meta.url))

/** Any fixed number: whoever prepares this database waits for the holder of this lock. */
const lock = 7_275_539

const migrator = Migrator.make({})

/** Holds the lock around `effect`. The client must have a single connection: the lock belongs to the session. */
export const exclusively = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.acquireUseRelease(
    sql`SELECT pg_advisory_lock(${lock})`,
    () => effect,
    () => Effect.orDie(sql`SELECT pg_advisory_unlock(${lock})`)
  )
})

/** Brings the schema up to date in one transaction; gives the migrations that ran. */
export const migrate = migrator({ loader: fromFileSystem(folder), table: "parley_migrations" }).pipe(
  Effect.provide(NodeServices.layer)
)
