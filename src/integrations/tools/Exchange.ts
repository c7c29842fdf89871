/** One HTTP exchange with a tool's server on Node's own client, whose sockets let us choose how a name is resolved. */
import { request as httpRequest, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import { isPublicAddress, PrivateAddress, publicLookup } from "./PublicAddress.ts"

export interface ExchangeOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; absent for none. */
  readonly body?: string
  readonly allowPrivateNetwork: boolean
  /** Reading stops here. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface ExchangeResult {
  readonly status: number
  readonly text: string
  /** The answer was longer than `maxBytes`. */
  readonly cut: boolean
}

/** Redirects are not followed: their targets would have to be checked again, and a tool has one address. */
export const exchange = (url: URL, options: ExchangeOptions): Promise<ExchangeResult> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "")
    // A numeric host is connected to without a lookup.
    if (!options.allowPrivateNetwork && isIP(host) !== 0 && !isPublicAddress(host))
      return reject(new PrivateAddress(`${host} is not a public address`))
    const body = options.body === undefined ? undefined : Buffer.from(options.body)
    const settings: RequestOptions = {
      method: options.method,
      headers: {
        accept: "application/json, text/plain;q=0.9, */*;q=0.1",
        "user-agent": "Parley",
        ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.byteLength }),
        ...options.headers
      },
      agent: false,
      signal: options.signal,
      ...(options.allowPrivateNetwork ? {} : { lookup: publicLookup })
    }
    const send = url.protocol === "https:" ? httpsRequest : httpRequest
    const outgoing = send(url, settings, (incoming) => {
      const chunks: Array<Buffer> = []
      let size = 0
      const finish = (cut: boolean) =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8"), cut })
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.byteLength
        if (size <= options.maxBytes) return chunks.push(chunk)
        chunks.push(chunk.subarray(0, Math.max(0, options.maxBytes - (size - chunk.byteLength))))
        finish(true)
        return incoming.destroy()
      })
      incoming.on("end", () => finish(false))
      incoming.on("error", reject)
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })
