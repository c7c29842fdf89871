/** A real PostgreSQL whose processes are stopped (SIGSTOP) in the middle of requests, and go on later: nobody waits for it, and nothing is lost. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../src/domain/people/access/ApiKey.ts"
import * as Database from "../../../src/integrations/postgres/database/Database.ts"
import { eventually } from "../../support/eventually.ts"
import { startServer } from "../../support/postgres-server.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { newRing, storesOver } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"
import { makeWorld } from "../world.ts"

playsInRealTime()

/** The longest wait that is allowed, and what a busy machine may add. Milliseconds. */
const longestMs = 5_000 + 500

/** Gives what stops the server's processes, and what lets them go on. They go on at the end in any case. */
const freezer = (url: string) =>
  Effect.gen(function* () {
    const look = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [{ folder }] = yield* sql<{ folder: string }>`SELECT current_setting('data_directory') AS folder`
      const rows = yield* sql<{ pid: number }>`SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()`
      const postmaster = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0])
      return [postmaster, ...rows.map(({ pid }) => pid)]
    }).pipe(Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(url) }))))
    let stopped: ReadonlyArray<number> = []
    const goOn = () => {
      for (const pid of stopped) process.kill(pid, "SIGCONT")
      stopped = []
    }
    yield* Effect.addFinalizer(() => Effect.sync(goOn))
    const stop = (pids: ReadonlyArray<number>) => {
      stopped = pids
      for (const pid of pids) process.kill(pid, "SIGSTOP")
    }
    return { look, stop, goOn }
  })

interface Answer {
  readonly what: string
  readonly status: number
  readonly ms: number
  readonly retryAfter: string | null
  readonly text: string
}

describe("a database that stops in the middle of everything", () => {
  it.live(
    "keeps no request waiting for more than five seconds; what was sent with an Idempotency-Key is done once when it goes on",
    () =>
      Effect.gen(function* () {
        const url = yield* startServer
        const database = Database.layer({ url: Redacted.make(url), maxConnections: 10 })
        const stores = yield* Layer.build(storesOver(database, newRing()))
        const world = yield* makeWorld({ stores: Layer.succeedContext(stores) })
        const { id: organizationId } = yield* newOrganization().pipe(Effect.provide(stores))
        const { secret } = yield* Effect.provide(
          Effect.flatMap(ApiKeys, (keys) => keys.create({ organizationId, name: "k" })),
          stores
        )
        const freeze = yield* freezer(url)

        const ask = async (method: string, path: string, body?: object, key?: string): Promise<Answer> => {
          const began = performance.now()
          const response = await fetch(world.base + path, {
            method,
            headers: {
              authorization: `Bearer ${secret}`,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
              ...(key === undefined ? {} : { "idempotency-key": key })
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = await response.text()
          const ms = performance.now() - began
          const retryAfter = response.headers.get("retry-after")
          return { what: `${method} ${path}`, status: response.status, ms, retryAfter, text }
        }
        const contactsPath = "/api/messaging-api/contacts"
        const create = (i: number) => ask("POST", contactsPath, { phone: `+1415555${1_000 + i}` }, `contact-${i}`)
        const everyRoute = () =>
          Object.entries(world.contract.document.paths).flatMap(([path, operations]) =>
            Object.entries(operations).flatMap(([method, operation]) =>
              ((operation as { security?: ReadonlyArray<object> }).security ?? []).length === 0
                ? []
                : [ask(method.toUpperCase(), path.replace(/\{\w+\}/g, "cnt_1"), method === "get" ? undefined : {})]
            )
          )

        const answers = yield* Effect.promise(async () => {
          assert.strictEqual((await create(0)).status, 201)
          // All connections are open, and busy when they stop.
          await Promise.all(Array.from({ length: 20 }, () => ask("GET", contactsPath)))
          const pids = await Effect.runPromise(freeze.look)
          const creating = Array.from({ length: 30 }, (_, i) => create(i + 1))
          await sleep(8)
          freeze.stop(pids)
          // Also those that come while it is silent wait as long, not longer: connections are given up and opened anew meanwhile.
          const late = sleep(3_000).then(() => Promise.all(Array.from({ length: 5 }, () => ask("GET", contactsPath))))
          return [...(await Promise.all([...creating, ...everyRoute()])), ...(await late)]
        })
        const unanswered = answers.filter(({ status }) => status === 500)
        assert.isAbove(unanswered.length, 75)
        assert.deepStrictEqual(
          answers.filter(({ ms }) => ms > longestMs),
          []
        )
        for (const { what, retryAfter, text } of unanswered) {
          assert.strictEqual(retryAfter, "5", what)
          assert.match(JSON.parse(text).error, /database does not answer.*may have been done/)
        }

        freeze.goOn()
        yield* eventually(
          "every contact is made",
          Effect.promise(async () => {
            const again = await Promise.all(Array.from({ length: 31 }, (_, i) => create(i)))
            return again.every(({ status }) => status === 201)
          })
        )
        const { text, ms } = yield* Effect.promise(() => ask("GET", contactsPath))
        assert.strictEqual(JSON.parse(text).total, 31)
        assert.isBelow(ms, 1_000)
      }).pipe(Effect.scoped),
    240_000
  )
})
