/**
 * A real PostgreSQL in a data folder, for machines without one. Initialised once and reused; it listens on loopback only, on a free
 * port, with a random password kept beside the data, and stops with the scope. What a killed Parley left running is stopped first; while a
 * living one runs the database (`serve`), others (`admin`) use the same and leave its end to the first.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { messageOf } from "../../../domain/basics/ErrorMessage.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { claim, release } from "../../storage/FolderOwner.ts"
import { freePort } from "../../web/FreePort.ts"
import {
  type Binaries,
  databaseUser,
  findBinaries,
  type Runner,
  runnerFor,
  type SystemUser
} from "./PostgresBinaries.ts"
import { isOurs, readPostmaster, readyPort } from "./Postmaster.ts"

export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export interface EmbeddedPostgresOptions {
  /** Absolute or relative to the working directory; created if missing. */
  readonly dataDir: string
  /** False gives up crash safety for speed: for databases that are thrown away. Default true. */
  readonly durable?: boolean
}

interface Installation {
  readonly binaries: Binaries
  readonly run: Runner
  readonly user: SystemUser | undefined
  readonly root: string
  readonly data: string
}

/** Makes the folders above. The database's user must be able to pass through those that are made here, whatever the umask is. */
const makeAbove = async (folder: string, user: SystemUser | undefined): Promise<void> => {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined || user === undefined) return
  for (let made = folder; made.startsWith(first); made = dirname(made)) await chmod(made, 0o711)
}

const install = async (dataDir: string): Promise<Installation> => {
  const root = resolve(dataDir)
  const [binaries, user] = await Promise.all([findBinaries(), databaseUser()])
  await makeAbove(dirname(root), user)
  await mkdir(root, { recursive: true, mode: 0o700 })
  if (user !== undefined) await chown(root, user.uid, user.gid)
  await chmod(root, 0o700)
  const run = await runnerFor(user, binaries.initdb, root)
  return { binaries, run, user, root, data: join(root, "cluster") }
}

const passwordFile = (root: string) => join(root, "password")

/** Makes the cluster; an interrupted attempt is thrown away, since it never held anybody's data. */
const initialise = async ({ binaries, run, root, data, user }: Installation): Promise<void> => {
  if (existsSync(join(root, "initialised"))) return
  await rm(data, { recursive: true, force: true })
  await writeFile(passwordFile(root), randomBytes(24).toString("hex"), { mode: 0o600 })
  if (user !== undefined) await chown(passwordFile(root), user.uid, user.gid)
  await run(binaries.initdb, [
    `--pgdata=${data}`,
    "--username=postgres",
    `--pwfile=${passwordFile(root)}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8"
  ])
  await writeFile(join(root, "initialised"), new Date().toISOString())
}

/** Stops what an earlier process left running, and removes a lock file that names somebody else's process. */
const clearStale = async ({ binaries, run, data }: Installation): Promise<void> => {
  const pid = await readPostmaster(data)
  if (pid === undefined) return
  if (await isOurs(pid, data)) await run(binaries.pg_ctl, ["stop", "-D", data, "-m", "fast", "-w", "-t", "60"])
  else await rm(join(data, "postmaster.pid"), { force: true })
}

const fast = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"

const urlOf = async (root: string, port: number): Promise<string> => {
  const password = (await readFile(passwordFile(root), "utf8")).trim()
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

interface Running {
  readonly url: string
  /** False: another process runs it. */
  readonly ours: boolean
}

const launch = async (installation: Installation, durable: boolean): Promise<Running> => {
  const { binaries, run, root, data } = installation
  await initialise(installation)
  await clearStale(installation)
  const port = await freePort()
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 -c autovacuum_naptime=5s ${durable ? "" : fast}`
  await run(binaries.pg_ctl, ["start", "-D", data, "-l", join(root, "postgres.log"), "-w", "-t", "60", "-o", settings])
  return { url: await urlOf(root, port), ours: true }
}

/** Waits for the database that another process is starting. */
const joinRunning = async ({ root, data }: Installation): Promise<Running> => {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const port = await readyPort(data)
    if (port !== undefined) return { url: await urlOf(root, port), ours: false }
    await sleep(100)
  }
  throw new Error(`another Parley uses the data folder ${root}, but its database does not answer.`)
}

const launchOrJoin = async (installation: Installation, durable: boolean): Promise<Running> => {
  if (!(await claim(installation.root))) return joinRunning(installation)
  try {
    return await launch(installation, durable)
  } catch (cause) {
    await release(installation.root)
    throw cause
  }
}

const stop = async ({ binaries, run, root, data }: Installation): Promise<void> => {
  await run(binaries.pg_ctl, ["stop", "-D", data, "-m", "fast", "-w", "-t", "60"])
  await release(root)
}

const failure = (cause: unknown): EmbeddedPostgresError => {
  const detail = messageOf(cause)
  return new EmbeddedPostgresError({ message: `The embedded PostgreSQL did not start: ${detail}`, cause })
}

/** Starts the database; gives the URL of its superuser. It stops when the scope closes. */
export const start = traced("EmbeddedPostgres.start")(function* (
  options: EmbeddedPostgresOptions
): Effect.fn.Return<Redacted.Redacted, EmbeddedPostgresError, Scope.Scope> {
  const installation = yield* Effect.tryPromise({ try: () => install(options.dataDir), catch: failure })
  const { url } = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => launchOrJoin(installation, options.durable ?? true), catch: failure }),
    ({ ours }) =>
      Effect.tryPromise({ try: () => (ours ? stop(installation) : Promise.resolve()), catch: failure }).pipe(
        Effect.catch((error) => Effect.logError("The embedded PostgreSQL did not stop cleanly", error))
      )
  )
  return Redacted.make(url)
})

/** The running embedded database. */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, { readonly url: Redacted.Redacted }>()(
  "parley/integrations/EmbeddedPostgres"
) {}

export const layer = (options: EmbeddedPostgresOptions): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
  Layer.effect(
    EmbeddedPostgres,
    Effect.map(start(options), (url) => ({ url }))
  )
