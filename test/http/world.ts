/** App and engine behind one real server on a free port, with stores in memory and a stand-in engine whose answers tests set. */
import { join } from "node:path"
import { Context, Effect, Layer, Option, type Scope, Stream } from "effect"
import { HttpServer } from "effect/http"
import { OpenApi } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { platformAccount } from "../../simulators/telephone/provider/Provider.ts"
import * as EventHub from "../../src/actors/events/EventHub.ts"
import { Moderation } from "../../src/domain/ai/providers/Moderation.ts"
import { Reasoning } from "../../src/domain/ai/providers/Reasoning.ts"
import { SpeechError, TextToSpeech } from "../../src/domain/ai/providers/Speech.ts"
import { type BuiltinTool, BuiltinTools } from "../../src/domain/ai/tools/BuiltinTools.ts"
import * as AppDeals from "../../src/domain/apps/incoming/AppDeals.ts"
import { Draining } from "../../src/domain/basics/Draining.ts"
import { ObjectStorage } from "../../src/domain/basics/ObjectStorage.ts"
import { InboxWakeUp } from "../../src/domain/messaging/channel/InboxWakeUp.ts"
import type { MessagingChannel } from "../../src/domain/messaging/channel/MessagingChannel.ts"
import { TurnRehearsal } from "../../src/domain/messaging/rehearsal/TurnRehearsal.ts"
import { McpPosts } from "../../src/domain/people/access/mcp/McpPosts.ts"
import { McpReplies } from "../../src/domain/people/access/mcp/McpReplies.ts"
import { McpSessions } from "../../src/domain/people/access/mcp/McpSessions.ts"
import { DoNotCall } from "../../src/domain/people/contacts/DoNotCall.ts"
import { Dialer } from "../../src/domain/voice/calls/outbound/Placement.ts"
import { OutboundPolicy, outboundDefaults } from "../../src/domain/voice/calls/outbound/RequestCall.ts"
import { RingingCalls } from "../../src/domain/voice/calls/outbound/RingingCalls.ts"
import type { AgentConfig } from "../../src/domain/voice/engine/AgentConfig.ts"
import type { CallSetup } from "../../src/domain/voice/engine/CallSetup.ts"
import { Engine } from "../../src/domain/voice/engine/EnginePorts.ts"
import { AgentRejected, AgentUnknown, EngineFull } from "../../src/domain/voice/engine/EngineRefusal.ts"
import { AppApi, EngineApi } from "../../src/http/groups/Api.ts"
import { Readiness } from "../../src/http/Readiness.ts"
import { type AppOptions, appRoutes, bodyLimits, engineRoutes, serve } from "../../src/http/Routes.ts"
import * as HttpServices from "../../src/http/server/HttpServices.ts"
import * as UwsHttpServer from "../../src/http/server/UwsHttpServer.ts"
import * as ZipArchives from "../../src/integrations/archive/ZipArchives.ts"
import * as CloudApiLayers from "../../src/integrations/channel/CloudApiLayers.ts"
import * as HttpEngineClient from "../../src/integrations/engine/HttpEngineClient.ts"
import * as StreamedRows from "../../src/integrations/imports/StreamedRows.ts"
import * as McpCredentials from "../../src/integrations/mcp/McpCredentials.ts"
import * as McpOAuthClient from "../../src/integrations/mcp/McpOAuthClient.ts"
import * as McpPool from "../../src/integrations/mcp/McpPool.ts"
import * as StoredMedia from "../../src/integrations/media/StoredMedia.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import * as LocalObjectStorage from "../../src/integrations/storage/LocalObjectStorage.ts"
import * as TwilioCalls from "../../src/integrations/telephony/TwilioCalls.ts"
import * as TwilioLiveCalls from "../../src/integrations/telephony/TwilioLiveCalls.ts"
import * as TwilioProvisioning from "../../src/integrations/telephony/TwilioProvisioning.ts"
import * as ToolHandlers from "../../src/integrations/tools/ToolHandlers.ts"
import * as HttpClientDocuments from "../../src/integrations/web/HttpClientDocuments.ts"
import * as HttpWebhooks from "../../src/integrations/webhooks/HttpWebhooks.ts"
import { judgeEvents } from "../contract/Events.ts"
import { type Contract, contractOf } from "../contract/OpenApi.ts"
import { front } from "../support/contractProxy.ts"
import { directCommands } from "../support/directCommands.ts"
import { temporaryFolder } from "../support/folder.ts"
import { judgedServer } from "../support/judgedServer.ts"
import { testApps } from "../support/testApps.ts"
import { noChannel } from "../support/unconnected.ts"
import { Memory } from "./memory.ts"

export const secret = "an engine secret of the tests"
export const publicBaseUrl = "https://app.example.test"

export class FakeEngine {
  readonly configs = new Map<string, AgentConfig>()
  readonly setups: Array<CallSetup> = []
  puts = 0
  /** How many agents the engine did not take. */
  refused = 0
  rejects: string | undefined
  full = false
  /** How long taking an agent takes. */
  delayMs = 0

  readonly layer = Layer.succeed(Engine, {
    putAgent: (config) =>
      Effect.suspend(() => {
        if (this.rejects !== undefined) {
          this.refused++
          return Effect.fail(new AgentRejected({ message: this.rejects }))
        }
        this.puts++
        this.configs.set(config.agentId, config)
        return Effect.sleep(this.delayMs)
      }),
    deleteAgent: (_organizationId, agentId) => Effect.sync(() => void this.configs.delete(agentId)),
    placeCall: (_organizationId, setup) =>
      Effect.suspend((): Effect.Effect<{ streamUrl: string; token: string }, AgentUnknown | EngineFull> => {
        if (setup.tested === undefined && this.configs.get(setup.agentId)?.version !== setup.agentVersion)
          return Effect.fail(new AgentUnknown({ agentId: setup.agentId }))
        if (this.full) return Effect.fail(new EngineFull({ reason: "process_full" }))
        this.setups.push(setup)
        return Effect.succeed({ streamUrl: "wss://engine.example.test/media", token: `token of ${setup.callId}` })
      }),
    liveCalls: Effect.succeed(0)
  })
}

export interface World {
  readonly memory: Memory
  readonly engine: FakeEngine
  readonly ringing: RingingCalls["Service"]
  readonly ready: { database: boolean }
  /** Text-to-speech of the app: its audio is the text itself. */
  readonly voice: { silent: boolean }
  readonly objects: ObjectStorage["Service"]
  /** Where the object storage keeps its files. */
  readonly objectsFolder: string
  /** The folder where uploads are gathered while they come. */
  readonly uploads: string
  readonly base: string
  /** The same server without the proxy of `npm run contract`, for tests of what it changes: bytes on the socket, encodings. */
  readonly direct: string
  /** What `/openapi.json` says of the routes. */
  readonly contract: Contract
  /** Requests `path`, from the root, with a key of the memory and JSON bodies. Rejects when the answer does not match `/openapi.json`. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    key?: string
  ) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>
}

/** Made once, since describing every route and compiling the schemas takes longer than most tests. */
const contract = contractOf(JSON.parse(JSON.stringify(OpenApi.fromApi(AppApi))))
const contractOfEngine = contractOf(JSON.parse(JSON.stringify(OpenApi.fromApi(EngineApi))))

const portOf = (address: HttpServer.HttpServer["Service"]["address"]): number => ("port" in address ? address.port : 0)

export interface WorldOptions {
  /** The engine's URL, instead of the engine here. */
  readonly engineUrl?: string
  /** Stores to use instead of the memory. */
  readonly stores?: Memory["layer"]
  /** The telephony provider's REST interface; nobody answers by default. */
  readonly telephonyUrl?: string
  readonly humans?: AppOptions["humans"]
  /** No limit by default. */
  readonly requestsPerMinute?: number
  /** None by default. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Outgoing webhooks to loopback and without TLS; they may by default. */
  readonly allowPrivateWebhooks?: boolean
  readonly trustedProxies?: ReadonlyArray<string>
  /** The public address is that of this server, so that programs can follow it. Default: `https://app.example.test`. */
  readonly isItsOwnAddress?: boolean
  /** None is connected by default. */
  readonly messagingUrl?: string
  readonly channel?: Layer.Layer<MessagingChannel>
  /** Webhooks to loopback, and providers that nobody simulates, by default. */
  readonly apps?: ReturnType<typeof testApps>
  /** How often a key may call the MCP server's tools that send. */
  readonly mcp?: AppOptions["mcp"]
  /** In this process by default. */
  readonly mcpState?: Layer.Layer<McpSessions | McpReplies | McpPosts>
  /** Counters in memory by default. */
  readonly rateLimits?: Layer.Layer<RateLimiter.RateLimiter>
  /** A model that says one sentence, and a filter that flags nothing, by default. */
  readonly models?: Layer.Layer<Reasoning | Moderation>
  /** None by default. */
  readonly builtinTools?: ReadonlyArray<BuiltinTool>
}

const oneSentence = Layer.merge(
  Layer.succeed(Reasoning, {
    stream: () => Stream.make({ _tag: "Text", text: "They spoke of a book." }, { _tag: "End", finishReason: "stop" })
  }),
  Layer.succeed(Moderation, { check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] }))) })
)

/** Runs until the scope ends. */
export const makeWorld = (options: WorldOptions = {}): Effect.Effect<World, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const memory = new Memory()
    const telephonyUrl = options.telephonyUrl ?? "http://127.0.0.1:9"
    const engine = new FakeEngine()
    const ready = { database: true }
    const voice = { silent: false }
    const folder = yield* temporaryFolder("world")
    const stores = yield* Layer.build(options.stores ?? memory.layer)
    const database = Context.getOption(stores, SqlClient.SqlClient)
    // After the test: the events that it wrote to the log match their description.
    if (Option.isSome(database))
      yield* Effect.addFinalizer(() =>
        judgeEvents(contract).pipe(Effect.provideService(SqlClient.SqlClient, database.value))
      )
    const objects = yield* ObjectStorage.pipe(Effect.provide(LocalObjectStorage.layer({ folder })))
    const uploads = join(folder, "uploads")
    const ringing = Context.get(yield* Layer.build(RingingCalls.layer), RingingCalls)
    const trustedProxies = options.trustedProxies ?? []
    const listening = yield* Layer.build(
      UwsHttpServer.layer({ port: 0, host: "127.0.0.1", drainMs: 100, trustedProxies, bodyLimit: bodyLimits })
    )
    const server = yield* judgedServer(Context.get(listening, HttpServer.HttpServer), [contract, contractOfEngine])
    const direct = `http://127.0.0.1:${portOf(server.address)}`
    const base = yield* front(direct)
    const { humans = {}, requestsPerMinute = 0 } = options
    const tools = ToolHandlers.layer({ allowPrivateNetwork: true }).pipe(
      Layer.provideMerge(BuiltinTools.layer(options.builtinTools ?? [])),
      Layer.provideMerge(McpPool.layer({ allowPrivateNetwork: true })),
      Layer.provide(McpCredentials.layer),
      Layer.provideMerge(McpOAuthClient.layer({ allowPrivateNetwork: true })),
      Layer.provide(Layer.succeedContext(stores))
    )
    const mcpOptions = { mcp: options.mcp ?? {}, corsOrigins: options.corsOrigins ?? [] }
    const routes = Layer.mergeAll(
      appRoutes({
        secret,
        publicBaseUrl: options.isItsOwnAddress === true ? direct : publicBaseUrl,
        humans,
        requestsPerMinute,
        secureCookies: true,
        ...mcpOptions
      }),
      engineRoutes({ secret })
    )
    yield* Layer.build(
      serve(routes, { apis: [AppApi, EngineApi], corsOrigins: options.corsOrigins ?? [] }).pipe(
        Layer.provide(Layer.succeed(HttpServer.HttpServer, server)),
        Layer.provide([directCommands, StoredMedia.layer({ folder: uploads }), StreamedRows.layer, ZipArchives.layer]),
        Layer.provide([
          Layer.provideMerge(EventHub.layer(), Layer.succeedContext(stores)),
          memory.speechCache,
          Layer.succeed(TextToSpeech, {
            synthesize: ({ text }) =>
              Stream.suspend(() =>
                voice.silent
                  ? Stream.fail(new SpeechError({ provider: "test", reason: "unavailable", message: "no voice" }))
                  : Stream.make(new TextEncoder().encode(text))
              ),
            validate: () => Effect.void
          }),
          options.models ?? oneSentence,
          engine.layer,
          HttpEngineClient.layer({ baseUrl: options.engineUrl ?? base, secret, placeTimeoutMs: 500 }),
          tools,
          TurnRehearsal.layer.pipe(
            Layer.provide([tools, options.models ?? oneSentence]),
            Layer.provide(Layer.succeedContext(stores))
          ),
          HttpClientDocuments.layer({ allowPrivateNetwork: true }),
          options.apps ?? testApps(),
          HttpWebhooks.layer({ allowPrivateNetwork: options.allowPrivateWebhooks ?? true }),
          TwilioLiveCalls.layer({ baseUrl: telephonyUrl }),
          TwilioProvisioning.layer({
            baseUrl: telephonyUrl,
            platform: platformAccount,
            voiceUrl: `${publicBaseUrl}/api/webhooks/telephony/voice`,
            statusCallbackUrl: `${publicBaseUrl}/api/webhooks/telephony/status`,
            sipHost: "sip.twilio.com"
          }),
          options.rateLimits ?? RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)),
          TwilioCalls.layer({ baseUrl: telephonyUrl }),
          Layer.succeed(Dialer, { wake: Effect.sync(() => void memory.woken++) }),
          Layer.succeed(OutboundPolicy, { ...outboundDefaults, webhooks: `${publicBaseUrl}/api/webhooks/telephony` }),
          AppDeals.layer.pipe(
            Layer.provide([
              options.apps ?? testApps(),
              options.rateLimits ?? RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)),
              Layer.succeedContext(stores)
            ])
          ),
          options.mcpState ?? Layer.mergeAll(McpSessions.layerAlone, McpReplies.layerAlone(), McpPosts.layerAlone),
          DoNotCall.layerNone,
          InboxWakeUp.layer,
          CloudApiLayers.layerSetup({ baseUrl: options.messagingUrl ?? "http://127.0.0.1:9", version: "v23.0" }),
          options.channel ?? noChannel,
          Layer.succeed(ObjectStorage, objects),
          Layer.merge(Draining.layer, Layer.succeed(RingingCalls, ringing)),
          Layer.succeed(Readiness, { check: Effect.sync(() => ({ ...ready })), workers: undefined }),
          HttpServices.layer
        ])
      )
    )
    const call: World["call"] = async (method, path, body, key = "mk_1") => {
      const response = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      const answer: unknown = text === "" ? undefined : JSON.parse(text)
      contract.check(method, path, response.status, answer)
      return { status: response.status, body: (answer ?? {}) as Record<string, unknown>, headers: response.headers }
    }
    return {
      memory,
      engine,
      ringing,
      ready,
      voice,
      objects,
      objectsFolder: folder,
      uploads,
      base,
      direct,
      contract,
      call
    }
  })
