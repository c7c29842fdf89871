/**
 * A real database for a test file: all tables, no rows, dropped at the end.
 *
 *   layer(PhoneNumbers.layer.pipe(Layer.provideMerge(testDatabase)))("phone numbers", (it) => { … })
 */
import { Clock, Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import * as Database from "../../src/integrations/postgres/database/Database.ts"
import { startServer } from "./postgres-server.ts"
import { databaseFrom, named } from "./template.ts"

/** Administrator's URL of a fresh migrated database, for tests that start the whole service. Dropped with the scope. */
export const freshDatabaseUrl = Effect.suspend(() => {
  const { adminUrl, template } = inject("postgres")
  return Effect.map(databaseFrom(adminUrl, template), ({ url }) => url)
})

/** Administrator's URL of a database without any table. Dropped with the scope. */
export const emptyDatabaseUrl = Effect.suspend(() =>
  Effect.map(databaseFrom(inject("postgres").adminUrl, "template0"), ({ url }) => url)
)

/** The pool watches its real sockets by a timer: a test that advances the clock by a day must not make it look 345,600 times. */
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

const maxConnections = 5

/** A fresh migrated database, connected to as the service is: `PgClient` and `SqlClient`. The template was prepared, so its copies are. */
export const testDatabase = Layer.unwrap(
  Effect.gen(function* () {
    const { adminUrl, template, serviceUrl } = inject("postgres")
    const { name } = yield* databaseFrom(adminUrl, template)
    return Database.connected({ url: Redacted.make(named(serviceUrl, name)), maxConnections })
  })
).pipe(Layer.provide(realTime))

/**
 * The same on a server of its own. The oldest transaction of the whole server holds back events from their readers, so this is for tests
 * that check when exactly events become visible, or that keep a transaction open for seconds.
 */
export const loneDatabase = Layer.unwrap(
  Effect.map(startServer, (url) => Database.layer({ url: Redacted.make(url), maxConnections }))
).pipe(Layer.provide(realTime))
