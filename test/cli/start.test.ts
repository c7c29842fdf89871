/** A service that cannot start: the real program in a process of its own, and what it says last. */
import { randomBytes } from "node:crypto"
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { makeAuthority, writeIssued } from "../support/authority.ts"
import { temporaryFolder } from "../support/folder.ts"
import { spawned } from "../support/process.ts"

/** What `parley serve` with these settings printed until it gave up. */
const failed = Effect.fnUntraced(function* (
  env: Readonly<Record<string, string | undefined>>,
  args: ReadonlyArray<string> = [],
  command = "serve"
) {
  const folder = yield* temporaryFolder("start")
  const { ended, log } = yield* spawned(args, { DATA_DIR: folder, ...env }, "node", { command })
  assert.strictEqual(yield* Effect.promise(() => ended), 1)
  return stripVTControlCharacters(log()).trim().split("\n")
})

/** The last of the lines, each of which is one JSON object. It is the only line about a failure. */
const lastWord = (lines: ReadonlyArray<string>) => {
  const entries = lines.map((line): { level: string; message: unknown; cause?: string } => JSON.parse(line))
  const failures = entries.filter(({ level }) => level === "ERROR")
  assert.deepStrictEqual(failures, entries.slice(-1))
  return failures[0]
}

/** A port on which another server listens. */
const takenPort = Effect.acquireRelease(
  Effect.promise(async () => {
    const port = await freePort()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
    return { port, server }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

const production = {
  NODE_ENV: "production",
  ALLOW_EMBEDDED_DEFAULTS: "true",
  ENCRYPTION_KEYS: `one:${randomBytes(32).toString("base64")}`,
  ENGINE_WS_SECRET: randomBytes(32).toString("hex"),
  PUBLIC_BASE_URL: "https://voice.example.com",
  APP_BASE_URL: "https://app.example.com"
}

describe("a service that cannot start says why, once and in the form of its other lines", () => {
  it.live("in production, when a setting is wrong", () =>
    Effect.gen(function* () {
      const { message } = lastWord(yield* failed({ ...production, ENGINE_WS_SECRET: undefined }))
      assert.strictEqual(message, "ENGINE_WS_SECRET is required in production.")
    }).pipe(Effect.scoped)
  )

  it.live("in production, when the database cannot be reached", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      const url = `postgres://parley:secret@127.0.0.1:${port}/parley`
      const { message, cause } = lastWord(yield* failed({ ...production, DATABASE_URL: url }))
      assert.match(String(message), /^The database cannot be reached: /)
      assert.include(cause, "ECONNREFUSED")
    }).pipe(Effect.scoped)
  )

  it.live("in production, when the port is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* takenPort
      const folder = yield* temporaryFolder("modes")
      const recording = join(folder, "recordings", "old.wav")
      yield* Effect.promise(async () => {
        await mkdir(dirname(recording))
        await writeFile(recording, "")
        await chmod(recording, 0o644)
      })
      const env = { ...production, PORT: `${port}`, DATA_DIR: folder }
      const { message } = lastWord(yield* failed(env, ["--role", "engine"]))
      // What is in the data folder, from before or new, is closed to other users of the host.
      const names = yield* Effect.promise(() => readdir(folder, { recursive: true }))
      assert.includeMembers(names, ["recordings/old.wav", "calls"])
      for (const name of names) {
        const { mode } = yield* Effect.promise(() => stat(join(folder, name)))
        assert.strictEqual(mode & 0o077, 0, name)
      }
      assert.strictEqual(message, `cannot listen on 127.0.0.1:${port} (in use, or not an address of this machine)`)
    }).pipe(Effect.scoped)
  )

  it.live("in production, when the port of media streams is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* takenPort
      const { message } = lastWord(yield* failed({ ...production, MEDIA_PORT: `${port}` }, ["--sound", "process"]))
      assert.strictEqual(
        message,
        `MEDIA_PORT ${port} is in use, or not allowed on 127.0.0.1. Set MEDIA_PORT to a free port for media streams, or start with --sound inside.`
      )
    }).pipe(Effect.scoped)
  )

  it.live("in production, when both a flag and MEDIA_LINKS say where the sound is", () =>
    Effect.gen(function* () {
      const files = writeIssued(yield* temporaryFolder("start"), "engine", makeAuthority().issue({ names: ["engine"] }))
      const links = {
        MEDIA_LINKS: "tls://127.0.0.1:8443",
        MEDIA_LINK_CERT: files.cert,
        MEDIA_LINK_KEY: files.key,
        MEDIA_LINK_CA: files.ca
      }
      const { message } = lastWord(yield* failed({ ...production, ...links }, ["--sound", "process"]))
      assert.strictEqual(
        message,
        "MEDIA_LINKS says where the sound of calls is: on other machines. Leave out --sound, or MEDIA_LINKS."
      )
    }).pipe(Effect.scoped)
  )

  it.live("in production, when the sound has no certificate that it could show", () =>
    Effect.gen(function* () {
      const { port } = yield* takenPort
      const door = ["--port", `${port + 1}`, "--listen", `127.0.0.1:${port}`, "--engines", "engine"]
      const told = (...args: ReadonlyArray<string>) =>
        Effect.map(failed({ NODE_ENV: "production" }, [...door, ...args], "media"), (lines) => lastWord(lines).message)
      assert.match(String(yield* told()), /^--listen needs --cert, --key and --ca/)
      const nowhere = ["--cert", "/nowhere/c.pem", "--key", "/nowhere/k.pem", "--ca", "/nowhere/ca.pem"]
      assert.match(String(yield* told(...nowhere)), /^\/nowhere\/c\.pem cannot be read: /)
    }).pipe(Effect.scoped)
  )

  it.live("in development, for people", () =>
    Effect.gen(function* () {
      const lines = yield* failed({ NODE_ENV: "development", MAX_CALLS: "0" })
      const said = lines.filter((line) => line.includes("MAX_CALLS must be at least 1."))
      assert.lengthOf(said, 1)
      assert.match(said[0], /ERROR .*: ConfigInvalid: /)
      assert.strictEqual(lines[0], said[0])
    }).pipe(Effect.scoped)
  )
})
