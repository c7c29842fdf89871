/** Composes the layers of a running Parley: the rooms, wired to each other by role. Settings in, one launchable layer out. */

import { Effect, Layer, Option, Redacted, References } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as WebhookWorker from "../actors/events/webhooks/WebhookWorker.ts"
import * as SlaSweep from "../actors/messaging/conversations/SlaSweep.ts"
import * as MediaSweep from "../actors/messaging/delivery/MediaSweep.ts"
import * as InboxWorker from "../actors/messaging/inbox/InboxWorker.ts"
import * as TemplateSync from "../actors/messaging/inbox/TemplateSync.ts"
import * as DailyRetention from "../actors/privacy/DailyRetention.ts"
import * as ExportWorker from "../actors/privacy/ExportWorker.ts"
import { CallStreams } from "../actors/voice/engine/CallStreams.ts"
import { drain } from "../actors/voice/engine/Drain.ts"
import { RunningCalls } from "../actors/voice/engine/RunningCalls.ts"
import * as VoicemailWorker from "../actors/voice/voicemail/VoicemailWorker.ts"
import type { Role, Settings } from "../config/Environment.ts"
import { Draining } from "../domain/basics/Draining.ts"
import { RingingCalls } from "../domain/voice/calls/outbound/RingingCalls.ts"
import type { EngineClient } from "../domain/voice/engine/EnginePorts.ts"
import { OwnApp } from "../domain/voice/engine/OwnApp.ts"
import * as MediaSocket from "../http/media-stream/MediaSocket.ts"
import { Readiness } from "../http/Readiness.ts"
import { appRoutes, engineRoutes, withSystem } from "../http/Routes.ts"
import * as UwsHttpServer from "../http/server/UwsHttpServer.ts"
import * as ZipArchives from "../integrations/archive/ZipArchives.ts"
import * as CloudApiLayers from "../integrations/channel/CloudApiLayers.ts"
import * as Cluster from "../integrations/cluster/Cluster.ts"
import * as AccessExpiry from "../integrations/postgres/access/AccessExpiry.ts"
import * as RememberedKeys from "../integrations/postgres/access/RememberedKeys.ts"
import * as Backlog from "../integrations/postgres/messaging/conversations/Backlog.ts"
import * as CommandExpiry from "../integrations/postgres/messaging/conversations/CommandExpiry.ts"
import * as ListCounts from "../integrations/postgres/tenancy/ListCounts.ts"
import * as Traces from "../integrations/telemetry/Traces.ts"
import * as TwilioLiveCalls from "../integrations/telephony/TwilioLiveCalls.ts"
import * as TwilioRecordings from "../integrations/telephony/TwilioRecordings.ts"
import * as HttpTools from "../integrations/tools/HttpTools.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { conversations, eventFeed, rateLimits } from "./Coordination.ts"
import { broadcasting, channel, cloudApi, delivery, push, webhookSender } from "./Messaging.ts"
import { media, objectStorage, storage } from "./Storage.ts"
import { outbound, provisioning } from "./Telephony.ts"
import { appCallbacks, engine, engineClient, ownAppCallbacks, ownEngineClient, speech } from "./Voice.ts"

type Workers = Readiness["Service"]["workers"]

/** What a process must know to come to a good end. */
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

/** Spans of everything below, when there is a collector for them; none are made without one. */
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
  ...(settings.worker === undefined ? {} : { shared: { ownPort: settings.worker.ownPort } })
})

/** Listens for requests, and for the media streams of calls. */
const listeningForCalls = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const streams = yield* CallStreams
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      return UwsHttpServer.layer({
        ...address(settings),
        register: (app) =>
          MediaSocket.register(app, streams, (effect) => {
            runFork(effect)
          })
      })
    })
  )

/** The interface of the app, which finds its engine through `client`. */
const appServices = <R>(settings: Settings, client: Layer.Layer<EngineClient, never, R>) => {
  const secret = Redacted.value(settings.engineSecret)
  return appRoutes({
    secret,
    publicBaseUrl: publicBaseUrl(settings),
    humans: settings.humans,
    requestsPerMinute: settings.requestsPerMinute,
    secureCookies: settings.environment === "production" || publicBaseUrl(settings).startsWith("https:")
  }).pipe(
    Layer.provide([
      client,
      HttpTools.layer({ allowPrivateNetwork: settings.allowPrivateTools }),
      webhookSender(settings),
      outbound(settings),
      TwilioLiveCalls.layer({ baseUrl: settings.twilioBaseUrl }),
      provisioning(settings),
      rateLimits(settings)
    ]),
    Layer.provide(RememberedKeys.layer)
  )
}

/** What the app does without being asked. */
const appWorkers = (settings: Settings) =>
  Layer.mergeAll(
    VoicemailWorker.layer.pipe(Layer.provide(TwilioRecordings.layer({ baseUrl: settings.twilioBaseUrl }))),
    DailyRetention.layer,
    WebhookWorker.layer().pipe(Layer.provide(webhookSender(settings))),
    push(settings),
    ExportWorker.layer.pipe(Layer.provide(ZipArchives.layer)),
    SlaSweep.layer,
    TemplateSync.layer,
    InboxWorker.layer(),
    delivery(settings),
    MediaSweep.layer,
    broadcasting(settings),
    AccessExpiry.layer,
    CommandExpiry.layer,
    ListCounts.layer,
    Backlog.layer
  )

/** The interface of the engine. */
const engineServices = (settings: Settings) => engineRoutes({ secret: Redacted.value(settings.engineSecret) })

/** Listens for requests. */
const listening = (settings: Settings) => UwsHttpServer.layer(address(settings))

const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.serve(withSystem(routes), { disableLogger: true, disableListenLog: true })

/** What the commands of `parley admin` work with. */
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

/** What an engine stands on. */
const engineGround = (settings: Settings) => Layer.merge(objectStorage(settings), speech(settings))

/** What the app stands on: what an engine does, the database below it, and over both what messages need. */
const appGround = (settings: Settings) =>
  channel(settings).pipe(
    Layer.provideMerge(Layer.merge(media(settings), eventFeed(settings))),
    Layer.provideMerge(engineGround(settings)),
    Layer.provideMerge(storage(settings))
  )

type Owners = Layer.Success<ReturnType<typeof conversations>>
type Calls = Layer.Success<ReturnType<typeof engine>>
type AppGround = Layer.Success<ReturnType<typeof appGround>>
type EngineGround = Layer.Success<ReturnType<typeof engineGround>>
type Http = HttpServer.HttpServer | Layer.Success<typeof HttpServer.layerServices>

/**
 * What a role is made of, from the top down: a part may need what those below it give, and is closed before them. `OwnersGiven`, `CallsGiven` and
 * `GroundGiven` are the services that three of them give in a role. A role without a part has `Layer.empty` there.
 */
interface Parts<OwnersGiven, CallsGiven, GroundGiven> {
  readonly routes: Layer.Layer<never, unknown, OwnersGiven | CallsGiven | GroundGiven | Leaving | Http | Readiness>
  readonly listener: Layer.Layer<HttpServer.HttpServer, unknown, CallsGiven | GroundGiven>
  readonly readiness: Layer.Layer<Readiness, unknown, OwnersGiven | CallsGiven | GroundGiven>
  /** What it does without being asked. Opened and closed together with the routes. */
  readonly workers: Layer.Layer<never, unknown, OwnersGiven | CallsGiven | GroundGiven>
  /** Who owns conversations. */
  readonly owners: Layer.Layer<OwnersGiven, unknown, CallsGiven | GroundGiven>
  /** The calls of this process, or that it has none. */
  readonly calls: Layer.Layer<CallsGiven | RunningCalls, unknown, GroundGiven | Draining | RingingCalls>
  /** Where things are kept, and who is asked. */
  readonly ground: Layer.Layer<GroundGiven, unknown>
}

/** The one order in which a process is opened, from the bottom up, and closed, from the top down. */
const compose = <OwnersGiven, CallsGiven, GroundGiven>(
  settings: Settings,
  parts: Parts<OwnersGiven, CallsGiven, GroundGiven>
) =>
  parts.routes.pipe(
    Layer.provide(parts.listener),
    Layer.provide([parts.readiness, HttpServer.layerServices]),
    Layer.merge(parts.workers),
    Layer.provide(parts.owners),
    Layer.provideMerge(parts.calls),
    Layer.provideMerge(leaving),
    Layer.provideMerge(parts.ground),
    traced(settings)
  )

/** App and engine in one process. Also gives out what they stand on, for the administration that starts with it. */
export const all = (settings: Settings, workers: Workers = undefined) =>
  compose<Owners, Calls, AppGround>(settings, {
    routes: serve(Layer.merge(appServices(settings, ownEngineClient(settings)), engineServices(settings))),
    listener: listeningForCalls(settings),
    readiness: appReadiness(workers),
    workers: appWorkers(settings),
    owners: conversations(settings),
    calls: engine(settings, ownAppCallbacks(settings)).pipe(Layer.provideMerge(OwnApp.layer)),
    ground: appGround(settings)
  })

const app = (settings: Settings, workers: Workers) =>
  compose<Owners, RunningCalls, AppGround>(settings, {
    routes: serve(appServices(settings, engineClient(settings))),
    listener: listening(settings),
    readiness: appReadiness(workers),
    workers: appWorkers(settings),
    owners: conversations(settings),
    calls: RunningCalls.layerNone,
    ground: appGround(settings)
  })

const engineOnly = (settings: Settings, workers: Workers) =>
  compose<never, Calls, EngineGround>(settings, {
    routes: serve(engineServices(settings)),
    listener: listeningForCalls(settings),
    readiness: engineReadiness(workers),
    workers: Layer.empty,
    owners: Layer.empty,
    calls: engine(settings, appCallbacks(settings)),
    ground: engineGround(settings)
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
  /** While it drains: somebody is in a hurry, so it drains no longer. */
  readonly hurry: Effect.Effect<boolean>
  /** Told when it has drained and closes. */
  readonly closing: Effect.Effect<void>
}

/** The server of a role, to be launched. When it is stopped it drains first, and then it closes. */
export const layer = ({ settings, role, workers, hurry, closing }: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const services = yield* Layer.build(roles[role](settings, workers))
      yield* Effect.addFinalizer(() =>
        drain({ seconds: settings.drainSeconds, hurry }).pipe(Effect.provide(services), Effect.andThen(closing))
      )
    })
  )
