/**
 * What a crowd calls: a database, cheap providers in this process, and the service in processes of its own. The engine's process is the
 * one that is measured; unless the roles are `together`, the app has another.
 */
import { join, resolve } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Settings } from "../../src/config/Environment.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { readPostmaster } from "../../src/integrations/postgres/database/Postmaster.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { startRedisProcess } from "../../test/support/redis-server.ts"
import { tcpProxy } from "../../test/support/tcp-proxy.ts"
import { folder } from "../support/Folder.ts"
import { startService, usageOfAll } from "../support/Service.ts"
import { benchSettings, providerAt } from "../support/Settings.ts"
import { createCalledAgent, createOrganization } from "../support/Tenant.ts"
import { makeClips } from "./Clips.ts"
import { Crowd } from "./Crowd.ts"
import { makeHistory } from "./History.ts"
import { answerWithinMs, type Company } from "./Member.ts"
import { Outages } from "./Outages.ts"
import { startProviders } from "./Providers.ts"
import { Stamps } from "./Stamps.ts"
import { Tally } from "./Tally.ts"
import { crowdTool } from "./Tools.ts"
import { language } from "./Words.ts"

export interface StageOptions {
  readonly maxCalls: number
  /** Calls that may be there at once, which decides how many organizations share them. */
  readonly calls: number
  /** Adds an organization that the crowd does not call, and which may have so many calls at once. */
  readonly spareLimit?: number
  /** Calls that each organization has had before; a new one has had none. */
  readonly history?: number
  /** Settings of the agents over the usual ones. */
  readonly agent?: object
  /** The agents have a tool, which the model asks for in every third turn. */
  readonly tools?: boolean
  /** App and engine in one process. */
  readonly together?: boolean
  /** Processes on one port, each of both roles, with a Redis between them. */
  readonly workers?: number
  /** Where the sound of calls is: inside the engine, or in a process of its own beside it. `inside` by default. */
  readonly sound?: "inside" | "process"
  /** With the sound apart: a spare engine waits beside it. */
  readonly spareEngine?: boolean
  /** The processor of the engine, by number. */
  readonly engineCpu?: number | undefined
  /** Lateness that closes the door, ms. A bench that looks for the highest load sets it high. */
  readonly maxLatenessMs?: number
  /** Distinguishes the logs of a bench that starts several services one after the other. */
  readonly log?: string
  /** A part of the engine that costs nothing in this one, by its file in `without`. Not where app and engine are together. */
  readonly without?: "moderation" | "speech-to-text"
  /** The database can be away, which costs a proxy in front of it. */
  readonly outages?: boolean
  /** Who is away takes what is asked, and never answers. */
  readonly silent?: boolean
  /** Settings of the service over the usual ones. */
  readonly settings?: Partial<Settings>
  readonly company?: Partial<Pick<Company, "interruptEvery" | "check" | "talks" | "patienceMs">>
}

const callsPerOrganization = 100

const agentSettings = {
  name: "crowd",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  primaryLanguage: language,
  welcomeMessage: "Hello, what can I do for you?",
  systemPrompt: "You sell lamps. Answer in two short sentences.",
  maxCallSeconds: 14_400
}

/** All providers of a crowd are at one address. */
const providersAt = (url: string) => ({
  sarvam: providerAt(url),
  speechToTextBaseUrl: Option.some(url),
  deepgram: providerAt(url),
  elevenLabs: providerAt(url),
  reasoning: providerAt(`${url}/v1`),
  moderation: providerAt(`${url}/v1`),
  twilioBaseUrl: url
})

/** The way to a database that is gone while it is away. */
const takenAway = Effect.fnUntraced(function* (databaseUrl: Redacted.Redacted, outages: Outages) {
  const url = new URL(Redacted.value(databaseUrl))
  const proxy = yield* tcpProxy(url.hostname, Number(url.port))
  outages.onChange((name, away) => {
    if (name !== "database") return
    if (!away) proxy.restore()
    else if (outages.silent) proxy.freeze()
    else proxy.cut()
  })
  url.port = String(proxy.port)
  return Redacted.make(url.href)
})

/** Lives as long as the scope. */
export const setStage = Effect.fn("Bench.setStage")(function* (options: StageOptions) {
  const { workers = 1, sound = "inside", spareEngine = false } = options
  const together = options.together === true || workers > 1
  const dataDir = yield* folder
  const redis = workers > 1 ? yield* startRedisProcess : undefined
  const databaseDir = join(dataDir, "postgres")
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: databaseDir, durable: false })
  const databasePid = yield* Effect.promise(() => readPostmaster(join(databaseDir, "cluster")))
  if (databasePid === undefined) return yield* Effect.die(new Error("the database has no process"))
  const [clips, tally, stamps] = [yield* Effect.promise(makeClips), new Tally(), new Stamps()]
  const outages = new Outages(options.silent)
  const providers = yield* Effect.acquireRelease(
    Effect.promise(() => startProviders(clips, tally, stamps, outages)),
    ({ close }) => Effect.sync(close)
  )
  const [appPort, enginePort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
  // Several workers would need as many ports in a row.
  const internal = {
    host: "127.0.0.1",
    port: workers > 1 ? Option.none<number>() : Option.some(yield* Effect.promise(freePort))
  }
  const baseUrl = `http://127.0.0.1:${appPort}`
  const engineUrl = together ? baseUrl : `http://127.0.0.1:${enginePort}`
  const mediaPort = sound === "process" ? yield* Effect.promise(freePort) : undefined
  const mediaUrl = mediaPort === undefined ? engineUrl : `http://127.0.0.1:${mediaPort}`
  const settings = yield* benchSettings({
    ...providersAt(providers.url),
    dataDir,
    maxCalls: options.maxCalls,
    maxLatenessMs: options.maxLatenessMs ?? 10_000,
    redisUrl: Option.map(Option.fromUndefinedOr(redis), ({ url }) => Redacted.make(url)),
    databaseUrl: Option.some(options.outages === true ? yield* takenAway(databaseUrl, outages) : databaseUrl),
    port: appPort,
    ...(together ? { internal } : {}),
    publicBaseUrl: Option.some(baseUrl),
    mediaPort: Option.fromUndefinedOr(mediaPort),
    streamUrl: Option.some(`${mediaUrl.replace("http", "wss")}/media`),
    appBaseUrl: together ? Option.none() : Option.some(baseUrl),
    engineBaseUrl: together ? Option.none() : Option.some(engineUrl),
    ...options.settings
  })
  const stores = yield* Layer.build(storage(settings))
  const { engineCpu: cpu, log, without } = options
  const preload = without === undefined ? undefined : resolve(import.meta.dirname, "without", `${without}.ts`)
  // The app before the engine, so that it is there to the end for what the engine has to deliver.
  const app = yield* startService(
    settings,
    together ? { workers, sound, spare: spareEngine, cpu, log } : { role: "app", log }
  )
  const engine = together
    ? app
    : yield* startService(
        { ...settings, port: enginePort, internal, dataDir: join(dataDir, "engine") },
        { role: "engine", sound, spare: spareEngine, cpu, log, preload }
      )
  const organization = Effect.fnUntraced(function* (limit: number) {
    const organization = yield* createOrganization("This is an AI speaking.")
    yield* (yield* Organizations).setConcurrentCalls(organization.organizationId, limit)
    const agent = yield* createCalledAgent(baseUrl, organization, {
      ...agentSettings,
      ...(options.tools === true ? { tools: [crowdTool(providers.url)] } : {}),
      ...options.agent
    })
    return { ...organization, ...agent }
  })
  const many = Math.max(2, Math.ceil(options.calls / callsPerOrganization))
  const organizations = yield* Effect.forEach(Array.from({ length: many }), () => organization(10_000)).pipe(
    Effect.provide(stores)
  )
  const { spareLimit, history } = options
  if (history !== undefined)
    yield* Effect.promise(() => makeHistory(Redacted.value(databaseUrl), organizations, history))
  const spare = spareLimit === undefined ? undefined : yield* organization(spareLimit).pipe(Effect.provide(stores))
  const company = {
    clips,
    tally,
    stamps,
    interruptEvery: 6,
    check: true,
    talks: true,
    patienceMs: answerWithinMs,
    ...options.company
  }
  const crowd = yield* Effect.acquireRelease(
    Effect.sync(() => new Crowd(baseUrl, organizations, company)),
    (crowd) => Effect.sync(() => crowd.close())
  )
  const metricsUrl = Option.map(internal.port, (port) => `http://127.0.0.1:${port}/metrics`)
  const database = { usage: () => usageOfAll(databasePid), url: Redacted.value(databaseUrl) }
  return {
    ...{ crowd, company, organizations, tally, outages, engine, app, database },
    ...{ baseUrl, engineUrl, metricsUrl, spare, workers },
    /** The probe is in the process that carries the calls, and not in a parent of several. */
    probed: workers === 1 && sound === "inside"
  }
})
export type Stage = Effect.Success<ReturnType<typeof setStage>>
