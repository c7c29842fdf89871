/** Writes an `HttpServerResponse` to a uWebSockets.js socket: head and small bodies in one cork, streams with back-pressure. */
import { Cause, Effect, Stream } from "effect"
import { Cookies, type HttpServerResponse } from "effect/http"
import { writeSecurityHeaders } from "./SecurityHeaders.ts"
import { headerValue, statusLine, type UwsExchange } from "./UwsExchange.ts"

type Response = HttpServerResponse.HttpServerResponse

/** uWebSockets.js writes these itself. */
const framing: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"])

const typeOf = ({ body }: Response): string | undefined => ("contentType" in body ? body.contentType : undefined)

const writeHead = ({ res, security }: UwsExchange, response: Response, contentType = typeOf(response)): void => {
  res.writeStatus(statusLine(response.status))
  writeSecurityHeaders(res, security, response.headers)
  const typed = response.headers["content-type"] !== undefined
  if (contentType !== undefined && !typed) res.writeHeader("content-type", headerValue(contentType))
  for (const [name, value] of Object.entries(response.headers))
    if (!framing.has(name)) res.writeHeader(name, headerValue(value))
  for (const cookie of Cookies.toSetCookieHeaders(response.cookies)) res.writeHeader("set-cookie", headerValue(cookie))
}

/** Sends an answer without a body. 204 and 304 must not state a length; the answer to HEAD states the length that GET would have. */
const sendHead = (exchange: UwsExchange, response: Response, length?: number): void => {
  exchange.res.cork(() => {
    writeHead(exchange, response)
    const silent = length === undefined || response.status === 204 || response.status === 304
    // Told any length but 0, the library waits for a body: it neither closes the connection nor takes another request on it.
    if (exchange.closing) exchange.res.endWithoutBody(0, true)
    else {
      if (!silent) exchange.res.writeHeader("content-length", String(length))
      exchange.res.endWithoutBody()
    }
  })
  exchange.gone = true
}

/** Sends head and body at once. A text is sent as UTF-8; the socket encodes it while copying it. */
const sendWhole = (
  exchange: UwsExchange,
  response: Response,
  body: Uint8Array | string,
  contentType?: string
): void => {
  exchange.res.cork(() => {
    writeHead(exchange, response, contentType)
    exchange.res.end(body, exchange.closing)
  })
  exchange.gone = true
}

/**
 * Writes one chunk and waits for room when the socket is full. Once a writable handler is registered, uWebSockets.js no longer drains its buffer by
 * itself. The empty cork in `sendStream` drains it, so that buffered bytes are sent even when no further chunk follows.
 */
const writeChunk = (exchange: UwsExchange, chunk: Uint8Array): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (exchange.gone) return resume(Effect.interrupt)
    if (chunk.byteLength === 0) return resume(Effect.void)
    let roomLeft = true
    exchange.res.cork(() => {
      roomLeft = exchange.res.write(chunk)
    })
    if (roomLeft) return resume(Effect.void)
    exchange.writable = () => resume(Effect.void)
    return Effect.sync(() => {
      exchange.writable = undefined
    })
  })

/** Writes one chunk of a body whose total length is known: the socket takes what it has room for, and the rest is offered again. */
const writeSized = (exchange: UwsExchange, chunk: Uint8Array, total: number): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const { res } = exchange
    if (chunk.byteLength === 0) return resume(Effect.void)
    if (exchange.gone) return resume(Effect.interrupt)
    const start = res.getWriteOffset()
    const offer = () => {
      const [roomLeft, complete] = res.tryEnd(chunk.subarray(res.getWriteOffset() - start, total - start), total)
      if (complete) exchange.gone = true
      if (roomLeft || complete) resume(Effect.void)
      else exchange.writable = () => res.cork(offer)
    }
    res.cork(offer)
    return Effect.sync(() => {
      exchange.writable = undefined
    })
  })

/**
 * Sends a body as a stream. When its length (bytes) is known, the head states it, and a shorter body closes the connection as incomplete. The library
 * cannot close a connection after a body of stated length, so the length is not stated when the connection is to be closed.
 */
const sendStream = (
  exchange: UwsExchange,
  response: Response,
  stream: Stream.Stream<Uint8Array, unknown>,
  contentType?: string,
  knownLength?: number
): Effect.Effect<void> => {
  const { res } = exchange
  const length = exchange.closing ? undefined : knownLength
  const write = (chunk: Uint8Array) =>
    length === undefined ? writeChunk(exchange, chunk) : writeSized(exchange, chunk, length)
  const begin = Effect.sync(() => {
    res.onWritable(() => {
      res.cork(() => {})
      const waiting = exchange.writable
      exchange.writable = undefined
      waiting?.()
      return true
    })
    res.cork(() => writeHead(exchange, response, contentType))
  })
  const end = Effect.suspend(() => {
    if (exchange.gone) return Effect.void
    if (length !== undefined)
      return Effect.die(new Error(`the body is shorter than the ${length} bytes that were said`))
    res.cork(() => res.end(undefined, exchange.closing))
    exchange.gone = true
    return Effect.void
  })
  return begin.pipe(
    // Effect sends responses uninterruptibly, but a body may be endless, so it must be interruptible.
    Effect.andThen(Effect.interruptible(Stream.runForEach(stream, write))),
    Effect.andThen(end),
    // The status has been sent, so only closing the connection can show that the body is incomplete.
    Effect.catchCause((cause) => {
      if (exchange.gone) return Effect.void
      exchange.gone = true
      res.close()
      return Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("a response stream broke", cause)
    })
  )
}

const fromReadable = (body: ReadableStream<Uint8Array>): Stream.Stream<Uint8Array, unknown> =>
  Stream.fromReadableStream({ evaluate: () => body, onError: (cause) => cause })

const isAsyncIterable = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body && !(body instanceof ReadableStream)

/** Whether the platform can put this body into a Web response. Any other body is a mistake of the handler. */
const isBodyInit = (body: unknown): body is string | Blob | FormData | URLSearchParams | ArrayBuffer | ReadableStream =>
  typeof body === "string" ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof ArrayBuffer ||
  body instanceof ReadableStream

/** Sends a body that is a foreign object: a Web response, Node stream, blob or form. `known` is its content type, when known. */
const sendForeign = (exchange: UwsExchange, response: Response, body: unknown, known?: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (body instanceof Uint8Array) return Effect.sync(() => sendWhole(exchange, response, body, known))
    if (isAsyncIterable(body))
      return sendStream(
        exchange,
        response,
        Stream.fromAsyncIterable(body, (cause) => cause),
        known
      )
    if (body instanceof globalThis.Response || isBodyInit(body)) {
      const web = body instanceof globalThis.Response ? body : new globalThis.Response(body)
      const type = known ?? web.headers.get("content-type") ?? undefined
      return web.body === null
        ? Effect.sync(() => sendWhole(exchange, response, new Uint8Array(0), type))
        : sendStream(exchange, response, fromReadable(web.body), type)
    }
    return Effect.die(new Error("this response body cannot be sent"))
  })

/** Waits until a client that is still sending has sent everything, or has sent for too long. */
const bodyRead = (exchange: UwsExchange): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (exchange.unread === undefined || exchange.gone) return Effect.void
    // Effect sends responses uninterruptibly, but a disconnect must end this wait.
    return Effect.map(Effect.interruptible(exchange.unread()), (whole) => {
      exchange.closing ||= !whole
    })
  })

/** Waits until the bytes that the socket has just received are parsed. */
const parsed: Effect.Effect<void> = Effect.callback((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/** Sends the response. Does nothing when the client has disconnected. Interrupting it closes the connection. */
export const send = (exchange: UwsExchange, method: string, response: Response): Effect.Effect<void> => {
  const answer = Effect.suspend(() =>
    exchange.closing ? Effect.andThen(parsed, write(exchange, method, response)) : write(exchange, method, response)
  )
  return Effect.andThen(bodyRead(exchange), answer)
}

const write = (exchange: UwsExchange, method: string, response: Response): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (exchange.gone) return Effect.void
    const { body } = response
    if (body._tag === "Empty" || method === "HEAD" || response.status === 204 || response.status === 304)
      return Effect.sync(() => sendHead(exchange, response, body._tag === "Empty" ? 0 : body.contentLength))
    switch (body._tag) {
      case "Uint8Array":
        return Effect.sync(() => sendWhole(exchange, response, body.text ?? body.body))
      case "Stream":
        return body.contentLength === 0
          ? Effect.sync(() => sendWhole(exchange, response, new Uint8Array(0)))
          : sendStream(exchange, response, body.stream, undefined, body.contentLength)
      case "FormData":
        return sendForeign(exchange, response, body.formData)
      case "Raw":
        return sendForeign(exchange, response, body.body, body.contentType)
    }
  })
