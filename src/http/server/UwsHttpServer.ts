/**
 * Effect's `HttpServer` on uWebSockets.js. It listens while its layer lives. When the layer closes, the server takes no new connections, gives
 * running requests `drainMs` to finish, interrupts the rest and closes every socket. A client that disconnects interrupts its handler, unless the
 * handler changes something (`UwsRequest.goOn`).
 */

// The first import: it sets what the library reads while it is being loaded.
import "./HeaderLimit.ts"
import * as Uws from "uWebSockets.js"
import { Context, Deferred, Effect, Layer, Option, Result, Schema, type Scope } from "effect"
import { HttpEffect, HttpServer, HttpServerError, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { newId } from "../../domain/basics/Ids.ts"
import { makeClientAddress } from "./ClientAddress.ts"
import { HeldBodies, type HeldBodiesLimits } from "./HeldBodies.ts"
import { framingProblem, readHead } from "./RequestHead.ts"
import { servicesOfRequests } from "./RequestServices.ts"
import { RunningRequests } from "./RunningRequests.ts"
import type { SecurityHeadersOptions } from "./SecurityHeaders.ts"
import { ServerClosing } from "./ServerClosing.ts"
import { announcesBody, UwsBody } from "./UwsBody.ts"
import { openExchange, refuse, type UwsExchange } from "./UwsExchange.ts"
import { UwsRequest } from "./UwsRequest.ts"
import { send } from "./UwsResponse.ts"
import { WaitingRequests, type WaitingRequestsLimits, waitingDefaults } from "./WaitingRequests.ts"

export interface UwsHttpServerOptions {
  /** 0 means any free port; `HttpServer.address` then has the port. */
  readonly port: number
  /** The address to listen on. Default: every IPv4 interface. */
  readonly host?: string
  /**
   * Several processes listen on the port, and the kernel distributes new connections among them (SO_REUSEPORT). `ownPort` on loopback reaches only
   * this process. Without `shared` only this process listens on the port.
   */
  readonly shared?: { readonly ownPort?: number }
  /** The largest body that a route takes, in bytes. Default: 256 KB for every route. */
  readonly bodyLimit?: (method: string, url: string) => number
  /** What bodies may hold in memory. Over it the answer is 429. Defaults: `heldDefaults`. */
  readonly maxHeld?: Partial<HeldBodiesLimits>
  /** How many milliseconds a handler waits for a body of 256 KB; a second more for each 64 KB beyond. Then the answer is 400. Default 30,000. */
  readonly bodyPatienceMs?: number
  /** Addresses and networks of trusted proxies, whose `X-Forwarded-For` is used. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** How many milliseconds running requests may continue once the layer closes. Default 5,000. */
  readonly drainMs?: number
  /** What may wait at the port while there is no server yet. By default nothing waits: the answer is 500. */
  readonly waiting?: Partial<WaitingRequestsLimits>
  /** While it gives true, each answer closes its connection: clients come again over another one. */
  readonly closesConnections?: () => boolean
  /** Registers WebSocket routes beside the HTTP routes, before the first request is served. `refuseUpgrade` answers with an error instead of an upgrade. */
  readonly register?: (app: Uws.TemplatedApp, refuseUpgrade: RefuseUpgrade) => void
  /** Whether users reach the service by `https:`, and browsers are to use nothing else. Default: no. */
  readonly overTls?: boolean
}

export type RefuseUpgrade = (res: Uws.HttpResponse, status: number, sentence: string) => void

/** The port is in use, or the address is not one of this machine: the library does not tell which. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", { message: Schema.String }) {}

/** The published types lack this. "silent" leaves out the header that names the library and its version. */
const { _cfg: configure } = Uws as typeof Uws & { readonly _cfg: (option: "silent") => void }

/** The published types lack this form of `listen`. Without `exclusive` two programs can share a port unintentionally. */
type ListenWithOptions = {
  listen(host: string, port: number, options: number, cb: (socket: Uws.us_listen_socket | false) => void): unknown
}
const listenOptions = { shared: 0, exclusive: 1 }

const listen = (app: Uws.TemplatedApp, host: string, port: number, options: number) =>
  Effect.callback<Uws.us_listen_socket, ListenFailed>((resume) => {
    const withOptions = app as Uws.TemplatedApp & ListenWithOptions
    withOptions.listen(host, port, options, (socket) =>
      resume(
        socket
          ? Effect.succeed(socket)
          : new ListenFailed({
              message: `cannot listen on ${host}:${port} (in use, or not an address of this machine)`
            })
      )
    )
  })

/** The largest body of a route that says nothing else, in bytes. */
export const defaultBodyLimit = 256 * 1024

const heldDefaults: HeldBodiesLimits = {
  bytes: 256 * 1024 * 1024,
  clientBytes: 32 * 1024 * 1024,
  clientWaiting: 500
}

type Start = (request: UwsRequest) => void
type ClientAddress = ReturnType<typeof makeClientAddress>

const empty = new Uint8Array(0)

/** A turn of the event loop that took no longer, in milliseconds, and how many turns are waited for one. */
const quickTurnMs = 0.3
const mostTurns = 500

/**
 * Connections that wait to be accepted are lost with the listening socket. So it is closed at the point of the event loop at which they have just been
 * accepted, after a turn in which the process was not held up.
 */
const afterQuickTurn = (run: () => void, before = performance.now(), turns = mostTurns): void => {
  setImmediate(() => {
    const now = performance.now()
    if (now - before > quickTurnMs && turns > 0) afterQuickTurn(run, now, turns - 1)
    else run()
  })
}

/** A server whose clients go on at another one takes the requests on connections that it has just accepted. */
const lateRequests = "200 millis"

const isStarting = "The service is starting."

const accept =
  (
    {
      bodyLimit = () => defaultBodyLimit,
      bodyPatienceMs: patienceMs = 30_000,
      closesConnections
    }: UwsHttpServerOptions,
    held: HeldBodies,
    security: SecurityHeadersOptions,
    clientAddress: ClientAddress,
    waiting: WaitingRequests | undefined,
    start: () => Start | undefined
  ) =>
  (res: Uws.HttpResponse, req: Uws.HttpRequest) => {
    const head = readHead(res, req, clientAddress)
    const source: UwsExchange = openExchange(res, security)
    const { method, url, headers, remoteAddress } = head
    const problem = framingProblem(headers)
    if (problem !== undefined) return refuse(source, 400, problem, newId("req"), { close: true })
    // The library reads the trailers of a chunked body, and what it takes for its end, as the next request.
    if (headers["transfer-encoding"] !== undefined || closesConnections?.() === true) source.closing = true
    const address = Option.getOrElse(remoteAddress, () => "")
    const hasBody = method !== "GET" && method !== "HEAD" && announcesBody(headers)
    const refuseStart = () =>
      refuse(source, 500, isStarting, newId("req"), { close: hasBody, head: method === "HEAD", retryAfterSeconds: 1 })
    const begin = (body: UwsRequest["body"]) => {
      const run = start()
      if (run !== undefined) return run(new UwsRequest({ source, ...head, body }))
      // Nobody else knows of a request that waits: when it is to begin, there is a server.
      if (waiting === undefined) refuseStart()
      else waiting.add(source, () => begin(body), refuseStart)
    }
    if (!hasBody) return begin(empty)
    if (waiting === undefined && start() === undefined) return refuseStart()
    const body = new UwsBody(source, { headers, held, limit: bodyLimit(method, url), address, patienceMs })
    body.onceBegun(() => begin(body))
  }

/** A port at which requests arrive. */
export interface OpenPort {
  readonly app: Uws.TemplatedApp
  readonly address: NetAddress.SocketAddress
  /** What serves the requests from now on, also those that wait. */
  readonly begin: (start: Start) => void
  /** Takes no new connections. */
  readonly stopListening: Effect.Effect<void>
  /** Closes every socket. */
  readonly close: () => void
}

/** Listens for the life of the scope. Fails with `ListenFailed` when the port is in use. */
export const open: (options: UwsHttpServerOptions) => Effect.Effect<OpenPort, ListenFailed, Scope.Scope> =
  Effect.fnUntraced(function* (options: UwsHttpServerOptions) {
    configure("silent")
    const app: Uws.TemplatedApp = Uws.App()
    let start: Start | undefined
    const waiting =
      options.waiting === undefined ? undefined : new WaitingRequests({ ...waitingDefaults, ...options.waiting })
    app.any(
      "/*",
      accept(
        options,
        new HeldBodies({ ...heldDefaults, ...options.maxHeld }),
        { overTls: options.overTls ?? false },
        makeClientAddress(options.trustedProxies ?? []),
        waiting,
        () => start
      )
    )
    const host = options.host ?? "0.0.0.0"
    let open = true
    const close = () => {
      if (open) app.close()
      open = false
      waiting?.clear()
      // The library keeps the handlers of a closed app for as long as the process lives.
      start = undefined
    }
    yield* Effect.addFinalizer(() => Effect.sync(close))
    const { shared } = options
    const own =
      shared?.ownPort === undefined
        ? undefined
        : yield* listen(app, "127.0.0.1", shared.ownPort, listenOptions.exclusive)
    const socket = yield* listen(app, host, options.port, shared ? listenOptions.shared : listenOptions.exclusive)
    const address = Result.getOrThrow(
      NetAddress.inetAddressFromIpString(host === "localhost" ? "127.0.0.1" : host, Uws.us_socket_local_port(socket))
    )
    let listening = true
    const stopListening = Effect.callback<void>((resume) => {
      afterQuickTurn(() => {
        if (listening) Uws.us_listen_socket_close(socket)
        if (listening && own !== undefined) Uws.us_listen_socket_close(own)
        listening = false
        resume(Effect.void)
      })
    })
    return {
      ...{ app, address, stopListening, close },
      begin: (server) => {
        start = server
        waiting?.beginAll()
      }
    }
  })

/**
 * An `HttpServer` on host and port. Fails with `ListenFailed` when the port is in use. `opened`: a port that is open already, with the same options but
 * `register`.
 */
export const layer = (
  options: UwsHttpServerOptions,
  opened?: OpenPort
): Layer.Layer<HttpServer.HttpServer, ListenFailed> =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const { app, address, begin, stopListening, close } = opened ?? (yield* open(options))
      const running = new RunningRequests()
      const security = { overTls: options.overTls ?? false }
      options.register?.(app, (res, status, sentence) =>
        refuse(openExchange(res, security), status, sentence, newId("req"), { close: true })
      )

      const serve: Parameters<typeof HttpServer.make>[0]["serve"] = Effect.fnUntraced(function* (httpApp, middleware) {
        const services = servicesOfRequests(yield* Effect.context<never>())
        const handled = HttpEffect.toHandled(
          httpApp,
          (request, response) => {
            // Every request here is a `UwsRequest` or the result of its `modify`.
            return request instanceof UwsRequest ? send(request.source, request.method, response) : Effect.void
          },
          middleware
        )
        const closing = yield* Deferred.make<void>()
        yield* Effect.addFinalizer(() =>
          stopListening.pipe(
            Effect.andThen(Deferred.succeed(closing, undefined)),
            Effect.andThen(
              Effect.suspend(() => (options.closesConnections?.() === true ? Effect.sleep(lateRequests) : Effect.void))
            ),
            Effect.andThen(Effect.timeoutOption(running.ended, options.drainMs ?? 5_000)),
            Effect.andThen(running.close),
            Effect.andThen(Effect.sync(close))
          )
        )
        const serving = Context.add(services, ServerClosing, Deferred.await(closing))
        begin((request) => {
          const context = Context.add(serving, HttpServerRequest.HttpServerRequest, request)
          const { source } = request
          const fiber = Effect.runForkWith(context)(handled)
          if (fiber.pollUnsafe() !== undefined) return source.release?.()
          running.add(fiber, source)
          source.interrupt = () => fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
        })
      })
      return HttpServer.make({ address, serve })
    })
  )
