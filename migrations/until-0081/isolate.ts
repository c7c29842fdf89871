/** Row-level security of a tenant table: without `app.organization_id`, or with another's, there are no rows and none can be written. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * FORCED, so that it holds for the owner too. An unset setting is NULL, a reset one the empty string: neither equals an id.
 * The sub-select lets the planner read the setting once per query.
 */
export const isolate = (table: string, column = "organization_id") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rule = `${column} = (SELECT current_setting('app.organization_id', true))`
    yield* sql.unsafe(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
    yield* sql.unsafe(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    yield* sql.unsafe(`CREATE POLICY tenant ON ${table} USING (${rule}) WITH CHECK (${rule})`)
  })

/** Runs `change` with the policies of these tables off for their owner: a migration belongs to no organization, yet changes the rows of all. */
export const overAllTenants = <A, E, R>(tables: ReadonlyArray<string>, change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const table of tables) yield* sql.unsafe(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`)
    const changed = yield* change
    for (const table of tables) yield* sql.unsafe(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    return changed
  })
