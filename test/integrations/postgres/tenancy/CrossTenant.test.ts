/** Ways around row-level security stand in one file, where they can be looked through. */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { testStores } from "../../../support/tenants.ts"

const folder = resolve(import.meta.dirname, "../../../../src")
/** Lets the role that serves use them. */
const grants = join("integrations", "postgres", "database", "Database.ts")
const home = join("integrations", "postgres", "tenancy", "CrossTenant.ts")

layer(testStores, { excludeTestServices: true })("functions that may more than the role that serves", (it) => {
  it.effect("are called from one file, or keep to the organization of the transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const definers = yield* sql<{ name: string; bound: boolean }>`
        SELECT proname AS name, prosrc LIKE '%app.organization_id%' AND prosrc NOT LIKE '%app.cross_tenant%' AS bound
        FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace AND has_function_privilege(oid, 'EXECUTE')`
      const beyond = definers.filter(({ bound }) => !bound).map(({ name }) => name)
      assert.include(beyond, "lookup_api_key")
      const called = (text: string) => beyond.filter((name) => new RegExp(`\\b${name}\\s*\\(`).test(text))
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => [file, called(readFileSync(join(folder, file), "utf8"))] as const)
      assert.deepStrictEqual(
        files.filter(([file, names]) => names.length > 0 && file !== grants).map(([file]) => file),
        [home]
      )
      const unused = beyond.filter((name) => !files.some(([file, names]) => file === home && names.includes(name)))
      assert.deepStrictEqual(unused, [])
    })
  )
})
