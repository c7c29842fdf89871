/** `parley serve` as separate processes, with simulated providers and telephone network, and one tenant with an agent. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { Effect, Layer, Logger, Option, Redacted, Semaphore } from "effect"
import type { CallRequest } from "../../simulators/telephone/CallResult.ts"
import { start as startSimulators, type WorldOptions } from "../../simulators/World.ts"
import { createTenant } from "../../src/cli/demo/organization.ts"
import { onLoopback, telephoneNetwork } from "../../src/cli/demo/simulated.ts"
import * as Config from "../../src/config/Config.ts"
import { environmentOf } from "../../src/config/EnvironmentOf.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { eventually } from "./eventually.ts"
import { temporaryFolder } from "./folder.ts"
import { freshDatabaseUrl } from "./postgres.ts"
import { programFile } from "./programs.ts"

const root = resolve(import.meta.dirname, "../..")

export interface ProcessOptions extends WorldOptions {
  /** `node` by default. */
  readonly by?: StartedBy
  /** Arguments after `serve`. */
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Agent settings that replace those of the demo's agent. */
  readonly agent?: object
}

/** `npm`: with `npm start`, as people start it, and all its descendants in a process group of their own. */
export type StartedBy = "node" | "npm"

export interface SpawnedOptions {
  /** Of `parley`. */
  readonly command?: string
  /** How far its monotonic clock is ahead, as on another machine; where the system does not let it have one of its own, not at all. */
  readonly clockAheadSeconds?: number
}

/** What comes before a command, so that it has a clock of its own. */
const withClockAhead = (seconds: number): ReadonlyArray<string> => {
  const unshare = ["unshare", "--time", "--monotonic", `${seconds}`]
  const [program, ...args] = unshare
  return seconds > 0 && spawnSync(program, [...args, "true"]).status === 0 ? unshare : []
}

/** Starts it. If it still runs when the scope closes, it and all its descendants are ended with SIGKILL. */
export const spawned = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  by: StartedBy = "node",
  { command = "serve", clockAheadSeconds = 0 }: SpawnedOptions = {}
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [program, ...before] =
        by === "npm"
          ? ["npm", "start", "--"]
          : [...withClockAhead(clockAheadSeconds), process.execPath, await programFile("main.ts"), command]
      // One process starts sooner than four, and its log is that of the service alone.
      const isSaid = command !== "serve" || args.includes("--sound") || env.MEDIA_LINKS !== undefined
      const child = spawn(program, [...before, ...args, ...(isSaid ? [] : ["--sound", "inside"])], {
        cwd: root,
        // Undefined variables are not handed on.
        env: { ...process.env, REDIS_URL: undefined, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        detached: by === "npm"
      })
      const output: Array<string> = []
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
      const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
      return { child, ended, log: () => output.join("") }
    }),
    ({ child, ended }) =>
      Effect.promise(async () => {
        if (by === "npm") killGroup(child, "SIGKILL")
        else if (isRunning(child)) child.kill("SIGKILL")
        await ended
      })
  )

/** Sends the signal to every process of the group, as a terminal does at Ctrl-C and systemd when it stops a unit. Ignores a group that is gone. */
export const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause
  }
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/**
 * Starts processes one after another, although stories run concurrently: starting needs the processor, so many starts at once would all be late.
 * The effect is the start of a process until it is ready.
 */
export const oneStartAtATime = Semaphore.makeUnsafe(1).withPermits(1)

/** To start takes 5 s of processor time, which a machine that is busy with other tests gives late. */
export const startSeconds = 120

/** Waits until a service answers that it is ready. Dies with the service's log when that ends instead. */
export const ready = (parley: Effect.Success<ReturnType<typeof spawned>>, baseUrl: string) =>
  eventually(
    "the service is ready",
    async () => {
      if (!isRunning(parley.child)) return "ended"
      const { status } = await fetch(`${baseUrl}/readyz`, { headers: { connection: "close" } })
      return status === 200 ? "ready" : undefined
    },
    startSeconds
  ).pipe(
    Effect.filterOrElse(
      (state) => state === "ready",
      () => Effect.die(new Error(`parley did not start:\n${parley.log()}`))
    )
  )

/** Starts a service that lives as long as the scope. It is ready to take calls when the effect completes. */
export const startParleyProcess = Effect.fn("startParleyProcess")(function* (options: ProcessOptions = {}) {
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => startSimulators(options)),
    ({ close }) => Effect.promise(close)
  )
  const dataDir = yield* temporaryFolder("process")
  const [port, telephonePort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const databaseUrl = yield* freshDatabaseUrl
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = {
    ...onLoopback(yield* Config.load, world, port, telephonePort),
    dataDir,
    databaseUrl: Option.some(Redacted.make(databaseUrl)),
    redisUrl: Option.none(),
    // Both sides share two cores with other tests.
    maxLatenessMs: 10_000
  }
  // As in development: it chooses the settings that are not given.
  const unsaid = { NODE_ENV: "development", ENGINE_WS_SECRET: undefined }
  const env = { ...environmentOf(settings), ...unsaid, ...options.env }
  const parley = yield* oneStartAtATime(
    Effect.tap(spawned(options.args ?? [], env, options.by), (started) => ready(started, baseUrl))
  )
  /** One more process with the same settings except for its own port. */
  const another = Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    return { ...(yield* spawned(options.args ?? [], { ...env, PORT: `${port}` })), port }
  })
  const get = async (path: string) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { connection: "close" } })
    return { status: response.status, body: await response.text() }
  }

  const services = yield* Layer.build(storage(settings).pipe(Layer.provideMerge(Logger.layer([]))))
  const tenant = yield* createTenant(baseUrl, `${baseUrl}/healthz`, options.agent).pipe(Effect.provide(services))
  const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)
  /** Starts a call; resolves when it is over. */
  const call = (caller: CallRequest["caller"], request: Partial<CallRequest> = {}) =>
    network.call({ from: "+14155550100", to: tenant.calledNumber, caller, maxMs: 60_000, ...request })
  /** The records of all calls, newest first. */
  const records = Effect.gen(function* () {
    const calls = yield* Calls
    return (yield* calls.list(tenant.organizationId, 1, 100, { agentId: tenant.agentId })).data
  }).pipe(Effect.provide(services))

  /** What was said in a call, in order. */
  const utterances = (callId: string) =>
    Effect.gen(function* () {
      return yield* (yield* Calls).utterances(tenant.organizationId, callId)
    }).pipe(Effect.provide(services))

  return { ...parley, another, utterances, baseUrl, port, dataDir, tenant, network, get, call, records }
})
