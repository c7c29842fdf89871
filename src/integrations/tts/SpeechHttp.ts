/**
 * One clause = one HTTP request whose response body is the audio, passed on as it arrives. What all providers share: kept-alive
 * connections, time-outs, one retry before the first byte, abort on interruption, errors as `SpeechError`.
 */
import * as http from "node:http"
import * as https from "node:https"
import { Effect, type Scope, Stream } from "effect"
import { SpeechError } from "../../domain/Speech.ts"
import { explain, reasonOfStatus } from "./SpeechFailure.ts"
import { stripHeader } from "./WavHeader.ts"

export interface SpeechHttpRequest {
  readonly provider: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface SpeechTimeouts {
  /** Until the first byte of audio. Default 4 s. */
  readonly firstByteMs?: number | undefined
  /** Between two chunks. Default 4 s. */
  readonly betweenChunksMs?: number | undefined
}

export interface SpeechHttp {
  /** mu-law bytes as they come. Waiting for a slow reader pauses the response; interruption closes the connection. */
  readonly stream: (request: SpeechHttpRequest) => Stream.Stream<Uint8Array, SpeechError>
}

/** A failed attempt; `again` says that a second one may succeed. */
interface Attempt {
  readonly error: SpeechError
  readonly again: boolean
}

const defaultTimeoutMs = 4_000
const maxErrorBytes = 4_096

const readSome = async (response: http.IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of response) {
    text += chunk
    if (text.length > maxErrorBytes) break
  }
  return text
}

/** Sends the request; resolves with a response whose status is 2xx. Aborts when interrupted or when the scope closes. */
const respond = (
  agents: { readonly http: http.Agent; readonly https: https.Agent },
  request: SpeechHttpRequest
): Effect.Effect<http.IncomingMessage, Attempt, Scope.Scope> => {
  const failed = (reason: SpeechError["reason"], message: string, again: boolean): Effect.Effect<never, Attempt> =>
    Effect.fail({ error: new SpeechError({ provider: request.provider, reason, message }), again })
  const body = JSON.stringify(request.body)
  const secure = request.url.startsWith("https:")
  const send = () =>
    (secure ? https : http).request(request.url, {
      method: "POST",
      agent: secure ? agents.https : agents.http,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...request.headers
      }
    })
  return Effect.acquireRelease(
    Effect.sync(() => send().on("error", () => undefined)),
    // A response read to its end has given its connection back, destroying it then changes nothing.
    (sent) => Effect.sync(() => sent.destroy())
  ).pipe(
    Effect.flatMap((sent) =>
      Effect.callback<http.IncomingMessage, Attempt>((resume) => {
        sent.once("error", (error) => resume(failed("unavailable", error.message, true)))
        sent.once("response", (response) => {
          const status = response.statusCode ?? 0
          if (status >= 200 && status < 300) return resume(Effect.succeed(response))
          const reason = reasonOfStatus(status)
          const fail = (text: string) => resume(failed(reason, `Status ${status}: ${explain(text)}`, status >= 500))
          readSome(response).then(fail, () => fail(""))
        })
        sent.end(body)
      })
    )
  )
}

/** Waits for the first chunk too, so that a connection lost before any audio can be tried again. */
const begin = (agents: Parameters<typeof respond>[0], request: SpeechHttpRequest) =>
  Effect.gen(function* () {
    const response = yield* respond(agents, request)
    const type = response.headers["content-type"] ?? ""
    const attempt = (reason: SpeechError["reason"], message: string, again: boolean): Attempt => ({
      error: new SpeechError({ provider: request.provider, reason, message }),
      again
    })
    if (type.includes("json")) {
      const text = yield* Effect.promise(() => readSome(response).catch(() => ""))
      return yield* Effect.fail(attempt("protocol", `Expected audio, got ${type}: ${explain(text)}`, false))
    }
    const chunks: AsyncIterator<Buffer> = response[Symbol.asyncIterator]()
    const first = yield* Effect.tryPromise({
      try: () => chunks.next(),
      catch: (cause) => attempt("unavailable", String(cause), true)
    })
    if (first.done) return yield* Effect.fail(attempt("protocol", "The response has no audio", false))
    return { first: first.value, chunks }
  })

const rest = (provider: string, chunks: AsyncIterator<Buffer>): Stream.Stream<Uint8Array, SpeechError> =>
  Stream.fromAsyncIterable(
    { [Symbol.asyncIterator]: () => chunks },
    (cause) => new SpeechError({ provider, reason: "unavailable", message: `Connection lost in the middle: ${cause}` })
  )

/** Kept-alive connections to the providers, closed with the scope. */
export const makeSpeechHttp = (timeouts: SpeechTimeouts = {}): Effect.Effect<SpeechHttp, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const settings = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 64, scheduling: "lifo" } as const
      return { http: new http.Agent(settings), https: new https.Agent(settings) }
    }),
    (agents) =>
      Effect.sync(() => {
        agents.http.destroy()
        agents.https.destroy()
      })
  ).pipe(
    Effect.map((agents) => {
      const firstByteMs = timeouts.firstByteMs ?? defaultTimeoutMs
      const betweenChunksMs = timeouts.betweenChunksMs ?? defaultTimeoutMs
      const late = (provider: string, message: string) => new SpeechError({ provider, reason: "timeout", message })
      return {
        stream: (request) =>
          Stream.unwrap(
            begin(agents, request).pipe(
              Effect.retry({ times: 1, while: (attempt) => attempt.again }),
              Effect.mapError((attempt) => attempt.error),
              Effect.timeoutOrElse({
                duration: firstByteMs,
                orElse: () => Effect.fail(late(request.provider, `No audio within ${firstByteMs} ms`))
              }),
              Effect.map(({ first, chunks }) =>
                Stream.concat(
                  Stream.succeed<Uint8Array>(first),
                  rest(request.provider, chunks).pipe(
                    Stream.timeoutOrElse({
                      duration: betweenChunksMs,
                      orElse: () => Stream.fail(late(request.provider, `No more audio for ${betweenChunksMs} ms`))
                    })
                  )
                )
              )
            )
          ).pipe(stripHeader)
      }
    })
  )
