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

const listen = (settings: Settings) => ({
  host: settings.host,
  port: settings.port,
  trustedProxies: settings.trustedProxies,
  ...(settings.worker === undefined ? {} : { shared: { ownPort: settings.worker.ownPort } })
})

const withMediaSocket = (settings: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const streams = yield* CallStreams
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      return UwsHttpServer.layer({
        ...listen(settings),
        register: (app) =>
          MediaSocket.register(app, streams, (effect) => {
            runFork(effect)
          })
      })
    })
  )

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
    ])
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

const engineServices = (settings: Settings) => engineRoutes({ secret: Redacted.value(settings.engineSecret) })

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

/** App and engine in one process. Also gives out the repositories, for the administration that starts with it. */
export const all = (settings: Settings, workers: Workers = undefined) =>
  serve(
    Layer.mergeAll(
      appServices(settings, ownEngineClient(settings)).pipe(Layer.provide(RememberedKeys.layer)),
      engineServices(settings)
    )
  ).pipe(
    Layer.provide(withMediaSocket(settings)),
    Layer.provide([appReadiness(workers), HttpServer.layerServices]),
    Layer.merge(appWorkers(settings)),
    Layer.provide(conversations(settings)),
    Layer.provideMerge(engine(settings, ownAppCallbacks(settings))),
    Layer.provide(OwnApp.layer),
    Layer.provideMerge(leaving),
    Layer.provide(channel(settings)),
    Layer.provide([media(settings), eventFeed(settings)]),
    Layer.provide([objectStorage(settings), speech(settings)]),
    Layer.provideMerge(storage(settings)),
    traced(settings)
  )

const app = (settings: Settings, workers: Workers) =>
  serve(appServices(settings, engineClient(settings)).pipe(Layer.provide(RememberedKeys.layer))).pipe(
    Layer.provide(UwsHttpServer.layer(listen(settings))),
    Layer.provide([appReadiness(workers), HttpServer.layerServices]),
    Layer.merge(appWorkers(settings)),
    Layer.provide(conversations(settings)),
    Layer.provideMerge(Layer.merge(leaving, RunningCalls.layerNone)),
    Layer.provide(channel(settings)),
    Layer.provide([media(settings), eventFeed(settings)]),
    Layer.provide([storage(settings), objectStorage(settings), speech(settings)]),
    traced(settings)
  )

const engineOnly = (settings: Settings, workers: Workers) =>
  serve(engineServices(settings)).pipe(
    Layer.provide(withMediaSocket(settings)),
    Layer.provide([engineReadiness(workers), HttpServer.layerServices]),
    Layer.provideMerge(engine(settings, appCallbacks(settings))),
    Layer.provideMerge(leaving),
    Layer.provide([objectStorage(settings), speech(settings)]),
    traced(settings)
  )

const serverOf = (settings: Settings, role: Role, workers: Workers): Layer.Layer<Leaving, unknown> => {
  switch (role) {
    case "all":
      return all(settings, workers)
    case "app":
      return app(settings, workers)
    case "engine":
      return engineOnly(settings, workers)
  }
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
      const services = yield* Layer.build(serverOf(settings, role, workers))
      yield* Effect.addFinalizer(() =>
        drain({ seconds: settings.drainSeconds, hurry }).pipe(Effect.provide(services), Effect.andThen(closing))
      )
    })
  )
