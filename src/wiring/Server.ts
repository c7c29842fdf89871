/** Composes the layers of a Parley server for each role. It takes the settings and gives one layer to launch. */

import { Context, Effect, Layer, Option, Redacted, References } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as OutageWatch from "../actors/events/outages/OutageWatch.ts"
import { drain } from "../actors/voice/engine/Drain.ts"
import { keptCallsOnly, streamsHaveCome } from "../actors/voice/engine/Leaving.ts"
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
import { bodyLimits, engineRoutes, internalRoutes, madeAnswers, serve } from "../http/Routes.ts"
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
import type { Place } from "./Succession.ts"
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

/** How this process is with others at its port. */
interface Beside {
  readonly workers: Workers
  /** Absent: no other process ever takes its place. */
  readonly place?: Place | undefined
}

/** The port, when it was opened before the rest of the service. */
class EarlyPort extends Context.Service<EarlyPort, { readonly opened: UwsHttpServer.OpenPort | undefined }>()(
  "parley/wiring/EarlyPort"
) {}

const address = (settings: Settings, { place }: Beside) => ({
  host: settings.host,
  port: settings.port,
  trustedProxies: settings.trustedProxies,
  overTls: publicBaseUrl(settings).startsWith("https:"),
  bodyLimit: bodyLimits,
  ...(place === undefined ? {} : { shared: {}, waiting: {}, closesConnections: place.closesConnections }),
  ...(settings.worker === undefined ? {} : { shared: { ownPort: settings.worker.ownPort } })
})

/** The process takes its place here, and has left it when this layer closes. */
const placed = (settings: Settings, beside: Beside) => {
  const { place } = beside
  if (place === undefined) return Layer.succeed(EarlyPort, { opened: undefined })
  return Layer.effect(
    EarlyPort,
    Effect.gen(function* () {
      yield* Effect.addFinalizer(() => place.given)
      if (place.isTaken) yield* madeAnswers
      return { opened: yield* place.take(UwsHttpServer.open(address(settings, beside))) }
    })
  )
}

/** Listens for requests, and for the media streams of calls. */
const listeningForCalls = (settings: Settings, beside: Beside) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const host = yield* EngineStreams.make(Redacted.value(settings.engineSecret))
      const { opened } = yield* EarlyPort
      return UwsHttpServer.layer(
        {
          ...address(settings, beside),
          register: (app, refuseUpgrade) => {
            MediaSocket.register(app, refuseUpgrade, host)
            registerListening(app, refuseUpgrade, host.listening, host.warn)
          }
        },
        opened
      )
    })
  )

/** The HTTP routes of the engine. */
const engineServices = (settings: Settings) => engineRoutes({ secret: Redacted.value(settings.engineSecret) })

/** Listens for requests. */
const listening = (settings: Settings, beside: Beside) =>
  Layer.unwrap(Effect.map(EarlyPort, ({ opened }) => UwsHttpServer.layer(address(settings, beside), opened)))

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
  readonly listener: Layer.Layer<HttpServer.HttpServer, unknown, FromCalls | FromBase | EarlyPort>
  readonly readiness: Layer.Layer<Readiness, unknown, FromOwners | FromCalls | FromBase>
  /** Background work. Opens and closes together with the routes. */
  readonly workers: Layer.Layer<never, unknown, FromOwners | FromCalls | FromBase | Leaving>
  /** The actors that own conversations. */
  readonly owners: Layer.Layer<FromOwners, unknown, FromCalls | FromBase>
  /** The engine and its running calls; `RunningCalls.layerNone` in a process without calls. */
  readonly calls: Layer.Layer<FromCalls | RunningCalls, unknown, FromBase | Draining | RingingCalls>
  /** Storage and providers. */
  readonly base: Layer.Layer<FromBase, unknown>
  /** The base is for this process alone: it begins when the process before it has given its own up. */
  readonly baseAlone: boolean
}

/** Joins the parts in the one order that all roles share: they open from the bottom up and close from the top down. */
const compose = <FromOwners, FromCalls, FromBase>(
  settings: Settings,
  beside: Beside,
  parts: Parts<FromOwners, FromCalls, FromBase>
) => {
  const above = parts.routes.pipe(
    Layer.provide(parts.listener),
    Layer.merge(internal(settings)),
    Layer.provide([parts.readiness, HttpServices.layer]),
    Layer.merge(parts.workers),
    Layer.provide(parts.owners),
    Layer.provideMerge(parts.calls),
    Layer.provideMerge(leaving)
  )
  const place = placed(settings, beside)
  return parts.baseAlone
    ? above.pipe(Layer.provideMerge(parts.base), Layer.provide(place), traced(settings))
    : above.pipe(Layer.provide(place), Layer.provideMerge(parts.base), traced(settings))
}

/** App and engine in one process. It also provides the services below them, for code that runs beside the server, such as the demo. */
export const all = (settings: Settings, beside: Beside = { workers: undefined }) =>
  compose<Owners, Calls, AppBase>(settings, beside, {
    routes: serve(Layer.merge(appServices(settings, ownEngineClient(settings)), engineServices(settings)), {
      apis: [AppApi, EngineApi],
      corsOrigins: settings.corsOrigins
    }),
    listener: listeningForCalls(settings, beside),
    readiness: appReadiness(beside.workers),
    workers: appWorkers(settings, "all", ownEngineClient(settings)),
    owners: owners(settings),
    calls: engine(settings, ownAppCallbacks(settings)).pipe(Layer.provideMerge(OwnApp.layer)),
    base: appBase(settings),
    baseAlone: Option.isNone(settings.databaseUrl)
  })

const app = (settings: Settings, beside: Beside) =>
  compose<Owners, RunningCalls, AppBase>(settings, beside, {
    routes: serve(appServices(settings, engineClient(settings)), { apis: [AppApi], corsOrigins: settings.corsOrigins }),
    listener: listening(settings, beside),
    readiness: appReadiness(beside.workers),
    workers: appWorkers(settings, "app", engineClient(settings)),
    owners: owners(settings),
    calls: RunningCalls.layerNone,
    base: appBase(settings),
    baseAlone: Option.isNone(settings.databaseUrl)
  })

const engineOnly = (settings: Settings, beside: Beside) =>
  compose<never, Calls, EngineBase>(settings, beside, {
    routes: serve(engineServices(settings), { apis: [EngineApi] }),
    listener: listeningForCalls(settings, beside),
    readiness: engineReadiness(beside.workers),
    workers: Layer.merge(OutageWatch.layerTelling(), reporting("engine")),
    owners: Layer.empty,
    calls: engine(settings, appCallbacks(settings)).pipe(Layer.merge(bus(settings))),
    base: engineBase(settings),
    baseAlone: false
  })

const roles: Record<Role, (settings: Settings, beside: Beside) => Layer.Layer<Leaving, unknown>> = {
  all,
  app,
  engine: engineOnly
}

export interface ServerOptions extends Beside {
  readonly settings: Settings
  readonly role: Role
  /** Asked while the server drains: true ends draining at once. */
  readonly hurry: Effect.Effect<boolean>
  /** Runs after draining, before the server closes. */
  readonly closing: Effect.Effect<void>
}

/** The server of a role, to be launched. When it is stopped, it drains first and then closes. */
export const layer = ({ settings, role, hurry, closing, ...beside }: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const services = yield* Layer.build(roles[role](settings, beside))
      const limits = { seconds: settings.drainSeconds, hurry }
      const drained = drain(limits).pipe(Effect.provide(services))
      let isLeft = false
      const noteLeft = Effect.sync(() => {
        isLeft = true
      })
      yield* Effect.addFinalizer(() => Effect.andThen(isLeft ? Effect.void : drained, closing))
      const { place } = beside
      if (place === undefined) return
      const { leave } = Context.get(services, RunningCalls)
      const { stateNow } = Context.get(services, Draining)
      const ends = Effect.andThen(noteLeft, place.end)
      const leaves = Effect.flatMap(place.asked, (calls) => (calls === "end" ? drained : keptCallsOnly(limits))).pipe(
        Effect.andThen(place.sendAway),
        Effect.andThen(streamsHaveCome(limits)),
        Effect.andThen(place.leaves),
        Effect.andThen(leave),
        Effect.andThen(ends)
      )
      // One that has begun to drain cannot go on: it ends, and the supervisor starts another.
      const goesOn = Effect.suspend(() => (stateNow() === "ending" ? Effect.andThen(drained, ends) : Effect.void))
      const told = Effect.raceFirst(Effect.as(leaves, Effect.void), Effect.as(place.stays, goesOn))
      yield* Effect.forkScoped(Effect.provide(Effect.forever(Effect.flatten(told)), services))
    })
  )
