/** Composes the layers of a Parley server for each role. It takes the settings and gives one layer to launch. */

import { hostname } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, Layer, Option, Redacted, References, Schedule } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as CartTimer from "../actors/apps/CartTimer.ts"
import * as OutageWatch from "../actors/events/outages/OutageWatch.ts"
import * as WebhookWorker from "../actors/events/webhooks/WebhookWorker.ts"
import * as ImportWorker from "../actors/imports/ImportWorker.ts"
import * as SlaSweep from "../actors/messaging/conversations/SlaSweep.ts"
import * as TurnSweep from "../actors/messaging/conversations/TurnSweep.ts"
import * as MediaSweep from "../actors/messaging/delivery/MediaSweep.ts"
import * as InboxWorker from "../actors/messaging/inbox/InboxWorker.ts"
import * as TemplateSync from "../actors/messaging/inbox/TemplateSync.ts"
import * as NodeReporter from "../actors/operators/NodeReporter.ts"
import * as ResyncWorker from "../actors/operators/ResyncWorker.ts"
import * as DailyRetention from "../actors/privacy/DailyRetention.ts"
import * as ExportWorker from "../actors/privacy/ExportWorker.ts"
import * as AllowanceWatch from "../actors/voice/allowance/AllowanceWatch.ts"
import { drain } from "../actors/voice/engine/Drain.ts"
import { RunningCalls } from "../actors/voice/engine/RunningCalls.ts"
import * as SummaryWorker from "../actors/voice/summaries/SummaryWorker.ts"
import * as VoicemailWorker from "../actors/voice/voicemail/VoicemailWorker.ts"
import type { Role, Settings } from "../config/Environment.ts"
import { Draining } from "../domain/basics/Draining.ts"
import { Organizations } from "../domain/people/organizations/Organization.ts"
import { setUpToken } from "../domain/people/organizations/SetUp.ts"
import { RingingCalls } from "../domain/voice/calls/outbound/RingingCalls.ts"
import type { EngineClient } from "../domain/voice/engine/EnginePorts.ts"
import { OwnApp } from "../domain/voice/engine/OwnApp.ts"
import { AppApi, EngineApi } from "../http/groups/Api.ts"
import * as EngineStreams from "../http/media-stream/EngineStreams.ts"
import { registerListening } from "../http/media-stream/ListenSocket.ts"
import * as MediaSocket from "../http/media-stream/MediaSocket.ts"
import { Readiness } from "../http/Readiness.ts"
import { appRoutes, bodyLimits, engineRoutes, internalRoutes, serve } from "../http/Routes.ts"
import * as HttpServices from "../http/server/HttpServices.ts"
import * as UwsHttpServer from "../http/server/UwsHttpServer.ts"
import * as ZipArchives from "../integrations/archive/ZipArchives.ts"
import * as CloudApiLayers from "../integrations/channel/CloudApiLayers.ts"
import * as Cluster from "../integrations/cluster/Cluster.ts"
import * as StreamedRows from "../integrations/imports/StreamedRows.ts"
import * as AccessExpiry from "../integrations/postgres/access/AccessExpiry.ts"
import * as DeviceTokens from "../integrations/postgres/access/DeviceTokens.ts"
import * as RememberedKeys from "../integrations/postgres/access/RememberedKeys.ts"
import * as Backlog from "../integrations/postgres/messaging/conversations/Backlog.ts"
import * as CommandExpiry from "../integrations/postgres/messaging/conversations/CommandExpiry.ts"
import * as ListCounts from "../integrations/postgres/tenancy/ListCounts.ts"
import * as Traces from "../integrations/telemetry/Traces.ts"
import * as TwilioLiveCalls from "../integrations/telephony/TwilioLiveCalls.ts"
import * as TwilioRecordings from "../integrations/telephony/TwilioRecordings.ts"
import * as HttpClientDocuments from "../integrations/web/HttpClientDocuments.ts"
import { listenUrl, publicBaseUrl, streamUrl } from "./Addresses.ts"
import { apps, payments, syncing } from "./Apps.ts"
import { bus, conversations, eventFeed, mcpState, rateLimits } from "./Coordination.ts"
import { broadcasting, channel, cloudApi, delivery, push, webhookSender } from "./Messaging.ts"
import { keyRing, media, objectStorage, storage } from "./Storage.ts"
import { outbound, provisioning } from "./Telephony.ts"
import { evaluations, rehearsals, summing, textAgents } from "./TextAgents.ts"
import { knowledge, toolsOfCalls, vectors } from "./Tools.ts"
import { appCallbacks, engine, engineClient, ownAppCallbacks, ownEngineClient, speech, voiceNotes } from "./Voice.ts"

type Workers = Readiness["Service"]["workers"]

/** The services that draining needs, besides `RunningCalls`. */
const leaving = Layer.merge(Draining.layer, RingingCalls.layer)
type Leaving = Draining | RingingCalls | RunningCalls

const databaseAnswers = Effect.map(SqlClient.SqlClient, (sql) =>
  sql`SELECT 1`.pipe(
    Effect.as(true),
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed(false))
  )
)

const appReadiness = (workers: Workers) =>
  Layer.effect(
    Readiness,
    Effect.gen(function* () {
      const database = yield* databaseAnswers
      const { holds: conversations } = yield* Cluster.Membership
      return { check: Effect.all({ database, conversations }), workers }
    })
  )

const engineReadiness = (workers: Workers) =>
  Layer.succeed(Readiness, { check: Effect.succeed({ engine: true }), workers })

/** Records spans of the layer and exports them to the collector. Without a collector no spans are made. */
const traced =
  (settings: Settings) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>) =>
    Option.match(settings.traces.endpoint, {
      onNone: () => Layer.provide(layer, Layer.succeed(References.TracerEnabled, false)),
      onSome: (endpoint) => Layer.provide(layer, Traces.layer({ ...settings.traces, endpoint }))
    })

const address = (settings: Settings) => ({
  host: settings.host,
  port: settings.port,
  trustedProxies: settings.trustedProxies,
  overTls: publicBaseUrl(settings).startsWith("https:"),
  bodyLimit: bodyLimits,
  ...(settings.worker === undefined ? {} : { shared: { ownPort: settings.worker.ownPort } })
})

/** Listens for requests, and for the media streams of calls. */
const listeningForCalls = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const host = yield* EngineStreams.make(Redacted.value(settings.engineSecret))
      return UwsHttpServer.layer({
        ...address(settings),
        register: (app, refuseUpgrade) => {
          MediaSocket.register(app, refuseUpgrade, host)
          registerListening(app, refuseUpgrade, host.listening, host.warn)
        }
      })
    })
  )

/** Where `npm run build:web` writes the dashboard. */
const dashboardFolder = fileURLToPath(new URL("../../web/dist", import.meta.url))

/** The HTTP routes of the app with what they need. The app reaches its engine through `client`. */
const appServices = <R>(settings: Settings, client: Layer.Layer<EngineClient, never, R>) => {
  const secret = Redacted.value(settings.engineSecret)
  return appRoutes({
    secret,
    publicBaseUrl: publicBaseUrl(settings),
    humans: settings.humans,
    requestsPerMinute: settings.requestsPerMinute,
    mcp: settings.mcp,
    corsOrigins: settings.corsOrigins,
    dashboard: dashboardFolder,
    streamUrl: streamUrl(settings),
    listenUrl: listenUrl(settings),
    secureCookies: settings.environment === "production" || publicBaseUrl(settings).startsWith("https:")
  }).pipe(
    Layer.provide([
      client,
      toolsOfCalls(settings),
      HttpClientDocuments.layer({ allowPrivateNetwork: settings.allowPrivateTools }),
      webhookSender(settings),
      apps(settings),
      outbound(settings),
      TwilioLiveCalls.layer({ baseUrl: settings.twilioBaseUrl }),
      provisioning(settings),
      summing(settings),
      ZipArchives.layer,
      rehearsals(settings),
      rateLimits(settings),
      mcpState(settings)
    ]),
    Layer.provide(Layer.merge(RememberedKeys.layer, StreamedRows.layer))
  )
}

/**
 * While there is no organization, whoever reads the log can make the first one. Of several workers one says so. The service starts without waiting for
 * it: a database that is late at the start must not end the process.
 */
const tellSetUp = (settings: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      if (settings.worker !== undefined && settings.worker.id !== 1) return
      const { idsAfter } = yield* Organizations
      const told = Effect.gen(function* () {
        if ((yield* idsAfter("", 1)).length > 0) return
        const token = setUpToken(Redacted.value(settings.engineSecret))
        yield* Effect.logInfo(
          `There is no organization yet. Make the first one at ${publicBaseUrl(settings)}/setup#${token}`
        )
      })
      yield* told.pipe(
        Effect.sandbox,
        Effect.retry({ schedule: Schedule.spaced("2 seconds"), times: 30 }),
        Effect.catch((cause) => Effect.logWarning("Whether there is an organization is not known", cause)),
        Effect.forkScoped
      )
    })
  )

/** This process tells the others of itself. */
const reporting = (role: Role) => NodeReporter.layer({ role, host: hostname(), pid: process.pid })

/** The background work of the app. */
const appWorkers = <R>(settings: Settings, role: Role, client: Layer.Layer<EngineClient, never, R>) =>
  Layer.mergeAll(
    NodeReporter.layerListening(),
    reporting(role),
    ResyncWorker.layer().pipe(Layer.provide(client)),
    VoicemailWorker.layer.pipe(Layer.provide(TwilioRecordings.layer({ baseUrl: settings.twilioBaseUrl }))),
    SummaryWorker.layer.pipe(Layer.provide(summing(settings))),
    DailyRetention.layer,
    WebhookWorker.layer().pipe(Layer.provide(webhookSender(settings))),
    syncing(settings),
    payments(settings),
    push(settings),
    knowledge(settings),
    ExportWorker.layer.pipe(Layer.provide(ZipArchives.layer)),
    ImportWorker.layer,
    CartTimer.layer().pipe(Layer.provide(rateLimits(settings))),
    OutageWatch.layer(),
    AllowanceWatch.layer(),
    SlaSweep.layer,
    TurnSweep.layer,
    evaluations(settings),
    TemplateSync.layer,
    InboxWorker.layer().pipe(Layer.provide(voiceNotes(settings))),
    delivery(settings),
    MediaSweep.layer,
    broadcasting(settings),
    AccessExpiry.layer,
    DeviceTokens.layer.pipe(Layer.provide(keyRing(settings))),
    CommandExpiry.layer,
    ListCounts.layer,
    Backlog.layer,
    tellSetUp(settings)
  )

/** The HTTP routes of the engine. */
const engineServices = (settings: Settings) => engineRoutes({ secret: Redacted.value(settings.engineSecret) })

/** Listens for requests. */
const listening = (settings: Settings) => UwsHttpServer.layer(address(settings))

/** The listener for operators, on a port of its own; none without INTERNAL_PORT. */
const internal = ({ internal: { host, port } }: Settings) =>
  Option.match(port, {
    onNone: () => Layer.empty,
    onSome: (port) => serve(internalRoutes).pipe(Layer.provide(UwsHttpServer.layer({ host, port })))
  })

/** The services of the commands of `parley admin`. */
export const administration = (settings: Settings) =>
  Layer.provideMerge(
    media(settings),
    Layer.mergeAll(
      storage(settings),
      objectStorage(settings),
      provisioning(settings),
      engineClient(settings),
      CloudApiLayers.layerSetup(cloudApi(settings))
    )
  )

/** The services below the engine. */
const engineBase = (settings: Settings) => Layer.merge(objectStorage(settings), speech(settings))

/** The services below the app: the database, then those of an engine, then files, the event feed and the messaging channel. */
const appBase = (settings: Settings) =>
  channel(settings).pipe(
    Layer.provideMerge(Layer.merge(media(settings), eventFeed(settings))),
    Layer.provideMerge(engineBase(settings)),
    Layer.provideMerge(vectors(settings)),
    Layer.provideMerge(storage(settings))
  )

/** The actors of conversations, with the text agents that answer in them. */
const owners = (settings: Settings) => conversations(settings).pipe(Layer.provide(textAgents(settings)))

type Owners = Layer.Success<ReturnType<typeof owners>>
type Calls = Layer.Success<ReturnType<typeof engine>>
type AppBase = Layer.Success<ReturnType<typeof appBase>>
type EngineBase = Layer.Success<ReturnType<typeof engineBase>>
type Http = HttpServer.HttpServer | Layer.Success<typeof HttpServices.layer>

/**
 * The parts of a role, from the top down. A part may need the services of the parts below it, and closes before them. `FromOwners`,
 * `FromCalls` and `FromBase` are the services that `owners`, `calls` and `base` provide in the role. A role without a part has
 * `Layer.empty` there.
 */
interface Parts<FromOwners, FromCalls, FromBase> {
  readonly routes: Layer.Layer<never, unknown, FromOwners | FromCalls | FromBase | Leaving | Http | Readiness>
  readonly listener: Layer.Layer<HttpServer.HttpServer, unknown, FromCalls | FromBase>
  readonly readiness: Layer.Layer<Readiness, unknown, FromOwners | FromCalls | FromBase>
  /** Background work. Opens and closes together with the routes. */
  readonly workers: Layer.Layer<never, unknown, FromOwners | FromCalls | FromBase | Leaving>
  /** The actors that own conversations. */
  readonly owners: Layer.Layer<FromOwners, unknown, FromCalls | FromBase>
  /** The engine and its running calls; `RunningCalls.layerNone` in a process without calls. */
  readonly calls: Layer.Layer<FromCalls | RunningCalls, unknown, FromBase | Draining | RingingCalls>
  /** Storage and providers. */
  readonly base: Layer.Layer<FromBase, unknown>
}

/** Joins the parts in the one order that all roles share: they open from the bottom up and close from the top down. */
const compose = <FromOwners, FromCalls, FromBase>(settings: Settings, parts: Parts<FromOwners, FromCalls, FromBase>) =>
  parts.routes.pipe(
    Layer.provide(parts.listener),
    Layer.merge(internal(settings)),
    Layer.provide([parts.readiness, HttpServices.layer]),
    Layer.merge(parts.workers),
    Layer.provide(parts.owners),
    Layer.provideMerge(parts.calls),
    Layer.provideMerge(leaving),
    Layer.provideMerge(parts.base),
    traced(settings)
  )

/** App and engine in one process. It also provides the services below them, for code that runs beside the server, such as the demo. */
export const all = (settings: Settings, workers: Workers = undefined) =>
  compose<Owners, Calls, AppBase>(settings, {
    routes: serve(Layer.merge(appServices(settings, ownEngineClient(settings)), engineServices(settings)), {
      apis: [AppApi, EngineApi],
      corsOrigins: settings.corsOrigins
    }),
    listener: listeningForCalls(settings),
    readiness: appReadiness(workers),
    workers: appWorkers(settings, "all", ownEngineClient(settings)),
    owners: owners(settings),
    calls: engine(settings, ownAppCallbacks(settings)).pipe(Layer.provideMerge(OwnApp.layer)),
    base: appBase(settings)
  })

const app = (settings: Settings, workers: Workers) =>
  compose<Owners, RunningCalls, AppBase>(settings, {
    routes: serve(appServices(settings, engineClient(settings)), { apis: [AppApi], corsOrigins: settings.corsOrigins }),
    listener: listening(settings),
    readiness: appReadiness(workers),
    workers: appWorkers(settings, "app", engineClient(settings)),
    owners: owners(settings),
    calls: RunningCalls.layerNone,
    base: appBase(settings)
  })

const engineOnly = (settings: Settings, workers: Workers) =>
  compose<never, Calls, EngineBase>(settings, {
    routes: serve(engineServices(settings), { apis: [EngineApi] }),
    listener: listeningForCalls(settings),
    readiness: engineReadiness(workers),
    workers: Layer.merge(OutageWatch.layerTelling(), reporting("engine")),
    owners: Layer.empty,
    calls: engine(settings, appCallbacks(settings)).pipe(Layer.merge(bus(settings))),
    base: engineBase(settings)
  })

const roles: Record<Role, (settings: Settings, workers: Workers) => Layer.Layer<Leaving, unknown>> = {
  all,
  app,
  engine: engineOnly
}

export interface ServerOptions {
  readonly settings: Settings
  readonly role: Role
  readonly workers: Workers
  /** Asked while the server drains: true ends draining at once. */
  readonly hurry: Effect.Effect<boolean>
  /** Runs after draining, before the server closes. */
  readonly closing: Effect.Effect<void>
}

/** The server of a role, to be launched. When it is stopped, it drains first and then closes. */
export const layer = ({ settings, role, workers, hurry, closing }: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const services = yield* Layer.build(roles[role](settings, workers))
      yield* Effect.addFinalizer(() =>
        drain({ seconds: settings.drainSeconds, hurry }).pipe(Effect.provide(services), Effect.andThen(closing))
      )
    })
  )
