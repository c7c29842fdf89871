/**
 * One clause = one HTTP request whose response body is the audio, passed on as it arrives. What all providers share: kept-alive
 * connections, time-outs, one retry before the first byte, a circuit breaker, abort on interruption, errors as `SpeechError`.
 */
import { Cause, Effect, type Scope, Stream } from "effect"
import { SpeechError } from "../../domain/Speech.ts"
import { type Answer, BodyLate, readText } from "../resilience/Answer.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import type { Connections } from "../resilience/Connections.ts"
import { leftUntil } from "../resilience/Deadline.ts"
import { explain, reasonOfStatus } from "./SpeechFailure.ts"
import { HeaderStripper } from "./WavHeader.ts"

export interface SpeechHttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface SpeechHttpOptions {
  /** Until the first byte of audio, in milliseconds. Default 4,000. */
  readonly firstByteMs?: number | undefined
  /** Between two chunks, in milliseconds. Default 4,000. */
  readonly betweenChunksMs?: number | undefined
  /** Of each provider. */
  readonly circuit?: Partial<CircuitPolicy> | undefined
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

/** Waits for the first chunk too, so that a connection lost before any audio can be tried again. All of it is over at `until`, by `performance.now()`. */
const begin = Effect.fnUntraced(function* (
  connections: Connections["Service"],
  provider: string,
  request: SpeechHttpRequest,
  firstByteMs: number,
  until: number
) {
  const attempt = (reason: SpeechError["reason"], message: string, again: boolean): Attempt => ({
    error: new SpeechError({ provider, reason, message }),
    again
  })
  const late = () => attempt("timeout", `No audio within ${firstByteMs} ms`, false)
  const response = yield* connections
    .post({
      url: request.url,
      headers: request.headers,
      body: JSON.stringify(request.body),
      timeoutMs: leftUntil(until)
    })
    .pipe(
      Effect.mapError((error) => (error._tag === "AnswerLate" ? late() : attempt("unavailable", error.message, true)))
    )
  const explanation = Effect.promise(() => readText(response, maxErrorBytes, until).catch(() => ""))
  const { status } = response
  if (status < 200 || status >= 300) {
    const message = `Status ${status}: ${explain(yield* explanation)}`
    return yield* Effect.fail(attempt(reasonOfStatus(status), message, status >= 500))
  }
  const type = response.headers["content-type"] ?? ""
  if (type.includes("json")) {
    return yield* Effect.fail(attempt("protocol", `Expected audio, got ${type}: ${explain(yield* explanation)}`, false))
  }
  const first = yield* Effect.tryPromise({
    try: () => response.next(leftUntil(until)),
    catch: (cause) => (cause instanceof BodyLate ? late() : attempt("unavailable", String(cause), true))
  })
  if (first === undefined) return yield* Effect.fail(attempt("protocol", "The response has no audio", false))
  return { first, rest: response }
})

/** The audio as it comes: `first`, then the `rest`, without a header. */
const audio = (provider: string, first: Buffer, rest: Answer, betweenChunksMs: number) => {
  const header = new HeaderStripper()
  const broken = (cause: unknown) =>
    cause instanceof BodyLate
      ? new SpeechError({ provider, reason: "timeout", message: `No more audio for ${betweenChunksMs} ms` })
      : new SpeechError({ provider, reason: "unavailable", message: `Connection lost in the middle: ${cause}` })
  let waiting: Buffer | undefined = first
  let ended = false
  /** The next piece with sound in it; undefined at the end. */
  const next = async (): Promise<Uint8Array | undefined> => {
    while (!ended) {
      const piece = waiting ?? (await rest.next(betweenChunksMs))
      waiting = undefined
      ended = piece === undefined
      const sound = piece === undefined ? header.end() : header.push(piece)
      if (sound.length > 0) return sound
    }
    return undefined
  }
  const pull = Effect.tryPromise({ try: next, catch: broken }).pipe(
    Effect.flatMap((piece) => (piece === undefined ? Cause.done() : Effect.succeed([piece] as const)))
  )
  return Stream.fromPull(Effect.succeed(pull))
}

/** Requests to one provider; `provider` names it in errors, metrics and logs. */
export const makeSpeechHttp: (
  provider: string,
  connections: Connections["Service"],
  options: SpeechHttpOptions
) => Effect.Effect<SpeechHttp, never, Scope.Scope> = Effect.fnUntraced(function* (provider, connections, options) {
  const firstByteMs = options.firstByteMs ?? defaultTimeoutMs
  const betweenChunksMs = options.betweenChunksMs ?? defaultTimeoutMs
  const circuit = yield* makeCircuit<SpeechError>({
    provider: `text-to-speech/${provider}`,
    reasonOf: (error) => error.reason,
    refuse: (message) => new SpeechError({ provider, reason: "unavailable", message }),
    policy: options.circuit
  })
  const untilFirstByte = (request: SpeechHttpRequest) =>
    Effect.suspend(() => {
      const until = performance.now() + firstByteMs
      return Effect.retry(begin(connections, provider, request, firstByteMs, until), {
        times: 1,
        while: (attempt) => attempt.again
      })
    }).pipe(
      Effect.mapError((attempt) => attempt.error),
      circuit.guard
    )
  return {
    stream: (request) =>
      Stream.unwrap(
        Effect.map(untilFirstByte(request), ({ first, rest }) => audio(provider, first, rest, betweenChunksMs))
      )
  }
})
