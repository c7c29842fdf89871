/**
 * Effect's `HttpServer` on uWebSockets.js. It listens while its layer lives. When the layer closes, the server takes no new connections, gives
 * running requests `drainMs` to finish, interrupts the rest and closes every socket. A client that disconnects interrupts its handler, unless the
 * handler changes something (`UwsRequest.goOn`).
 */

// The first import: it sets what the library reads while it is being loaded.
import "./HeaderLimit.ts"
import * as Uws from "uWebSockets.js"
import { Context, Deferred, Effect, Layer, Result, Schema } from "effect"
import { HttpEffect, HttpServer, HttpServerError, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { newId } from "../../domain/basics/Ids.ts"
import { makeClientAddress } from "./ClientAddress.ts"
import { framingProblem, readHead } from "./RequestHead.ts"
import { servicesOfRequests } from "./RequestServices.ts"
import { RunningRequests } from "./RunningRequests.ts"
import type { SecurityHeadersOptions } from "./SecurityHeaders.ts"
import { ServerClosing } from "./ServerClosing.ts"
import { collectBody, HeldBodies } from "./UwsBody.ts"
import { BodyStream, isForm } from "./UwsBodyStream.ts"
import { openExchange, refuse, type UwsExchange } from "./UwsExchange.ts"
import { UwsRequest } from "./UwsRequest.ts"
import { send } from "./UwsResponse.ts"

export interface UwsHttpServerOptions {
  /** 0 means any free port; `HttpServer.address` then has the port. */
  readonly port: number
  /** The address to listen on. Default: every IPv4 interface. */
  readonly host?: string
  /**
   * Several processes listen on the port, and the kernel distributes new connections among them (SO_REUSEPORT). `ownPort` on loopback reaches only
   * this process. Without `shared` only this process listens on the port.
   */
  readonly shared?: { readonly ownPort: number }
  /** The largest form in bytes. A larger one gets 400. Default 17 MB: a file of 16 MB and the form around it. Other bodies may have 4 MB at most. */
  readonly maxBodyBytes?: number
  /** The bytes of other bodies that all requests together may hold, beyond the first 64 KB of each. Over it the answer is 429. Default 256 MB. */
  readonly maxHeldBytes?: number
  /** Addresses and networks of trusted proxies, whose `X-Forwarded-For` is used. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** How many milliseconds running requests may continue once the layer closes. Default 5,000. */
  readonly drainMs?: number
  /** Registers WebSocket routes beside the HTTP routes, before listening. `refuseUpgrade` answers with an error instead of an upgrade. */
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

/** The largest body in bytes that is collected in memory. The largest expected ones, webhooks of the messaging channel, have 3 MB. */
const mostCollected = 4 * 1024 * 1024

type Start = (request: UwsRequest) => void
type ClientAddress = ReturnType<typeof makeClientAddress>

const accept =
  (
    limit: number,
    held: HeldBodies,
    security: SecurityHeadersOptions,
    clientAddress: ClientAddress,
    start: () => Start | undefined
  ) =>
  (res: Uws.HttpResponse, req: Uws.HttpRequest) => {
    const head = readHead(res, req, clientAddress)
    const source: UwsExchange = openExchange(res, security)
    const problem = framingProblem(head.headers)
    if (problem !== undefined) return refuse(source, 400, problem, newId("req"), { close: true })
    // The library reads the trailers of a chunked body, and what it takes for its end, as the next request.
    if (head.headers["transfer-encoding"] !== undefined) source.closing = true
    const begin = (body: UwsRequest["body"]) => {
      const run = start()
      const close = body instanceof BodyStream
      if (run === undefined) refuse(source, 500, "The service is starting.", newId("req"), { close })
      else run(new UwsRequest({ source, ...head, body }))
    }
    if (isForm(head.headers)) return begin(new BodyStream(source, limit))
    const most = Math.min(limit, mostCollected)
    collectBody(source, head.method, most, held, {
      complete: begin,
      tooLarge: (close) =>
        refuse(source, 400, `The request body is larger than ${most} bytes.`, newId("req"), { close }),
      noRoom: (close) =>
        refuse(
          source,
          429,
          "Too many large requests are being sent at once. Please try again in a moment.",
          newId("req"),
          {
            close,
            retryAfterSeconds: 5
          }
        )
    })
  }

/** An `HttpServer` on host and port. Fails with `ListenFailed` when the port is in use. */
export const layer = (options: UwsHttpServerOptions): Layer.Layer<HttpServer.HttpServer, ListenFailed> =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      configure("silent")
      const app: Uws.TemplatedApp = Uws.App()
      const security = { overTls: options.overTls ?? false }
      let start: Start | undefined
      const running = new RunningRequests()

      options.register?.(app, (res, status, sentence) =>
        refuse(openExchange(res, security), status, sentence, newId("req"), { close: true })
      )
      app.any(
        "/*",
        accept(
          options.maxBodyBytes ?? 17 * 1024 * 1024,
          new HeldBodies(options.maxHeldBytes ?? 256 * 1024 * 1024),
          security,
          makeClientAddress(options.trustedProxies ?? []),
          () => start
        )
      )
      const host = options.host ?? "0.0.0.0"
      yield* Effect.addFinalizer(() => Effect.sync(() => app.close()))
      const { shared } = options
      const own = shared && (yield* listen(app, "127.0.0.1", shared.ownPort, listenOptions.exclusive))
      const socket = yield* listen(app, host, options.port, shared ? listenOptions.shared : listenOptions.exclusive)
      const address = Result.getOrThrow(
        NetAddress.inetAddressFromIpString(host === "localhost" ? "127.0.0.1" : host, Uws.us_socket_local_port(socket))
      )
      let listening = true
      const stopListening = Effect.sync(() => {
        if (listening) Uws.us_listen_socket_close(socket)
        if (listening && own !== undefined) Uws.us_listen_socket_close(own)
        listening = false
      })

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
            Effect.andThen(Effect.timeoutOption(running.ended, options.drainMs ?? 5_000)),
            Effect.andThen(running.close)
          )
        )
        const serving = Context.add(services, ServerClosing, Deferred.await(closing))
        start = (request) => {
          const context = Context.add(serving, HttpServerRequest.HttpServerRequest, request)
          const { source } = request
          const fiber = Effect.runForkWith(context)(handled)
          if (fiber.pollUnsafe() !== undefined) return source.release?.()
          running.add(fiber)
          if (source.release !== undefined) fiber.addObserver(source.release)
          source.interrupt = () => fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
        }
      })
      return HttpServer.make({ address, serve })
    })
  )
