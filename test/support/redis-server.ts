/** A throw-away `redis-server` on a free loopback port, ended with the scope. */
import { type ChildProcess, spawn } from "node:child_process"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"

const launch = async (port: number) => {
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"]
  const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "pipe"] })
  // If the run is killed without its teardown, the server must not stay behind.
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("exit", () => process.removeListener("exit", kill))
  await new Promise<void>((done, fail) => {
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("Ready to accept connections")) done()
    })
    child.once("error", (cause) =>
      fail(new Error("redis-server could not be run: install it or set REDIS_URL", { cause }))
    )
    child.once("exit", (code) => fail(new Error(`redis-server ended with ${code}: ${output}`)))
  })
  return { url: `redis://127.0.0.1:${port}`, child }
}

const stop = ({ child }: { readonly child: ChildProcess }) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((done) => child.once("exit", () => done()))
    child.kill("SIGTERM")
    await ended
  })

/** Starts a server on this port, for tests that start a stopped one again. */
export const startRedisOn = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => launch(port)),
    stop
  )

/** Starts a server; gives its URL and the process, for tests that stop it on purpose. */
export const startRedisProcess = Effect.flatMap(Effect.promise(freePort), startRedisOn)

/** Starts a server; gives its URL. */
export const startRedis = Effect.map(startRedisProcess, ({ url }) => url)
