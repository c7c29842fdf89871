/** One HTTP exchange with a customer's server. It uses Node's own client, because its sockets take our own name resolution. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import { Data, Effect } from "effect"
import { isPublicAddress, type Lookup, PrivateAddress, publicLookup } from "./PublicNetwork.ts"

export interface GuardedExchangeOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Text in UTF-8, or bytes as they are; absent for none. */
  readonly body?: string | Uint8Array
  readonly allowPrivateNetwork: boolean
  /** The most bytes of the answer that are read. */
  readonly maxBytes: number
  /** How names are resolved when private addresses are not allowed. Default: `publicLookup`. */
  readonly lookup?: Lookup
}

export interface GuardedExchangeResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** When `cut`, the bytes may end inside a character. */
  readonly bytes: Buffer
  /** The answer was longer than `maxBytes`. */
  readonly cut: boolean
}

/**
 * The connection failed or was lost, or the request could not be written. `sent`: the connection was open, so the server may have acted on the
 * request.
 */
export class ConnectionFailed extends Data.TaggedError("ConnectionFailed")<{
  readonly message: string
  readonly sent: boolean
}> {}

/** Sends the request and calls `done` with the whole answer, or why there is none. Throws when the request cannot be written. */
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
  const body = typeof options.body === "string" ? Buffer.from(options.body) : options.body
  const settings: RequestOptions = {
    method: options.method,
    headers: {
      accept: "application/json, text/plain;q=0.9, */*;q=0.1",
      "user-agent": "Parley",
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.byteLength }),
      ...options.headers
    },
    // A new connection: a kept-alive one may be closing, and then it is unknown whether the server got the request.
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

/**
 * Sends one request and reads the whole answer, at most `maxBytes`. Interruption closes the connection. Redirects are not followed: their targets
 * would have to be checked as well.
 */
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
