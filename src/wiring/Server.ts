/** Composes the layers of a Parley server for each role. It takes the settings and gives one layer to launch. */

import { Effect, Layer, Option, Redacted, References } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as OutageWatch from "../actors/events/outages/OutageWatch.ts"
import { drain } from "../actors/voice/engine/Drain.ts"
import { RunningCalls } from "../actors/voice/engine/RunningCalls.ts"
import type { Role, Settings } from "../config/Environment.ts"
import { Draining } from "../domain/basics/Draining.ts"
import { RingingCalls } from "../domain/voice/calls/outbound/RingingCalls.ts"
import { OwnApp } from "../domain/voice/engine/OwnApp.ts"
import { AppApi, EngineApi } from "../http/groups/Api.ts"
import * as EngineStreams from "../http/media-stream/EngineStreams.ts"
import { registerListening } from "../http/media-stream/ListenSocket.ts"
import * as MediaSocket from "../http/media-stream/MediaSocket.ts"
import { Readiness } from "../http/Readiness.ts"
import { bodyLimits, engineRoutes, internalRoutes, serve } from "../http/Routes.ts"
import * as HttpServices from "../http/server/HttpServices.ts"
import * as UwsHttpServer from "../http/server/UwsHttpServer.ts"
import * as CloudApiLayers from "../integrations/channel/CloudApiLayers.ts"
import * as Cluster from "../integrations/cluster/Cluster.ts"
import * as Traces from "../integrations/telemetry/Traces.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { appServices, appWorkers, reporting } from "./AppRole.ts"
import { bus, conversations, eventFeed } from "./Coordination.ts"
import { channel, cloudApi } from "./Messaging.ts"
import { media, objectStorage, storage } from "./Storage.ts"
import { provisioning } from "./Telephony.ts"
import { textAgents } from "./TextAgents.ts"
import { vectors } from "./Tools.ts"
import { appCallbacks, engine, engineClient, ownAppCallbacks, ownEngineClient, speech } from "./Voice.ts"

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
