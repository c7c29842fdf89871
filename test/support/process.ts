/** `parley serve` as processes of their own, with simulated providers and telephone network, one tenant with an agent. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import type { CallRequest } from "../../simulators/telephone/CallResult.ts"
import { simulatorKey, start as startSimulators, type WorldOptions } from "../../simulators/World.ts"
import * as Config from "../../src/Config.ts"
import { createTenant } from "../../src/cli/demo/organization.ts"
import { telephoneNetwork } from "../../src/cli/demo/simulated.ts"
import { Calls } from "../../src/domain/CallRecord.ts"
import { freePort } from "../../src/integrations/network/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { freshDatabaseUrl } from "./postgres.ts"

const main = resolve(import.meta.dirname, "../../src/main.ts")

export interface ProcessOptions extends WorldOptions {
  /** After `serve`. */
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Agent settings over those of the demo's agent. */
  readonly agent?: object
}

/** Ended with SIGKILL when the scope closes before it has ended by itself. */
export const spawned = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [main, "serve", ...args], {
        // Undefined: not handed on.
        env: { ...process.env, REDIS_URL: undefined, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const output: Array<string> = []
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
      const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)))
      return { child, ended, log: () => output.join("") }
    }),
    ({ child, ended }) =>
      Effect.promise(async () => {
        if (isRunning(child)) child.kill("SIGKILL")
        await ended
      })
  )

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Waits up to `seconds` for what `look` gives to be there. */
export const eventually = <A>(what: string, look: () => Promise<A | undefined>, seconds = 20): Effect.Effect<A> =>
  Effect.promise(async () => {
    const until = performance.now() + seconds * 1_000
    while (performance.now() < until) {
      const found = await look().catch(() => undefined)
      if (found !== undefined) return found
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error(`not within ${seconds} s: ${what}`)
  })

export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-process-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 }))
)

/** Lives as long as the scope; ready to take calls when it is there. */
export const startParleyProcess = Effect.fn("startParleyProcess")(function* (options: ProcessOptions = {}) {
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => startSimulators(options)),
    ({ close }) => Effect.promise(close)
  )
  const dataDir = yield* folder
  const [port, telephonePort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  const databaseUrl = yield* freshDatabaseUrl
  const baseUrl = `http://127.0.0.1:${port}`
  const parley = yield* spawned(options.args ?? [], {
    NODE_ENV: "development",
    PORT: `${port}`,
    PUBLIC_BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SARVAM_BASE_URL: world.textToSpeech.url,
    SARVAM_SPEECH_TO_TEXT_BASE_URL: world.speechToText.url,
    DEEPGRAM_BASE_URL: world.textToSpeech.url,
    ELEVENLABS_BASE_URL: world.textToSpeech.url,
    REASONING_BASE_URL: world.languageModel.url,
    MODERATION_BASE_URL: world.moderation.url,
    SARVAM_API_KEY: simulatorKey,
    DEEPGRAM_API_KEY: simulatorKey,
    ELEVENLABS_API_KEY: simulatorKey,
    REASONING_API_KEY: simulatorKey,
    MODERATION_API_KEY: simulatorKey,
    TWILIO_BASE_URL: `http://127.0.0.1:${telephonePort}`,
    ALLOW_PRIVATE_TOOL_ADDRESSES: "true",
    // Both sides share two cores with other tests.
    MAX_LATENESS_MS: "10000",
    ...options.env
  })
  const get = async (path: string) => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { connection: "close" } })
    return { status: response.status, body: await response.text() }
  }
  yield* eventually(
    "the service is ready",
    async () => {
      if (!isRunning(parley.child)) return "ended"
      return (await get("/readyz")).status === 200 ? "ready" : undefined
    },
    60
  ).pipe(
    Effect.filterOrElse(
      (state) => state === "ready",
      () => Effect.die(new Error(`parley did not start:\n${parley.log()}`))
    )
  )

  const settings = {
    ...(yield* Config.load),
    dataDir,
    databaseUrl: Option.some(Redacted.make(databaseUrl)),
    redisUrl: Option.none()
  }
  const services = yield* Layer.build(storage(settings).pipe(Layer.provideMerge(Logger.layer([]))))
  const tenant = yield* createTenant(baseUrl, `${baseUrl}/healthz`, options.agent).pipe(Effect.provide(services))
  const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)
  /** A call under way; resolves when it is over. */
  const call = (caller: CallRequest["caller"], request: Partial<CallRequest> = {}) =>
    network.call({ from: "+14155550100", to: tenant.calledNumber, caller, maxMs: 60_000, ...request })
  /** The records of all calls, newest first. */
  const records = Effect.gen(function* () {
    const calls = yield* Calls
    return (yield* calls.listByAgent(tenant.organizationId, tenant.agentId, 1, 100)).data
  }).pipe(Effect.provide(services))

  return { ...parley, baseUrl, port, dataDir, tenant, network, get, call, records }
})
