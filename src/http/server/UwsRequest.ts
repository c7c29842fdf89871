/** An `HttpServerRequest` whose body may still be arriving (`UwsBody`). It never creates a Web `Request`. */
import { isUtf8 } from "node:buffer"
import {
  Cause,
  Data,
  Effect,
  type FileSystem,
  Inspectable,
  type Option,
  type Path,
  type Schema,
  type Scope,
  Stream
} from "effect"
import {
  Cookies,
  Headers,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  Multipart,
  UrlParams
} from "effect/http"
import { isForm, UwsBody } from "./UwsBody.ts"
import type { UwsExchange } from "./UwsExchange.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** The body is not UTF-8. Decoded all the same, it would have U+FFFD in place of what was sent. */
export class NotUtf8 extends Data.TaggedError("NotUtf8") {}

export class UwsRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly source: UwsExchange
  readonly method: string
  readonly url: string
  /** The URL of the request line; routers may change `url`. */
  readonly originalUrl: string
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly peerAddress: Option.Option<string>
  readonly protocol: "http" | "https" | undefined
  readonly body: Bytes | UwsBody
  #text: string | undefined
  #cookies: Readonly<Record<string, string>> | undefined
  #multipart: HttpServerRequest.HttpServerRequest["multipart"] | undefined

  constructor(fields: {
    readonly source: UwsExchange
    readonly method: string
    readonly url: string
    readonly originalUrl?: string
    readonly headers: Headers.Headers
    readonly remoteAddress: Option.Option<string>
    readonly peerAddress?: Option.Option<string>
    readonly protocol?: "http" | "https" | undefined
    readonly body: Bytes | UwsBody
  }) {
    super()
    this.source = fields.source
    this.method = fields.method
    this.url = fields.url
    this.originalUrl = fields.originalUrl ?? fields.url
    this.headers = fields.headers
    this.remoteAddress = fields.remoteAddress
    this.peerAddress = fields.peerAddress ?? fields.remoteAddress
    this.protocol = fields.protocol
    this.body = fields.body
  }

  /** The whole body, once it has arrived. Fails for a form: a form may be large, so it is only streamed and never held in memory. */
  get #bytes(): Effect.Effect<Bytes, HttpServerError.HttpServerError> {
    const { body } = this
    if (!(body instanceof UwsBody)) return Effect.succeed(body)
    const { arrived } = body
    if (arrived !== undefined && !isForm(this.headers)) return Effect.succeed(arrived)
    return isForm(this.headers)
      ? Effect.fail(this.#unreadable("a form is not held in memory"))
      : Effect.mapError(body.whole, (cause) => this.#unreadable(cause))
  }
  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    return Effect.map(this.#bytes, (bytes) => bytes.slice().buffer)
  }
  /** The body as text; fails when it is not UTF-8. It is decoded once, because it is checked as text before it is parsed. */
  get text(): Effect.Effect<string, HttpServerError.HttpServerError> {
    return Effect.flatMap(this.#bytes, (bytes) => {
      if (this.#text === undefined && !isUtf8(bytes)) return Effect.fail(this.#unreadable(new NotUtf8()))
      this.#text ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
      return Effect.succeed(this.#text)
    })
  }
  get json(): Effect.Effect<Schema.Json, HttpServerError.HttpServerError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({ try: (): Schema.Json => JSON.parse(text), catch: (cause) => this.#unreadable(cause) })
    )
  }
  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.HttpServerError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }
  get stream(): Stream.Stream<Uint8Array, HttpServerError.HttpServerError> {
    const { body } = this
    return body instanceof UwsBody
      ? Stream.mapError(body.bytes, (cause) => this.#unreadable(cause))
      : Stream.succeed(body)
  }
  get cookies(): Readonly<Record<string, string>> {
    this.#cookies ??= Cookies.parseHeader(this.headers.cookie ?? "")
    return this.#cookies
  }
  get multipartStream(): Stream.Stream<Multipart.Part, Multipart.MultipartError> {
    const { body, headers } = this
    const bytes: Stream.Stream<Uint8Array, Multipart.MultipartError> =
      body instanceof UwsBody
        ? Stream.mapError(body.bytes, (cause) =>
            Multipart.MultipartError.fromReason(cause.reason === "too_large" ? "BodyTooLarge" : "InternalError", cause)
          )
        : Stream.succeed(body)
    return Stream.pipeThroughChannel(bytes, Multipart.makeChannel(headers)).pipe(
      // On some malformed forms the library's parser throws instead of failing.
      Stream.catchCause((cause) =>
        Stream.failCause(
          Cause.hasDies(cause) ? Cause.fail(Multipart.MultipartError.fromReason("Parse", Cause.squash(cause))) : cause
        )
      )
    )
  }
  /** The parsed form. Its files are stored in a temporary folder that lives as long as the request. */
  get multipart(): Effect.Effect<
    Multipart.Persisted,
    Multipart.MultipartError,
    Scope.Scope | FileSystem.FileSystem | Path.Path
  > {
    this.#multipart ??= Effect.runSync(Effect.cached(Multipart.toPersisted(this.multipartStream)))
    return this.#multipart
  }
  get upgrade(): Effect.Effect<never, HttpServerError.HttpServerError> {
    return this.upgradeWith()
  }
  /** Always fails: WebSocket routes are registered on the server itself. */
  upgradeWith(): Effect.Effect<never, HttpServerError.HttpServerError> {
    return Effect.fail(this.#unreadable("this route cannot be upgraded"))
  }
  modify(changes: Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]): UwsRequest {
    const { source, method, url, originalUrl, headers, remoteAddress, peerAddress, protocol, body } = this
    return new UwsRequest({
      ...{ source, method, url, originalUrl, headers, remoteAddress, peerAddress, protocol, body },
      ...changes
    })
  }
  /** The same request with another body, of JSON. */
  withJson(body: Bytes): UwsRequest {
    const { source, method, url, originalUrl, remoteAddress, peerAddress, protocol } = this
    const headers = Headers.set(this.headers, "content-type", "application/json")
    return new UwsRequest({ source, method, url, originalUrl, headers, remoteAddress, peerAddress, protocol, body })
  }
  /** From now on, once the body has arrived, the handler continues when the client disconnects. Closing the server still ends it. */
  goOn(): void {
    this.source.goesOn = true
  }
  #unreadable(cause: unknown): HttpServerError.HttpServerError {
    return new HttpServerError.HttpServerError({
      reason: new HttpServerError.RequestParseError({ request: this, cause })
    })
  }
  override toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "UwsRequest",
      method: this.method,
      url: UrlParams.redactUrl(this.originalUrl)
    })
  }
}
