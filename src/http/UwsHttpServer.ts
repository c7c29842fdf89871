/**
 * Effect's `HttpServer` on uWebSockets.js. Listens while its layer lives. Closing: no new connections, running requests get
 * `drainMs` to finish, the rest are interrupted, then every socket is dropped. A client that goes away interrupts its handler.
 */

import * as Uws from "uWebSockets.js"
import { Context, Effect, Fiber, Layer, Option, Result, Scope } from "effect"
import { Headers, HttpEffect, HttpServer, HttpServerError, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { newId } from "../domain/Ids.ts"
import { type Exchange, openExchange, refuse } from "./Exchange.ts"
import { collectBody } from "./UwsBody.ts"
import { UwsRequest } from "./UwsRequest.ts"
import { send } from "./UwsResponse.ts"

export interface UwsHttpServerOptions {
  /** 0: any free port; `HttpServer.address` says which. */
  readonly port: number
  /** Address to listen on; every IPv4 interface by default. */
  readonly host?: string
  /** Largest request body; a larger one is answered 400. 17 MB by default: a file of 16 MB and its form around it. */
  readonly maxBodyBytes?: number
  /** How long running requests may go on once the layer closes; 5,000 by default. */
  readonly drainMs?: number
  /** Registers WebSocket routes beside the HTTP routes, before listening. */
  readonly register?: (app: Uws.TemplatedApp) => void
}

/** The published types lack this form; without the option two programs can share a port unawares. */
type ExclusiveListen = {
  listen(host: string, port: number, options: 1, cb: (socket: Uws.us_listen_socket | false) => void): unknown
}

const listen = (app: Uws.TemplatedApp, host: string, port: number) =>
  Effect.callback<Uws.us_listen_socket, HttpServerError.ServeError>((resume) => {
    const exclusive = app as Uws.TemplatedApp & ExclusiveListen
    exclusive.listen(host, port, 1, (socket) =>
      resume(
        socket
          ? Effect.succeed(socket)
          : Effect.fail(new HttpServerError.ServeError({ cause: new Error(`cannot listen on ${host}:${port}`) }))
      )
    )
  })

type Start = (request: UwsRequest) => void

/** Reads what the library only lends for the length of the callback. */
const describe = (res: Uws.HttpResponse, req: Uws.HttpRequest) => {
  const query = req.getQuery()
  const raw: Record<string, string> = Object.create(null)
  req.forEach((name, value) => {
    raw[name] = name in raw ? `${raw[name]}${name === "cookie" ? "; " : ", "}${value}` : value
  })
  return {
    method: req.getCaseSensitiveMethod().toUpperCase(),
    url: query ? `${req.getUrl()}?${query}` : req.getUrl(),
    headers: Headers.fromRecordUnsafe(raw),
    remoteAddress: Option.some(Buffer.from(res.getRemoteAddressAsText()).toString())
  }
}

const accept = (limit: number, start: () => Start | undefined) => (res: Uws.HttpResponse, req: Uws.HttpRequest) => {
  const head = describe(res, req)
  const source: Exchange = openExchange(res)
  const requestId = newId("req")
  collectBody(source, head.method, limit, {
    complete: (body) => {
      const run = start()
      if (run === undefined) refuse(source, 500, "The service is starting.", requestId)
      else run(new UwsRequest({ source, ...head, body }))
    },
    tooLarge: (close) => refuse(source, 400, `The request body is larger than ${limit} bytes.`, requestId, close)
  })
}

/** `HttpServer` bound to host and port; fails with `ServeError` when the port is taken. */
export const layer = (options: UwsHttpServerOptions): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError> =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const app: Uws.TemplatedApp = Uws.App()
      let start: Start | undefined
      const running = new Set<Fiber.Fiber<void>>()

      options.register?.(app)
      app.any(
        "/*",
        accept(options.maxBodyBytes ?? 17 * 1024 * 1024, () => start)
      )
      const host = options.host ?? "0.0.0.0"
      yield* Effect.addFinalizer(() => Effect.sync(() => app.close()))
      const socket = yield* listen(app, host, options.port)
      const address = Result.getOrThrow(
        NetAddress.inetAddressFromIpString(host === "localhost" ? "127.0.0.1" : host, Uws.us_socket_local_port(socket))
      )
      let listening = true
      const stopListening = Effect.sync(() => {
        if (listening) Uws.us_listen_socket_close(socket)
        listening = false
      })

      const serve: Parameters<typeof HttpServer.make>[0]["serve"] = Effect.fnUntraced(function* (httpApp, middleware) {
        const scope = yield* Effect.scope
        const services = yield* Effect.context<never>()
        const handled = HttpEffect.toHandled(
          httpApp,
          (request, response) => {
            // Every request here is one of ours or a `modify` of it.
            return request instanceof UwsRequest ? send(request.source, request.method, response) : Effect.void
          },
          middleware
        )
        // Forked first, so that it closes (and interrupts) after the drain below.
        const requests = yield* Scope.fork(scope)
        yield* Effect.addFinalizer(() => {
          const drained = Effect.suspend(() => Effect.forEach(running, Fiber.await, { discard: true }))
          return stopListening.pipe(
            Effect.andThen(Effect.timeoutOption(drained, options.drainMs ?? 5_000)),
            Effect.asVoid
          )
        })
        start = (request) => {
          const context = Context.add(services, HttpServerRequest.HttpServerRequest, request)
          const fiber = Fiber.runIn(Effect.runForkWith(context)(handled), requests)
          if (fiber.pollUnsafe() !== undefined) return
          running.add(fiber)
          fiber.addObserver(() => running.delete(fiber))
          request.source.interrupt = () => fiber.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
        }
      })
      return HttpServer.make({ address, serve })
    })
  )
