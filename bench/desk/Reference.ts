/** The reference server in a process of its own, whose processor time can be read. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { Effect } from "effect"

const program = resolve(import.meta.dirname, "reference-server.ts")

const launch = async (databaseUrl: string, port: number) => {
  const { PATH = "", HOME = "" } = process.env
  const child = fork(program, {
    env: { PATH, HOME, NODE_ENV: "production", DATABASE_URL: databaseUrl, PORT: String(port) }
  })
  const [said] = await once(child, "message")
  if (said !== "ready") throw new Error("the reference server did not start")
  /** Processor time since it began, in ms. */
  const cpuMs = async (): Promise<number> => {
    const answer = once(child, "message")
    child.send("cpu")
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage]
    return (user + system) / 1_000
  }
  return { baseUrl: `http://127.0.0.1:${port}`, cpuMs, stop: () => child.disconnect() }
}

/** Started and ready; stopped with the scope. */
export const startReference = (databaseUrl: string, port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => launch(databaseUrl, port)),
    ({ stop }) => Effect.sync(stop)
  )
