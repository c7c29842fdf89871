/** Creates the migrated database that every test file copies, and copies it. Tests make some thousand copies: what each of them costs counts. */
import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { prepare } from "../../src/integrations/postgres/database/Database.ts"

/** Runs a statement as the administrator of the server, outside any transaction. */
const asAdmin = (adminUrl: string, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(statement).unprepared
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(adminUrl), maxConnections: 1 })), Effect.orDie)

/** The URL, with another database. */
export const named = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).toString()

const uniqueName = () => `parley_${randomBytes(6).toString("hex")}`

/** An administrator's URL of a new database, a copy of `template`. Dropped with the scope. */
export const databaseFrom = Effect.fn("databaseFrom")(function* (adminUrl: string, template: string) {
  const name = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const name = uniqueName()
      // Files are copied with half the work of a copy that is logged block by block.
      const statement = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`
      return Effect.as(asAdmin(adminUrl, statement), name)
    }),
    (name) => asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )
  return { name, url: named(adminUrl, name) }
})

/**
 * Creates a migrated database and closes all connections to it, because otherwise it could not be copied; gives its name, and its URL of the role that
 * serves. A copy has that role's grants.
 */
export const createTemplate = Effect.fn("createTemplate")(function* (adminUrl: string) {
  const { name, url } = yield* databaseFrom(adminUrl, "template0")
  const prepared = yield* prepare({ url: Redacted.make(url) }).pipe(Effect.orDie)
  return { name, serviceUrl: Redacted.value(prepared.url) }
})
