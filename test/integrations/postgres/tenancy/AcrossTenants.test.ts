/** Calls that bypass row-level security stand in files of one name, where they can be reviewed. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { testStores } from "../../../support/tenants.ts"

const folder = resolve(import.meta.dirname, "../../../../src")
/** The file that grants these functions to the serving role. */
const grants = join("integrations", "postgres", "database", "Database.ts")
const home = "AcrossTenants.ts"

layer(testStores, { excludeTestServices: true })("functions with more rights than the serving role", (it) => {
  it.effect("are each called from one file named AcrossTenants, or keep to the organization of the transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const definers = yield* sql<{ name: string; bound: boolean }>`
        SELECT proname AS name, prosrc LIKE '%app.organization_id%' AND prosrc NOT LIKE '%app.cross_tenant%' AS bound
        FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE')`
      const beyond = definers.filter(({ bound }) => !bound).map(({ name }) => name)
      assert.include(beyond, "lookup_api_key")
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && file !== grants)
        .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const)
      const callersOf = (name: string) =>
        files.filter(([, text]) => new RegExp(`\\b${name}\\s*\\(`).test(text)).map(([file]) => file)
      const wrong = beyond
        .map((name) => ({ name, callers: callersOf(name) }))
        .filter(({ callers }) => callers.length !== 1 || basename(callers[0]) !== home)
      assert.deepStrictEqual(wrong, [])
    })
  )
})
