/** Row-level security of tables that hold rows of organizations. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Without `app.organization_id`, or with that of another organization, the table shows no rows and takes none.
 *
 * FORCED, so that it holds for the owner too. An unset setting is NULL, a reset one is the empty string: neither equals an id.
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

/**
 * Lets functions of the owner do `command` with rows of all organizations, while they have set `app.cross_tenant` to `mode`.
 *
 * Such a function (SECURITY DEFINER, in `functions/`) is the only way to a row before its organization is known, or to the rows of all
 * organizations. It gives one row for one exact, unguessable key; or ids that say where there is work, and nothing of what it is. It sets
 * `app.cross_tenant` inside itself: a plain role may not declare it with `CREATE FUNCTION … SET`.
 */
export const openAcross = (
  table: string,
  mode: string,
  command: "SELECT" | "INSERT" | "UPDATE" | "DELETE" = "SELECT",
  name = mode
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rule = `((SELECT current_setting('app.cross_tenant', true)) = '${mode}')`
    const rules = [
      ...(command === "INSERT" ? [] : [`USING ${rule}`]),
      ...(command === "INSERT" || command === "UPDATE" ? [`WITH CHECK ${rule}`] : [])
    ]
    yield* sql.unsafe(`CREATE POLICY ${name} ON ${table} FOR ${command} TO CURRENT_USER ${rules.join(" ")}`)
  })
