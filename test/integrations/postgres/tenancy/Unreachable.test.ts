import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { lookUpApiKey } from "../../../../src/integrations/postgres/access/AcrossTenants.ts"
import * as Database from "../../../../src/integrations/postgres/database/Database.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { outlasting } from "../../../../src/integrations/postgres/tenancy/Unreachable.ts"
import { freshDatabaseUrl } from "../../../support/postgres.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { tcpProxy } from "../../../support/tcp-proxy.ts"

playsInRealTime()

/** A database that the test can disconnect, and the service's connection to it. */
const takenAway = Effect.gen(function* () {
  const url = new URL(yield* freshDatabaseUrl)
  const proxy = yield* tcpProxy(url.hostname, Number(url.port || 5432))
  const through = Object.assign(new URL(url), { port: String(proxy.port), hostname: "127.0.0.1" })
  const context = yield* Layer.build(Database.layer({ url: Redacted.make(through.href) }))
  return { proxy, context }
})

const add = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
      VALUES (${id}, ${id}, 'PREMIUM', '{}', 'UTC', 'Hello')`
  }).pipe(tenant(id))

const lookUp = Effect.flatMap(SqlClient.SqlClient, (sql) => lookUpApiKey(sql, "unknown"))

const count = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT 1 FROM organizations`).length
  }).pipe(tenant(id))

describe("a database that is away for a moment", () => {
  it.live("delays transactions and look-ups, each of which is carried out once", () =>
    Effect.gen(function* () {
      const { proxy, context } = yield* takenAway
      yield* Effect.gen(function* () {
        yield* add("org_before")
        proxy.cut()
        const waiting = yield* Effect.forkChild(
          Effect.all([add("org_one"), add("org_two"), lookUp], { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        yield* Effect.sleep("1500 millis")
        proxy.restore()
        yield* Fiber.join(waiting)
        for (const id of ["org_before", "org_one", "org_two"]) assert.strictEqual(yield* count(id), 1)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.effect("also delays a transaction that could not be rolled back because its connection was gone", () =>
    Effect.gen(function* () {
      const gone = new SqlError.SqlError({
        reason: new SqlError.ConnectionError({ cause: new Error("gone"), message: "gone", operation: "query" })
      })
      let runs = 0
      const undone = Effect.suspend(() => (runs++ === 0 ? Effect.die(gone) : Effect.succeed("done")))
      const waiting = yield* Effect.forkChild(outlasting(undone), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(waiting), "done")
      runs = 0
      const exit = yield* Effect.exit(outlasting(undone, { untouched: () => false }))
      assert.isTrue(exit._tag === "Failure" && runs === 1)
    })
  )

  it.live("makes transactions fail after some seconds when it stays away", () =>
    Effect.gen(function* () {
      const { proxy, context } = yield* takenAway
      proxy.cut()
      const began = performance.now()
      const error = yield* Effect.flip(Effect.provide(add("org_lost"), context))
      assert.strictEqual(error._tag, "SqlError")
      assert.isAbove(performance.now() - began, 3_000)
      assert.isBelow(performance.now() - began, 8_000)
      proxy.restore()
      assert.strictEqual(yield* Effect.provide(count("org_lost"), context), 0)
    }).pipe(Effect.scoped)
  )

  it.live("rolls back the transaction that it interrupts, and nothing is done twice", () =>
    Effect.gen(function* () {
      const { proxy, context } = yield* takenAway
      let runs = 0
      const interrupted = Effect.gen(function* () {
        runs++
        yield* add("org_half")
        proxy.cut()
        yield* Effect.sleep("100 millis")
        proxy.restore()
        return yield* count("org_half")
      }).pipe(tenant("org_half"))
      const exit = yield* Effect.exit(Effect.provide(interrupted, context))
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(runs, 1)
      assert.strictEqual(yield* Effect.provide(count("org_half"), context), 0)
    }).pipe(Effect.scoped)
  )

  it.effect(
    "is given up after three seconds, with every connection to it, when its connections are dead and new ones are answered",
    () =>
      Effect.gen(function* () {
        const { proxy, context } = yield* takenAway
        yield* Effect.gen(function* () {
          // Open as many connections as there are transactions at a time.
          yield* Effect.all(["org_a", "org_b", "org_c"].map(add), { concurrency: "unbounded" })
          proxy.freeze()
          proxy.restore()
          const waiting = yield* Effect.forkChild(lookUp, { startImmediately: true })
          yield* TestClock.adjust("2500 millis")
          // The first time it is asked whether it is at work.
          yield* TestClock.withLive(Effect.sleep("500 millis"))
          assert.isUndefined(waiting.pollUnsafe())
          yield* TestClock.adjust("1 second")
          // The second time. Then the look-up is made again over a new connection.
          yield* TestClock.withLive(Effect.sleep("500 millis"))
          yield* TestClock.adjust("200 millis")
          assert.isUndefined(yield* Fiber.join(waiting))
          // A transaction may still be given a connection that is just ending. It tries again in a moment.
          for (const id of ["org_a", "org_b", "org_c"]) assert.strictEqual(yield* TestClock.withLive(count(id)), 1)
        }).pipe(Effect.provide(context))
      }).pipe(Effect.scoped)
  )
})
