/**
 * One clause = one HTTP request whose response body is the audio, passed on as it arrives. What all providers share: kept-alive
 * connections, time-outs, new attempts before the first byte and a second one in the middle, a circuit breaker, abort on interruption, errors as
 * `SpeechError`.
 */
import { Cause, Effect, Scope, Stream } from "effect"
import { SpeechError } from "../../domain/Speech.ts"
import { type Answer, BodyLate, readText } from "../resilience/Answer.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import type { Connections } from "../resilience/Connections.ts"
import { leftUntil } from "../resilience/Deadline.ts"
import { type Patience, persistThrough } from "../resilience/Persistence.ts"
import { explain, reasonOfStatus } from "./SpeechFailure.ts"
import { HeaderStripper } from "./WavHeader.ts"

export interface SpeechHttpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface SpeechHttpOptions {
  /** Until the first byte of audio, in milliseconds, all attempts together; one has half of them. Default 6,000. */
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

const defaultFirstByteMs = 6_000
const defaultBetweenChunksMs = 4_000
const maxErrorBytes = 4_096

/** Waits for the first chunk too, so that a connection lost before any audio can be tried again. All of it is over after `firstByteMs`. */
const begin = Effect.fnUntraced(function* (
  connections: Connections["Service"],
  provider: string,
  request: SpeechHttpRequest,
  firstByteMs: number
) {
  const until = performance.now() + firstByteMs
  const attempt = (reason: SpeechError["reason"], message: string, again: boolean): Attempt => ({
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
  const explanation = Effect.promise(() => readText(response, maxErrorBytes, until).catch(() => ""))
  const { status } = response
  if (status < 200 || status >= 300) {
    const message = `Status ${status}: ${explain(yield* explanation)}`
    return yield* Effect.fail(attempt(reasonOfStatus(status), message, reasonOfStatus(status) !== "rejected"))
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

/** A response that has begun to be audio. */
interface Begun {
  readonly first: Buffer
  readonly rest: Answer
}

/** The audio of one response as it comes, without a header. */
class Audio {
  private readonly header = new HeaderStripper()
  private readonly rest: Answer
  private waiting: Buffer | undefined
  private ended = false

  constructor({ first, rest }: Begun) {
    this.waiting = first
    this.rest = rest
  }

  /** The next piece with sound in it; undefined at the end. */
  async next(betweenChunksMs: number): Promise<Uint8Array | undefined> {
    while (!this.ended) {
      const piece = this.waiting ?? (await this.rest.next(betweenChunksMs))
      this.waiting = undefined
      this.ended = piece === undefined
      const sound = piece === undefined ? this.header.end() : this.header.push(piece)
      if (sound.length > 0) return sound
    }
    return undefined
  }
}

/** How often a clause is asked for again after its audio broke off. */
const maxResumptions = 1

/**
 * The audio of one clause. When it breaks off it is asked for again, and goes on where it was: the same words in the same voice take about as
 * long, so what is heard is at most a small jump.
 */
const clause = (
  provider: string,
  begin: Effect.Effect<Begun, SpeechError, Scope.Scope>,
  betweenChunksMs: number
): Stream.Stream<Uint8Array, SpeechError> => {
  const broken = (cause: unknown) =>
    cause instanceof BodyLate
      ? new SpeechError({ provider, reason: "timeout", message: `No more audio for ${betweenChunksMs} ms` })
      : new SpeechError({ provider, reason: "unavailable", message: `Connection lost in the middle: ${cause}` })
  const open = Effect.map(begin, (begun) => new Audio(begun))
  const pull = Effect.gen(function* () {
    const scope = yield* Effect.scope
    let audio = yield* open
    let given = 0
    let toSkip = 0
    let resumptions = 0
    /** The next piece that was not given yet; undefined at the end. */
    const next = async (): Promise<Uint8Array | undefined> => {
      let sound = await audio.next(betweenChunksMs)
      while (sound !== undefined && sound.length <= toSkip) {
        toSkip -= sound.length
        sound = await audio.next(betweenChunksMs)
      }
      const fresh = sound?.subarray(toSkip)
      toSkip = 0
      given += fresh?.length ?? 0
      return fresh
    }
    const resume = (error: SpeechError) => {
      if (resumptions++ === maxResumptions) return Effect.fail(error)
      return Effect.logWarning("speech broke off, asked for again", error).pipe(
        Effect.andThen(Scope.provide(open, scope)),
        Effect.flatMap((anew) => {
          audio = anew
          toSkip = given
          return piece
        })
      )
    }
    const piece: Effect.Effect<Uint8Array | undefined, SpeechError> = Effect.catch(
      Effect.tryPromise({ try: next, catch: broken }),
      resume
    )
    return Effect.flatMap(piece, (sound) => (sound === undefined ? Cause.done() : Effect.succeed([sound] as const)))
  })
  return Stream.unwrap(Effect.map(pull, (pulling) => Stream.fromPull(Effect.succeed(pulling))))
}

/** Requests to one provider; `provider` names it in errors, metrics and logs. */
export const makeSpeechHttp: (
  provider: string,
  connections: Connections["Service"],
  options: SpeechHttpOptions
) => Effect.Effect<SpeechHttp, never, Scope.Scope> = Effect.fnUntraced(function* (provider, connections, options) {
  const firstByteMs = options.firstByteMs ?? defaultFirstByteMs
  const betweenChunksMs = options.betweenChunksMs ?? defaultBetweenChunksMs
  const circuit = yield* makeCircuit<Attempt>({
    provider: `text-to-speech/${provider}`,
    reasonOf: ({ error }) => error.reason,
    refuse: (message) => ({ error: new SpeechError({ provider, reason: "unavailable", message }), again: true }),
    policy: options.circuit
  })
  const patience: Patience<Attempt> = { ms: firstByteMs, again: ({ again }) => again }
  const untilFirstByte = (request: SpeechHttpRequest) =>
    Effect.mapError(
      persistThrough(circuit, patience, (timeoutMs) => begin(connections, provider, request, timeoutMs)),
      (attempt) => attempt.error
    )
  return { stream: (request) => clause(provider, untilFirstByte(request), betweenChunksMs) }
})
