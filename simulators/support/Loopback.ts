/** Shared by the HTTP simulators: a server on a free port of 127.0.0.1 that closes at once, reading bodies, and planned failures. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Loopback {
  readonly server: Server
  readonly port: number
  readonly url: string
  /** Cuts every connection and frees the port. */
  readonly close: () => Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Listens on `port` (0 or none: any free one). A handler that throws answers 500. */
export const listen = async (handler: Handler, port = 0): Promise<Loopback> => {
  const server = createServer((request, response) => {
    handler(request, response).catch((cause) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: { message: String(cause), type: "simulator_error" } })
    })
  })
  // As long as hosted providers keep connections. Node's default of 5 s would cut them between the turns of a call.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve))
  const bound = (server.address() as AddressInfo).port
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { server, port: bound, url: `http://127.0.0.1:${bound}`, close }
}

export const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

export const readBody = async (request: IncomingMessage): Promise<string> => (await readBytes(request)).toString("utf8")

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
}

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Planned failures of every HTTP simulator. Change the fields at any time. */
export interface HttpFaults {
  /** Added before every answer, in milliseconds. */
  latencyMs: number
  /** How many of the next requests fail with `status`. */
  failNext: number
  /** Status of failed requests; 0 cuts the connection instead. */
  status: number
  /** Takes requests and never answers them. */
  hang: boolean
}

export const httpFaults = (): HttpFaults => ({ latencyMs: 0, failNext: 0, status: 503, hang: false })

/** Applies the planned failures. True when it has answered the request. A text error body is sent as XML. */
export const spoiled = async (
  faults: HttpFaults,
  response: ServerResponse,
  errorBody: (status: number) => unknown
): Promise<boolean> => {
  if (faults.latencyMs > 0) await delay(faults.latencyMs)
  if (faults.hang) return true
  if (faults.failNext <= 0) return false
  faults.failNext--
  if (faults.status === 0) response.destroy()
  else sendError(response, faults.status, errorBody(faults.status))
  return true
}

const sendError = (response: ServerResponse, status: number, body: unknown): void => {
  if (typeof body === "string") response.writeHead(status, { "content-type": "application/xml" }).end(body)
  else sendJson(response, status, body)
}

/** Answers the OPTIONS request of a client that only opens a connection ahead of its first request. True when it has answered. */
export const onlyConnecting = (request: IncomingMessage, response: ServerResponse): boolean => {
  if (request.method !== "OPTIONS") return false
  response.writeHead(204).end()
  return true
}
