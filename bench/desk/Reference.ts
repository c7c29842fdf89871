/** The reference server in a process of its own, started and watched as Parley is: the same flags of V8, the same probe. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { Effect } from "effect"
import { askProbe, MALLOC_ARENA_MAX, probe, startFlag } from "../support/Service.ts"

const program = resolve(import.meta.dirname, "reference-server.ts")

const launch = async (databaseUrl: string, port: number) => {
  const { PATH = "", HOME = "" } = process.env
  const child = fork(program, {
    execArgv: [startFlag, "--import", probe],
    env: { PATH, HOME, MALLOC_ARENA_MAX, NODE_ENV: "production", DATABASE_URL: databaseUrl, PORT: String(port) }
  })
  const [said] = await once(child, "message")
  if (said !== "ready") throw new Error("the reference server did not start")
  const read = askProbe(child)
  return { baseUrl: `http://127.0.0.1:${port}`, read, stop: () => child.disconnect() }
}

/** Started and ready; stopped with the scope. */
export const startReference = (databaseUrl: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => launch(databaseUrl, port)),
    ({ stop }) => Effect.sync(stop)
  )
