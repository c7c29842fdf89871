/** One HTTP exchange with a customer's server on Node's own client, whose sockets let us choose how a name is resolved. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import { Data, Effect } from "effect"
import { isPublicAddress, type Lookup, PrivateAddress, publicLookup } from "./PublicNetwork.ts"

export interface GuardedExchangeOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; absent for none. */
  readonly body?: string
  readonly allowPrivateNetwork: boolean
  /** Reading stops here. */
  readonly maxBytes: number
  /** How names become addresses where private ones are not allowed. Default: `publicLookup`. */
  readonly lookup?: Lookup
}

export interface GuardedExchangeResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Cut inside a character when `cut`. */
  readonly bytes: Buffer
  /** The answer was longer than `maxBytes`. */
  readonly cut: boolean
}

/** The connection failed or was lost, or the request could not even be written. `sent`: it had stood, so the server may have acted on the request. */
export class ConnectionFailed extends Data.TaggedError("ConnectionFailed")<{
  readonly message: string
  readonly sent: boolean
}> {}

/** Sends the request; `done` with its whole answer, or why there is none. Throws when it cannot even be written. */
const begin = (
  url: URL,
  options: GuardedExchangeOptions,
  signal: AbortSignal,
  done: (result: Effect.Effect<GuardedExchangeResult, PrivateAddress | ConnectionFailed>) => void
): void => {
  const secure = url.protocol === "https:"
  let sent = false
  const fail = (error: Error) =>
    done(Effect.fail(error instanceof PrivateAddress ? error : new ConnectionFailed({ message: error.message, sent })))
  const body = options.body === undefined ? undefined : Buffer.from(options.body)
  const settings: RequestOptions = {
    method: options.method,
    headers: {
      accept: "application/json, text/plain;q=0.9, */*;q=0.1",
      "user-agent": "Parley",
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.byteLength }),
      ...options.headers
    },
    // A connection of its own: a kept-alive one may be closing just now, and then nobody knows what the server has seen.
    agent: false,
    signal,
    ...(options.allowPrivateNetwork ? {} : { lookup: options.lookup ?? publicLookup })
  }
  const send = secure ? httpsRequest : httpRequest
  const outgoing = send(url, settings, (incoming) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const { statusCode: status = 0, headers } = incoming
    const finish = (cut: boolean) => done(Effect.succeed({ status, headers, bytes: Buffer.concat(chunks), cut }))
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= options.maxBytes) return chunks.push(chunk)
      chunks.push(chunk.subarray(0, Math.max(0, options.maxBytes - (size - chunk.byteLength))))
      finish(true)
      return incoming.destroy()
    })
    incoming.on("end", () => finish(false))
    incoming.on("error", fail)
  })
  outgoing.once("socket", (socket) =>
    socket.once(secure ? "secureConnect" : "connect", () => {
      sent = true
    })
  )
  outgoing.on("error", fail)
  outgoing.end(body)
}

/** Interruption closes the connection. Redirects are not followed: their targets would have to be checked again, and what a customer names has one address. */
export const guardedExchange = (
  address: string | URL,
  options: GuardedExchangeOptions
): Effect.Effect<GuardedExchangeResult, PrivateAddress | ConnectionFailed> =>
  Effect.callback((resume, signal) => {
    try {
      const url = new URL(address)
      const host = url.hostname.replace(/^\[|\]$/g, "")
      // A numeric host is connected to without a lookup.
      if (!options.allowPrivateNetwork && isIP(host) !== 0 && !isPublicAddress(host))
        return resume(Effect.fail(new PrivateAddress({ message: `${host} is not a public address` })))
      begin(url, options, signal, resume)
    } catch (cause) {
      resume(Effect.fail(new ConnectionFailed({ message: String(cause), sent: false })))
    }
  })
