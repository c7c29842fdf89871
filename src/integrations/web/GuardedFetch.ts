/**
 * A `fetch` for libraries that speak with addresses that a customer gave. Every address must be on the public internet, redirects are not followed,
 * and no answer is endless: an answer ends after `maxBytes`, or after `maxMs`. An event stream that waits for news has no end, so its bytes are
 * counted for each minute.
 */
import { isIP } from "node:net"
import { Agent, fetch as undiciFetch } from "undici"
import { isPublicAddress, type Lookup, PrivateAddress, publicLookup } from "./PublicNetwork.ts"

export interface GuardedFetchOptions {
  readonly allowPrivateNetwork: boolean
  /** The most bytes of one answer; of an event stream without a request, of one minute. */
  readonly maxBytes: number
  /** The longest that one answer may take, in milliseconds. Does not hold for an event stream without a request. */
  readonly maxMs: number
  readonly lookup?: Lookup
}

export interface GuardedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Ends all connections, and whatever still comes over them. */
  readonly close: () => Promise<void>
}

/** Why this address may not be asked, as the end of a sentence about it; `undefined` when it may. Names are checked when they are resolved. */
export const urlRefusal = (text: string, allowPrivateNetwork: boolean): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "is not an http(s) URL."
  if (url.username !== "" || url.password !== "") return "has a user or password in it: send a token instead."
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return !allowPrivateNetwork && isIP(host) !== 0 && !isPublicAddress(host)
    ? "is not on the public internet."
    : undefined
}

const minuteMs = 60_000

/** Ends the stream with an error after too many bytes. */
const limited = (body: ReadableStream<Uint8Array>, { maxBytes }: GuardedFetchOptions, perMinute: boolean) => {
  let left = maxBytes
  let since = Date.now()
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (perMinute && Date.now() - since > minuteMs) {
          left = maxBytes
          since = Date.now()
        }
        left -= chunk.byteLength
        if (left < 0) controller.error(new Error(`The answer is longer than ${maxBytes} bytes.`))
        else controller.enqueue(chunk)
      }
    })
  )
}

/** Makes a fetch with connections of its own. */
export const makeGuardedFetch = (options: GuardedFetchOptions): GuardedFetch => {
  const { allowPrivateNetwork, maxMs, lookup = publicLookup } = options
  const agent = new Agent({
    connections: 16,
    // Between two tools of a call a person speaks, so a connection waits longer than a library would let it.
    keepAliveTimeout: 60_000,
    connect: { timeout: 5_000, ...(allowPrivateNetwork ? {} : { lookup }) },
    // Silence is bounded by `maxMs`; a stream that waits for news may be silent.
    headersTimeout: maxMs,
    bodyTimeout: 0
  })
  const closed = new AbortController()
  return {
    fetch: async (address, init = {}) => {
      const url = String(address)
      const refusal = urlRefusal(url, allowPrivateNetwork)
      if (refusal !== undefined) throw new PrivateAddress({ message: `The address ${refusal}` })
      const { method = "GET", headers, body, signal } = init
      const given = new Headers(headers)
      const waits =
        (method === "GET" && given.get("accept") === "text/event-stream") ||
        given.get("mcp-method") === "subscriptions/listen"
      const signals = [
        closed.signal,
        ...(signal == null ? [] : [signal]),
        ...(waits ? [] : [AbortSignal.timeout(maxMs)])
      ]
      const answer = await undiciFetch(url, {
        method,
        headers: { "user-agent": "Parley", ...Object.fromEntries(given) },
        ...(body == null ? {} : { body: body instanceof URLSearchParams ? body.toString() : String(body) }),
        signal: AbortSignal.any(signals),
        redirect: "manual",
        dispatcher: agent
      })
      const streamed = answer.body as ReadableStream<Uint8Array> | null
      const { status, statusText } = answer
      return new Response(streamed === null ? null : limited(streamed, options, waits), {
        status,
        statusText,
        headers: [...answer.headers]
      })
    },
    close: async () => {
      closed.abort(new Error("The connection was closed."))
      await agent.destroy()
    }
  }
}
