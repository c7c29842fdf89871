/** The whole service for a test: real database, real sockets, simulated providers and telephone network, one tenant with an agent. */
import { Effect, Layer, Logger, Option, Redacted, type Scope } from "effect"
import type { CallRequest, CallResult } from "../../simulators/telephone/CallResult.ts"
import { type Spoken, speak } from "../../simulators/voice/Voice.ts"
import { start as startSimulators, type WorldOptions } from "../../simulators/World.ts"
import { createTenant } from "../../src/cli/demo/organization.ts"
import { onLoopback, telephoneNetwork } from "../../src/cli/demo/simulated.ts"
import * as Config from "../../src/config/Config.ts"
import type { Settings } from "../../src/config/Environment.ts"
import { type CallRecord, Calls, type Utterance } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import * as Server from "../../src/wiring/Server.ts"
import { eventually } from "./eventually.ts"
import { temporaryFolder } from "./folder.ts"
import { freshDatabaseUrl } from "./postgres.ts"

export interface ParleyOptions extends Omit<WorldOptions, "bank"> {
  /** The sentences that callers will say, by name. */
  readonly lines: Readonly<Record<string, string>>
  /** BCP 47 language of the lines; `en-US` by default. */
  readonly language?: string
  /** How the recogniser knows each line, when what it hears has not exactly the samples of the line. */
  readonly heardAs?: (line: Spoken) => ReadonlyArray<Spoken>
  /** Agent settings that replace those of the demo's agent. */
  readonly agent?: object
  /** Another address of the test's database, e.g. through a proxy. */
  readonly databaseUrl?: (url: URL) => Effect.Effect<URL, never, Scope.Scope>
  readonly settings?: Partial<Settings>
}

export interface StoredCall {
  readonly call: CallRecord
  readonly utterances: ReadonlyArray<Utterance>
}

/** The service without any organization. Lives as long as the scope. */
export const startService = Effect.fn("startService")(function* (options: Omit<ParleyOptions, "agent">) {
  const language = options.language ?? "en-US"
  const spoken = new Map<string, Spoken>()
  for (const [name, text] of Object.entries(options.lines))
    spoken.set(name, yield* Effect.promise(() => speak(text, language)))
  const samples = (name: string): Int16Array => {
    const line = spoken.get(name)
    if (line === undefined) throw new Error(`no line ${name}`)
    return line.samples
  }
  const world = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startSimulators({ ...options, bank: [...spoken.values()].flatMap((line) => options.heardAs?.(line) ?? line) })
    ),
    ({ close }) => Effect.promise(close)
  )
  const dataDir = yield* temporaryFolder("call")
  const port = yield* Effect.promise(freePort)
  const telephonePort = yield* Effect.promise(freePort)
  const ownUrl = new URL(yield* freshDatabaseUrl)
  const databaseUrl = options.databaseUrl === undefined ? ownUrl : yield* options.databaseUrl(ownUrl)
  const defaults = yield* Config.load
  const settings: Settings = {
    ...onLoopback(defaults, world, port, telephonePort),
    dataDir,
    databaseUrl: Option.some(Redacted.make(databaseUrl.toString())),
    redisUrl: Option.none(),
    // A machine that is busy with other tests is late. These tests must not fail for that.
    maxLatenessMs: 10_000,
    ...options.settings
  }
  const baseUrl = `http://127.0.0.1:${port}`
  const logs: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void logs.push(line))])
  const services = yield* Layer.build(Server.all(settings).pipe(Layer.provideMerge(logger)))
  return { world, settings, services, baseUrl, dataDir, samples, logs, telephonePort }
})

/** Lives as long as the scope. */
export const startParley = Effect.fn("startParley")(function* (options: ParleyOptions) {
  const { telephonePort, ...service } = yield* startService(options)
  const { services, baseUrl } = service
  const tenant = yield* createTenant(baseUrl, `${baseUrl}/healthz`, options.agent).pipe(Effect.provide(services))
  const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)
  const { organizationId, agentId } = tenant

  /** The newest call, once its end is stored. */
  const stored: Effect.Effect<StoredCall> = eventually(
    "the end of the call is stored",
    Effect.gen(function* () {
      const calls = yield* Calls
      const call = (yield* calls.list(organizationId, 1, 1, { agentId })).data[0]
      if (call === undefined || call.endReason === null) return undefined
      return { call, utterances: yield* calls.utterances(organizationId, call.id) }
    })
  ).pipe(Effect.provide(services))

  const call = (caller: CallRequest["caller"], request: Partial<CallRequest> = {}): Effect.Effect<CallResult> =>
    Effect.promise(() =>
      network.call({ from: "+14155550100", to: tenant.calledNumber, caller, maxMs: 60_000, ...request })
    )

  /** A request to the REST interface and its answer; with the tenant's key unless another is given. */
  const request = async (method: string, path: string, body?: unknown, key: string = tenant.key) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  return { ...service, network, tenant, call, stored, request }
})
export type Parley = Effect.Success<ReturnType<typeof startParley>>
