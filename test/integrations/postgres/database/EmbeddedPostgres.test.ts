import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as EmbeddedPostgres from "../../../../src/integrations/postgres/database/EmbeddedPostgres.ts"

const folderIn = (parent: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(parent, "parley-embedded-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
  )

const query = <A extends object>(url: Redacted.Redacted, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement)).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }), { local: true })
  )

const start = (dataDir: string) => EmbeddedPostgres.start({ dataDir, durable: false })

/** Starts another process that runs the database of this folder until the process is killed. */
const otherProcess = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const file = fileURLToPath(new URL("../../../support/embedded-postgres.ts", import.meta.url))
      const child = spawn(process.execPath, [file, dataDir], { stdio: ["ignore", "pipe", "inherit"] })
      const [url] = await once(child.stdout, "data")
      return { child, url: Redacted.make(String(url).trim()) }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** A zombie counts as ended: it only waits for its parent to collect it. */
const ended = (pid: number) => {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}

describe("the embedded PostgreSQL", () => {
  it.live(
    "keeps its data from one start to the next, listens on loopback only, and leaves no process behind",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* folderIn(tmpdir())
        const first = yield* Effect.scoped(
          Effect.gen(function* () {
            const url = yield* start(dataDir)
            yield* query(url, "CREATE TABLE kept (word text)")
            yield* query(url, "INSERT INTO kept VALUES ('नमस्ते')")
            const [{ addresses }] = yield* query<{ addresses: string }>(url, "SHOW listen_addresses").pipe(
              Effect.map((rows) => rows.map((row) => ({ addresses: Object.values(row)[0] })))
            )
            assert.strictEqual(addresses, "127.0.0.1")
            assert.strictEqual(statSync(join(dataDir, "password")).mode & 0o077, 0)
            const wrong = new URL(Redacted.value(url))
            wrong.password = "guess"
            yield* Effect.flip(query(Redacted.make(wrong.toString()), "SELECT 1"))
            return Number(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[0])
          })
        )
        assert.isTrue(ended(first))
        const url = yield* start(dataDir)
        assert.deepStrictEqual(yield* query(url, "SELECT word FROM kept"), [{ word: "नमस्ते" }])
      }),
    240_000
  )

  it.live(
    "is taken over when a crash of Parley left it running",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* folderIn(tmpdir())
        const { child, url } = yield* otherProcess(dataDir)
        yield* query(url, "CREATE TABLE kept (word text)")
        const pid = Number(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[0])
        child.kill("SIGKILL")
        yield* Effect.promise(() => once(child, "exit"))
        const again = yield* start(dataDir)
        assert.isTrue(ended(pid))
        assert.deepStrictEqual(yield* query(again, "SELECT word FROM kept"), [])
      }),
    240_000
  )

  it.live(
    "starts although a lock file names an unrelated process, and does not stop that process",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* folderIn(tmpdir())
        yield* Effect.scoped(start(dataDir))
        writeFileSync(
          join(dataDir, "cluster", "postmaster.pid"),
          `${process.pid}\n${join(dataDir, "cluster")}\n0\n5432\n\n127.0.0.1\n`
        )
        const url = yield* start(dataDir)
        assert.lengthOf(yield* query(url, "SELECT 1 AS one"), 1)
      }),
    240_000
  )

  it.live(
    "serves a second process while another process runs it, and the second does not stop it",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* folderIn(tmpdir())
        const { url } = yield* otherProcess(dataDir)
        yield* query(url, "CREATE TABLE shared (word text)")
        yield* Effect.scoped(
          Effect.flatMap(start(dataDir), (mine) => query(mine, "INSERT INTO shared VALUES ('mine')"))
        )
        assert.deepStrictEqual(yield* query(url, "SELECT word FROM shared"), [{ word: "mine" }])
        // The other process is killed before its clean-up. Take the database over to stop it.
        yield* Effect.sync(() =>
          process.kill(
            Number(readFileSync(join(dataDir, "cluster", "postmaster.pid"), "utf8").split("\n")[0]),
            "SIGINT"
          )
        )
        yield* Effect.sleep("500 millis")
      }),
    240_000
  )

  it.live(
    "works with a data folder inside a private home, also when started as root",
    () =>
      Effect.gen(function* () {
        const home = yield* folderIn(homedir())
        const url = yield* start(join(home, "data", "postgres"))
        assert.lengthOf(yield* query(url, "SELECT 1 AS one"), 1)
      }),
    240_000
  )

  it.live(
    "refuses a folder that cannot be used, with a sentence",
    () =>
      Effect.gen(function* () {
        const parent = yield* folderIn(tmpdir())
        writeFileSync(join(parent, "file"), "")
        const error = yield* Effect.flip(Effect.scoped(start(join(parent, "file", "data"))))
        assert.match(error.message, /^The embedded PostgreSQL did not start: .*file/)
      }),
    240_000
  )
})
