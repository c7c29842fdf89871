/**
 * Lets the requests of a test pass through the proxy that `npm run contract` has started. The proxy has one target, so each request says in a header
 * for which server of which test it is: `front` writes the header, `target` reads it.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** The proxy's address, in the environment of the tests. */
export const contractProxy = "PARLEY_CONTRACT_PROXY"
const header = "x-contract-server"

/** The proxy keeps an answer until it is complete, which a live feed never is. */
const endless = /^\/api\/events(\?|$)/
const uploads = /^\/api\/(messaging-api\/media|media\/upload)(\?|$)/
/** A larger body may be refused before all of it was sent. The proxy then says that the connection was lost. */
const largestBody = 200_000

/** Whether the proxy passes a request on as it is. It changes addresses that have another spelling, and does not know the header `Expect`. */
const isCarried = ({ url = "", headers }: IncomingMessage): boolean => {
  const parsed = URL.parse(url, "http://localhost")
  return (
    parsed !== null &&
    parsed.pathname + parsed.search === url &&
    !endless.test(url) &&
    headers.expect === undefined &&
    (uploads.test(url) || Number(headers["content-length"] ?? 0) <= largestBody)
  )
}

/** Passes a request on, as it is, and its answer back. A side that breaks off is broken off on the other side, too. */
const pass = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  headers: ReadonlyArray<string>
): void => {
  const { method, url } = incoming
  const onward = request({ host: "127.0.0.1", port, method, path: url, headers: [...headers], agent: false })
  onward.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
    answer.on("error", () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  onward.on("error", () => outgoing.destroy())
  outgoing.on("close", () => onward.destroy())
  incoming.pipe(onward)
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)))

/** The server behind the proxy: it passes each request to the server that its header names. */
export const target = async () => {
  const server = createServer((incoming, outgoing) => {
    const port = Number(incoming.headers[header])
    const { rawHeaders } = incoming
    pass(
      incoming,
      outgoing,
      port,
      rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)].toLowerCase() !== header)
    )
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() }
}

/** The address at which a test reaches its server: through the proxy, when there is one. */
export const front = (address: string): Effect.Effect<string, never, Scope.Scope> => {
  const proxy = process.env[contractProxy]
  if (proxy === undefined) return Effect.succeed(address)
  const own = new URL(address).port
  // A connection may wait for its next request as long as a test likes: closing it in that moment would lose the request.
  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, (incoming, outgoing) => {
    const port = Number(isCarried(incoming) ? new URL(proxy).port : own)
    pass(incoming, outgoing, port, [...incoming.rawHeaders, header, own])
  })
  return Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => listening(server)),
      () =>
        Effect.promise(
          () =>
            new Promise<void>((resolve) => {
              server.close(() => resolve())
              server.closeAllConnections()
            })
        )
    ),
    (port) => `http://127.0.0.1:${port}`
  )
}
