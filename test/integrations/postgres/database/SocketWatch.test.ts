/** The watch over database connections: with TLS (whose socket is not the network socket) and without, and during long statements. */
import { chown, stat, writeFile } from "node:fs/promises"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { connect, createServer, getCACertificates, setDefaultCACertificates } from "node:tls"
import { inspect } from "node:util"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../../../src/integrations/postgres/database/Database.ts"
import * as SocketWatch from "../../../../src/integrations/postgres/database/SocketWatch.ts"
import { certificate, privateKey } from "../../../support/certificate.ts"
import { eventually } from "../../../support/eventually.ts"
import { testDatabase } from "../../../support/postgres.ts"
import { startServer } from "../../../support/postgres-server.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { tcpProxy } from "../../../support/tcp-proxy.ts"

playsInRealTime()

/** Echoes what it receives. */
const echo = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer({ cert: certificate, key: privateKey }, (socket) => {
      socket.on("error", () => socket.destroy())
      socket.pipe(socket)
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

/** Accepts every connection and sends nothing by itself. */
const slowServer = Effect.acquireRelease(
  Effect.callback<{ server: Server; connections: Array<Socket>; port: number }>((resume) => {
    const connections: Array<Socket> = []
    const server = createTcpServer((socket) => {
      socket.on("error", () => socket.destroy())
      socket.resume()
      connections.push(socket)
    })
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ server, connections, port: (server.address() as AddressInfo).port }))
    )
  }),
  ({ connections, server }) =>
    Effect.sync(() => {
      for (const socket of connections) socket.destroy()
      server.close()
    })
)

/** Makes a running server accept TLS, too. */
const encrypt = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ folder: string }>`SELECT current_setting('data_directory') AS folder`
  const folder = row?.folder ?? ""
  yield* Effect.promise(async () => {
    const { uid, gid } = await stat(folder)
    for (const [name, text] of Object.entries({ "server.crt": certificate, "server.key": privateKey })) {
      const path = join(folder, name)
      await writeFile(path, text, { mode: 0o600 })
      await chown(path, uid, gid)
    }
  })
  yield* sql`ALTER SYSTEM SET ssl = on`
  yield* sql`SELECT pg_reload_conf()`
})

/** Makes this process trust the tests' certificate as an authority's. */
const trusted = Effect.acquireRelease(
  Effect.sync(() => {
    const before = getCACertificates()
    setDefaultCACertificates([...before, certificate])
    return before
  }),
  (before) => Effect.sync(() => setDefaultCACertificates(before))
)

/** The server's URL over TLS, under the name that its certificate is for. */
const verified = (adminUrl: string): Redacted.Redacted => {
  const url = new URL(adminUrl)
  url.hostname = "localhost"
  url.searchParams.set("sslmode", "verify-full")
  return Redacted.make(url.href)
}

describe("a database that is reached over TLS", () => {
  it.live(
    "serves concurrent statements, transactions and rows of a megabyte as without TLS, and is refused when its certificate is not trusted",
    () =>
      Effect.gen(function* () {
        const adminUrl = yield* startServer
        yield* encrypt.pipe(Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(adminUrl) }))))
        const database = Database.layer({ url: verified(adminUrl), maxConnections: 3 })
        const refused = yield* Effect.flip(Layer.build(database))
        assert.match(inspect(refused, { depth: 5 }), /self-signed certificate/)
        yield* trusted
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const encrypted = yield* sql`SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
          WHERE application_name = 'parley'`
          assert.deepStrictEqual(encrypted, [{ ssl: true }])
          const numbers = yield* Effect.forEach(
            Array.from({ length: 50 }, (_, at) => at),
            (at) => sql<{ at: number }>`SELECT ${at}::int AS at`,
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            numbers.map(([row]) => row?.at),
            Array.from({ length: 50 }, (_, at) => at)
          )
          const [long] = yield* sql.withTransaction(
            sql<{ text: string }>`SELECT repeat('word', 250000) AS text, ${"x".repeat(1_000_000)}::text AS sent`
          )
          assert.strictEqual(long?.text.length, 1_000_000)
        }).pipe(Effect.provide(database))
      }).pipe(Effect.scoped)
  )
})

describe("a statement that takes longer than the database may be silent", () => {
  it.live(
    "goes on while the database reports that it is still working on it",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql.withTransaction(sql`SELECT pg_sleep(13), 'done' AS said`)
        assert.strictEqual(row.said, "done")
      }).pipe(Effect.provide(testDatabase)),
    240_000
  )
})

describe("a watched connection", () => {
  it.effect("stays open over TLS while it is answered or idle, and ends ten seconds after an unanswered request", () =>
    Effect.gen(function* () {
      const proxy = yield* tcpProxy("127.0.0.1", ((yield* echo).address() as AddressInfo).port)
      const { open } = yield* SocketWatch.make(
        Redacted.make(`postgres://somebody@127.0.0.1:${proxy.port}/parley?sslmode=require`)
      )
      let [heard, failure] = ["", ""]
      const stream = connect({ socket: open(), rejectUnauthorized: false })
      stream.on("data", (part) => {
        heard += part
      })
      stream.on("error", (error) => {
        failure = error.message
      })
      stream.write("one")
      yield* eventually("an answer", () => heard === "one")
      yield* TestClock.adjust("1 minute")
      stream.write("two")
      yield* eventually("another", () => heard === "onetwo")
      proxy.freeze()
      stream.write("three")
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(stream.destroyed)
      // The server that answers now is not a database, so it does not report that it is at work.
      proxy.restore()
      yield* TestClock.adjust("2 seconds")
      yield* eventually("it is given up", () => stream.destroyed)
      assert.match(failure, /has not answered for 10 s/)
    }).pipe(Effect.scoped)
  )

  it.effect("stays open when its answer comes while the database is being asked whether it still works", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* slowServer
      const { open } = yield* SocketWatch.make(Redacted.make(`postgres://somebody@127.0.0.1:${port}/parley`))
      const stream = open()
      let heard = ""
      stream.on("data", (part) => {
        heard += part
      })
      stream.write("a question")
      yield* eventually("it is there", () => connections[0]?.bytesRead === 10)
      yield* TestClock.adjust("9 seconds")
      yield* eventually("the database is asked over another one", () => connections.length > 1)
      connections[0].write("the answer")
      yield* eventually("the answer", () => heard === "the answer")
      yield* TestClock.adjust("9 seconds")
      yield* eventually("asking has come to nothing", () => connections[1].closed)
      assert.isFalse(stream.destroyed)
      stream.destroy()
    }).pipe(Effect.scoped)
  )
})
