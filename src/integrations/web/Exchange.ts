/** One HTTP exchange with a customer's server on Node's own client, whose sockets let us choose how a name is resolved. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import { isPublicAddress, type Lookup, PrivateAddress, publicLookup } from "./PublicAddress.ts"

export interface ExchangeOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; absent for none. */
  readonly body?: string
  readonly allowPrivateNetwork: boolean
  /** Reading stops here. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** How names become addresses where private ones are not allowed. Default: `publicLookup`. */
  readonly lookup?: Lookup
}

export interface ExchangeResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Cut inside a character when `cut`. */
  readonly bytes: Buffer
  /** The answer was longer than `maxBytes`. */
  readonly cut: boolean
}

/** The connection failed or was lost. `sent`: it had stood, so the server may have acted on the request. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed"
  readonly sent: boolean
  constructor(message: string, sent: boolean) {
    super(message)
    this.sent = sent
  }
}

/**
 * Rejects with `PrivateAddress` or `ConnectionFailed`. Redirects are not followed: their targets would have to be checked again, and what
 * a customer names has one address.
 */
export const exchange = (url: URL, options: ExchangeOptions): Promise<ExchangeResult> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "")
    // A numeric host is connected to without a lookup.
    if (!options.allowPrivateNetwork && isIP(host) !== 0 && !isPublicAddress(host))
      return reject(new PrivateAddress(`${host} is not a public address`))
    const secure = url.protocol === "https:"
    let sent = false
    const fail = (error: Error) =>
      reject(error instanceof PrivateAddress ? error : new ConnectionFailed(error.message, sent))
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
      signal: options.signal,
      ...(options.allowPrivateNetwork ? {} : { lookup: options.lookup ?? publicLookup })
    }
    const send = secure ? httpsRequest : httpRequest
    const outgoing = send(url, settings, (incoming) => {
      const chunks: Array<Buffer> = []
      let size = 0
      const { statusCode: status = 0, headers } = incoming
      const finish = (cut: boolean) => resolve({ status, headers, bytes: Buffer.concat(chunks), cut })
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
  })
