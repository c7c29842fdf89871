/**
 * One clause = one HTTP request whose response body is the audio, passed on as it arrives. All providers share this: kept-alive connections,
 * time-outs, new attempts before the first byte and one in the middle, a circuit breaker, abort on interruption, and errors as `SpeechError`.
 */
import { Cause, Effect, Scope, Stream } from "effect"
import { SpeechError } from "../../domain/ai/providers/Speech.ts"
import { BodyLate, readText } from "../connections/Answer.ts"
import type { Connections } from "../connections/Connections.ts"
import { leftUntil } from "../connections/Deadline.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { retryThroughCircuit } from "../resilience/Patience.ts"
import { ClauseAudio } from "./ClauseAudio.ts"
import { NoAudio, SpeechAudio } from "./SpeechAudio.ts"
import { explain, reasonOfStatus } from "./SpeechFailure.ts"

export interface SpeechHttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface SpeechHttpOptions {
  /**
   * Milliseconds until the first byte of audio, over all attempts; one attempt gets two thirds of it. Default 6,000. Half of it applies to a new
   * request in the middle of a clause.
   */
  readonly firstByteMs?: number | undefined
  /** Longest time between two chunks, in milliseconds. Default 2,000: audio comes faster than it is heard. */
  readonly betweenChunksMs?: number | undefined
  /** The circuit breaker of each provider. */
  readonly circuit?: Partial<CircuitPolicy> | undefined
}

export interface SpeechHttp {
  /** Mu-law bytes as they come. A slow reader pauses the response; interruption closes the connection. */
  readonly stream: (request: SpeechHttpRequest) => Stream.Stream<Uint8Array, SpeechError>
}

/** `again`: another attempt may succeed. */
interface FailedAttempt {
  readonly error: SpeechError
  readonly again: boolean
}

const defaultFirstByteMs = 6_000
const defaultBetweenChunksMs = 2_000
const maxErrorBytes = 4_096
/** Content types that no audio has. */
const textual = /^\s*text\/|json|xml/i

/**
 * Sends the request and waits for the first sound. So a connection that is lost before it, and an answer that has none (an empty body, an error with
 * status 200), can be tried again. Takes at most `firstByteMs`.
 */
const begin = Effect.fnUntraced(function* (
  connections: Connections["Service"],
  provider: string,
  request: SpeechHttpRequest,
  firstByteMs: number
) {
  const until = performance.now() + firstByteMs
  const attempt = (reason: SpeechError["reason"], message: string, again: boolean): FailedAttempt => ({
    error: new SpeechError({ provider, reason, message }),
    again
  })
  const late = () => attempt("timeout", `No audio within ${Math.round(firstByteMs)} ms`, true)
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
  const failed = (failure: FailedAttempt) => {
    response.leave()
    return Effect.fail(failure)
  }
  const explanation = Effect.promise(() => readText(response, maxErrorBytes, until).catch(() => ""))
  const { status } = response
  if (status < 200 || status >= 300) {
    const message = `Status ${status}: ${explain(yield* explanation)}`
    return yield* failed(attempt(reasonOfStatus(status), message, reasonOfStatus(status) !== "rejected"))
  }
  const type = response.headers["content-type"] ?? ""
  if (textual.test(type)) {
    return yield* failed(attempt("protocol", `Expected audio, got ${type}: ${explain(yield* explanation)}`, true))
  }
  const audio = new SpeechAudio(response)
  yield* Effect.tryPromise({
    try: () => audio.begin(() => leftUntil(until)),
    catch: (cause) => {
      if (cause instanceof BodyLate) return late()
      return cause instanceof NoAudio
        ? attempt("protocol", cause.message, true)
        : attempt("unavailable", String(cause), true)
    }
  }).pipe(Effect.catch(failed))
  return audio
})

/** Requests to one provider; `provider` names it in errors, metrics and logs. */
export const makeSpeechHttp: (
  provider: string,
  connections: Connections["Service"],
  options: SpeechHttpOptions
) => Effect.Effect<SpeechHttp, never, Scope.Scope> = Effect.fnUntraced(function* (provider, connections, options) {
  const firstByteMs = options.firstByteMs ?? defaultFirstByteMs
  const betweenChunksMs = options.betweenChunksMs ?? defaultBetweenChunksMs
  const circuit = yield* makeCircuit<FailedAttempt>({
    provider: `text-to-speech/${provider}`,
    reasonOf: ({ error }) => error.reason,
    refuse: (message) => ({ error: new SpeechError({ provider, reason: "unavailable", message }), again: true }),
    policy: options.circuit
  })
  const begun = (request: SpeechHttpRequest, ms: number) =>
    Effect.mapError(
      retryThroughCircuit(circuit, { ms, again: ({ again }: FailedAttempt) => again }, (ms * 2) / 3, (timeoutMs) =>
        begin(connections, provider, request, timeoutMs)
      ),
      ({ error }) => error
    )
  const broken = (cause: unknown) =>
    cause instanceof BodyLate
      ? new SpeechError({ provider, reason: "timeout", message: `No more audio for ${betweenChunksMs} ms` })
      : new SpeechError({ provider, reason: "unavailable", message: `Connection lost in the middle: ${cause}` })
  const pulled = (sound: Uint8Array | undefined) =>
    sound === undefined ? Cause.done() : Effect.succeed([sound] as const)
  return {
    stream: (request) =>
      Stream.unwrap(
        Effect.flatMap(Effect.scope, (scope) =>
          Effect.map(begun(request, firstByteMs), (first) => {
            const again = begun(request, firstByteMs / 2)
            const clause = new ClauseAudio(first, again, betweenChunksMs, broken)
            return Stream.fromPull(Effect.succeed(Effect.flatMap(Scope.provide(clause.piece, scope), pulled)))
          })
        )
      )
  }
})
