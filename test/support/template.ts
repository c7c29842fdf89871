/** Creates the migrated database that every test file copies, and copies it. */
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

const named = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).toString()

const uniqueName = () => `parley_${randomBytes(6).toString("hex")}`

/** An administrator's URL of a new database, a copy of `template`. Dropped with the scope. */
export const databaseFrom = Effect.fn("databaseFrom")(function* (adminUrl: string, template: string) {
  const name = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const name = uniqueName()
      return Effect.as(asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`), name)
    }),
    (name) => asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )
  return { name, url: named(adminUrl, name) }
})

/** Creates a migrated database and closes all connections to it, because otherwise it could not be copied; gives its name. */
export const createTemplate = Effect.fn("createTemplate")(function* (adminUrl: string) {
  const { name, url } = yield* databaseFrom(adminUrl, "template0")
  yield* prepare({ url: Redacted.make(url) }).pipe(Effect.orDie)
  return name
})
