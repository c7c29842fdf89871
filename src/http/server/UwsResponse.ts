/** Writes an `HttpServerResponse` to a uWebSockets.js socket: one cork for head and small bodies, back-pressure on streams. */
import { Cause, Effect, Stream } from "effect"
import { Cookies, type HttpServerResponse } from "effect/http"
import { headerValue, statusLine, type UwsExchange } from "./UwsExchange.ts"

type Response = HttpServerResponse.HttpServerResponse

/** uWebSockets.js writes these itself. */
const framing: ReadonlySet<string> = new Set(["content-length", "transfer-encoding"])

const typeOf = ({ body }: Response): string | undefined => ("contentType" in body ? body.contentType : undefined)

const writeHead = ({ res }: UwsExchange, response: Response, contentType = typeOf(response)): void => {
  res.writeStatus(statusLine(response.status))
  const typed = response.headers["content-type"] !== undefined
  if (contentType !== undefined && !typed) res.writeHeader("content-type", headerValue(contentType))
  for (const [name, value] of Object.entries(response.headers))
    if (!framing.has(name)) res.writeHeader(name, headerValue(value))
  for (const cookie of Cookies.toSetCookieHeaders(response.cookies)) res.writeHeader("set-cookie", headerValue(cookie))
}

/** Answers without a body may not say a length of one (204, 304); a HEAD says the length GET would have. */
const sendHead = (exchange: UwsExchange, response: Response, length?: number): void => {
  exchange.res.cork(() => {
    writeHead(exchange, response)
    const silent = length === undefined || response.status === 204 || response.status === 304
    if (silent) exchange.res.endWithoutBody()
    else exchange.res.endWithoutBody(length, exchange.closing)
  })
  exchange.gone = true
}

/** @param body a text goes as UTF-8, which the socket makes of it where it is copied anyway. */
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
 * Writes one chunk and waits for room when the socket is full. With a writable handler registered uWebSockets.js no longer drains
 * by itself: the empty cork in `sendStream` does it, so what is buffered leaves also when no further chunk follows.
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

/** The same for a body whose length was said before: the socket takes what it has room for, the rest is offered again. */
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

/** @param length of the whole body when it is known: it is said in the head, and a body that falls short of it is not passed off as complete. */
const sendStream = (
  exchange: UwsExchange,
  response: Response,
  stream: Stream.Stream<Uint8Array, unknown>,
  contentType?: string,
  length?: number
): Effect.Effect<void> => {
  const { res } = exchange
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
    // Effect sends responses uninterruptibly; a body may be endless.
    Effect.andThen(Effect.interruptible(Stream.runForEach(stream, write))),
    Effect.andThen(end),
    // The status is out: the only way left to say that the body is incomplete is to drop the connection.
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

/** What the platform can put into a Web response; anything else is a handler's mistake. */
const isBodyInit = (body: unknown): body is string | Blob | FormData | URLSearchParams | ArrayBuffer | ReadableStream =>
  typeof body === "string" ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  body instanceof ArrayBuffer ||
  body instanceof ReadableStream

/** Bodies that are foreign objects: Web responses, Node streams, blobs, forms. */
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

/** A client that is still sending hears the answer when it has sent all, or when it has gone on for too long. */
const bodyRead = (exchange: UwsExchange): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (exchange.unread === undefined || exchange.gone) return Effect.void
    // Effect sends responses uninterruptibly; a client that goes away ends the wait.
    return Effect.map(Effect.interruptible(exchange.unread()), (whole) => {
      exchange.closing = !whole
    })
  })

/** Sends the response; does nothing when the client has gone. Interrupting it drops the connection. */
export const send = (exchange: UwsExchange, method: string, response: Response): Effect.Effect<void> =>
  Effect.andThen(bodyRead(exchange), write(exchange, method, response))

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
