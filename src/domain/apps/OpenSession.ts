/**
 * Opens a connection for work: its requests keep the provider's pace, have a time limit, and are noted for the log. Nothing here stores anything.
 */
import { Clock, Duration, Effect, Predicate } from "effect"
import { HttpClient, type HttpClientError, type HttpClientRequest } from "effect/http"
import { LargestAnswer } from "../basics/limits/LargestAnswer.ts"
import { makeCounter } from "../basics/limits/RateLimits.ts"
import { AppAdapters, type AppAnswer, AppFailure, type AppSession } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import { type AppProvider, appProviders } from "./Catalogue.ts"
import { type Exchange, logged } from "./Exchange.ts"

/** A request waits for its turn at most so long here; beyond that the whole connection waits. */
const longestTurnMs = 2_000
const longestAnswer = "15 seconds"

export interface OpenedSession {
  readonly session: AppSession
  /** What was said so far. */
  readonly exchanges: ReadonlyArray<Exchange>
  /** How long the provider wants us to wait after this, in milliseconds. */
  readonly slowMs: () => number
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string | null =>
  body._tag === "Uint8Array" && body.contentType !== "application/octet-stream"
    ? Buffer.from(body.body).toString("utf8")
    : null

const unanswered = (error: HttpClientError.HttpClientError): AppFailure => {
  const cause = Predicate.hasProperty(error.reason, "cause") ? error.reason.cause : undefined
  return Predicate.isTagged(cause, "PrivateAddress")
    ? new AppFailure({ action: "give_up", message: "The address is not on the public internet." })
    : new AppFailure({ action: "retry", message: "No connection could be made, or it was lost before an answer came." })
}

type Given = Pick<StoredConnection, "organizationId" | "provider" | "settings" | "credentials"> & {
  /** The id of the connection, or of the organization before there is one: whose requests are counted. */
  readonly id: string
}

/** Needs AppAdapters, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makeOpenSession = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const client = yield* HttpClient.HttpClient
  const turns = new Map<AppProvider, Effect.Success<ReturnType<typeof makeCounter>>>()
  for (const provider of appProviders) {
    const { requests: limit, windowMs } = adapters[provider].rate
    const rule = { name: `app:${provider}`, what: "requests", limit, window: Duration.millis(windowMs) }
    turns.set(provider, yield* makeCounter(rule))
  }

  /** Waits for a turn; when that would take long, all of the connection waits. */
  const turn = Effect.fnUntraced(function* (provider: AppProvider, id: string) {
    const count = turns.get(provider)
    for (let waited = 0; count !== undefined; ) {
      const { exceeded, reset } = yield* count(id)
      if (!exceeded) return
      const ms = Math.max(1, Duration.toMillis(reset))
      waited += ms
      if (waited > longestTurnMs)
        return yield* new AppFailure({ action: "wait", message: "The provider's limit is used up.", retryAfterMs: ms })
      yield* Effect.sleep(ms)
    }
  })

  const file = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, maxBytes: number) {
    const response = yield* client.execute(request).pipe(Effect.provideService(LargestAnswer, maxBytes))
    const bytes = new Uint8Array(yield* response.arrayBuffer)
    return { status: response.status, headers: response.headers, bytes }
  })

  const exchange = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const response = yield* client.execute(request)
    const text = yield* response.text
    return { status: response.status, headers: response.headers, text } satisfies AppAnswer
  })

  const timed = <A>(answering: Effect.Effect<A, HttpClientError.HttpClientError>) =>
    answering.pipe(
      Effect.mapError(unanswered),
      Effect.timeoutOrElse({
        duration: longestAnswer,
        orElse: () => Effect.fail(new AppFailure({ action: "retry", message: `No answer within ${longestAnswer}.` }))
      })
    )

  /** Requests that nobody logs: those for tokens. */
  const askUnlogged =
    ({ provider, id }: Pick<Given, "provider" | "id">): AppSession["ask"] =>
    (request) =>
      Effect.andThen(turn(provider, id), timed(exchange(request)))

  const open = ({ organizationId, provider, settings, credentials, id }: Given): OpenedSession => {
    const exchanges: Array<Exchange> = []
    const secrets = Object.values(credentials)
    let slow = 0
    /** Makes the request and notes what was said. */
    const noted = Effect.fnUntraced(function* <A extends Omit<AppAnswer, "text">>(
      request: HttpClientRequest.HttpClientRequest,
      answering: Effect.Effect<A, HttpClientError.HttpClientError>,
      textOf: (answer: A) => string | null
    ) {
      yield* turn(provider, id)
      const at = yield* Clock.currentTimeMillis
      const note = (answer: A | undefined, error: string | null) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const said = { at, method: request.method, url: request.url, request: bodyOf(request), error }
          const response = answer === undefined ? null : textOf(answer)
          const heard = { status: answer?.status ?? null, response, durationMs: now - at }
          exchanges.push(logged({ ...said, ...heard }, secrets))
        })
      const answer = yield* Effect.tapError(timed(answering), ({ message }) => note(undefined, message))
      yield* note(answer, null)
      slow = Math.max(slow, adapters[provider].slowDown?.(answer.headers) ?? 0)
      return answer
    })
    const ask: AppSession["ask"] = (request) => noted(request, exchange(request), ({ text }) => text)
    const fetch: AppSession["fetch"] = (request, maxBytes) => noted(request, file(request, maxBytes), () => null)
    return { session: { organizationId, settings, credentials, ask, fetch }, exchanges, slowMs: () => slow }
  }
  return { open, askUnlogged }
})
