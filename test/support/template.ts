/** The migrated database that every test file copies, and the copying. */
import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Runs a statement as the administrator of the server, outside any transaction. */
const asAdmin = (adminUrl: string, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(statement).unprepared
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(adminUrl), maxConnections: 1 })), Effect.orDie)

const named = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).toString()

const uniqueName = () => `parley_${randomBytes(6).toString("hex")}`

/** A database that is dropped with the scope; gives its name. */
const database = (adminUrl: string, from: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = uniqueName()
      return Effect.as(asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${from}`), name)
    }),
    (name) => asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )

/** A migrated database nobody connects to; gives its name. */
export const createTemplate = Effect.fn("createTemplate")(function* (adminUrl: string) {
  return yield* database(adminUrl, "template0")
})

/** A database of its own, with all tables and no rows; gives its administrator's URL. Dropped with the scope. */
export const copyTemplate = Effect.fn("copyTemplate")(function* (adminUrl: string, template: string) {
  return named(adminUrl, yield* database(adminUrl, template))
})
