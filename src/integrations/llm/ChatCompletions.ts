/**
 * Reasoning through any OpenAI-compatible `/chat/completions`: streamed, with tools, fallback models and deadlines. A failure before the first event
 * is repaired in silence (retry, next model, no tools, all models again). A later failure fails the stream, because spoken words cannot be taken
 * back. Reasoning deltas are never passed on.
 */

import { Data, Effect, Layer, Queue, Stream } from "effect"
import {
  Attempts,
  Reasoning,
  ReasoningError,
  type ReasoningEvent,
  type ReasoningRequest
} from "../../domain/ai/providers/Reasoning.ts"
import { traced } from "../../domain/basics/Traced.ts"
import * as Connections from "../connections/Connections.ts"
import { leftUntil } from "../connections/Deadline.ts"
import { type Circuit, type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { retryPatiently, usualPatienceMs } from "../resilience/Patience.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { AttemptFailed, attempt } from "./Attempt.ts"
import { requestBody } from "./RequestBody.ts"

export interface ChatCompletionsOptions {
  /** Including the version, e.g. `https://api.groq.com/openai/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Tried in this order; the first is the normal one. */
  readonly models: ReadonlyArray<string>
  /** The models that take pictures, in this order; none by default. Requests with pictures go to them. */
  readonly pictureModels?: ReadonlyArray<string>
  readonly maxTokens: number
  readonly temperature: number
  /** Milliseconds from the request to the first text or tool call, per attempt; 5,000 by default. */
  readonly firstTokenTimeoutMs?: number
  /** Milliseconds between two chunks of an answer that has begun; 4,000 by default. */
  readonly chunkTimeoutMs?: number
  /** How long a turn goes on asking when no model can be reached, in milliseconds; 4,000 by default. */
  readonly patienceMs?: number
  /** Milliseconds from the request to the first text or tool call, over all models and attempts; 8,000 by default. */
  readonly firstWordsMs?: number
  /** The circuit breaker of each model. */
  readonly circuit?: Partial<CircuitPolicy>
}

/** How long a request for an answer waits for the first words, over all models; then the turn fails. Milliseconds. */
const firstWordsMs = 8_000

/** A model and its circuit breaker. */
interface Candidate {
  readonly model: string
  readonly circuit: Circuit<AttemptFailed>
}

const retryDelayMs = 100
/** With less time left than this, no further model is asked. Milliseconds. */
const shortestAttemptMs = 100
/** Between two rounds of requests. Long enough that the attempts of a turn last as long as its patience. Milliseconds. */
const roundPauses = [250, 1_000] as const

interface Asking {
  /** Asks a model once. Returns what went wrong, or undefined when the model has answered. */
  readonly ask: (candidate: Candidate, withTools: boolean, again: boolean) => Effect.Effect<AttemptFailed | undefined>
  readonly attempts: Attempts
  /** Whether the turn may make another request. */
  readonly mayAsk: () => boolean
}

/** No model has answered. `hopeful`: one could not be reached, which may change in a moment. */
class AllFailed extends Data.TaggedError("AllFailed")<{ readonly error: ReasoningError; readonly hopeful: boolean }> {}

/** Asks one model. In the first round it retries once where that may help. Returns the failure, if any; fails when no model could answer. */
const askModel = Effect.fnUntraced(function* (candidate: Candidate, { ask, mayAsk }: Asking, first: boolean) {
  let withTools = true
  let retried = !first
  while (true) {
    const failure = yield* ask(candidate, withTools, retried)
    if (failure === undefined) return undefined
    if (failure.remedy === "none" || !mayAsk()) return yield* new AllFailed({ error: failure.error, hopeful: false })
    if (failure.remedy === "without_tools" && withTools) {
      withTools = false
      continue
    }
    if (failure.remedy !== "again" || retried) {
      const { reason } = failure.error
      if (first)
        yield* Effect.logWarning("language model did not answer").pipe(
          Effect.annotateLogs({ model: candidate.model, reason })
        )
      return failure
    }
    retried = true
    yield* Effect.sleep(retryDelayMs)
  }
})

const noModel = () => new ReasoningError({ reason: "rejected", message: "no model is configured" })

/** Asks one model after the other. After the first round it makes one request: models of one provider are out of reach together. */
const askEach = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, asking: Asking, round: number) {
  const { attempts } = asking
  // No error is made for a model that answers: its stack trace alone costs a tenth of the whole request.
  let error: ReasoningError | undefined
  let hopeful = false
  const from = Math.max(0, round - 1) % Math.max(1, candidates.length)
  for (const candidate of [...candidates.slice(from), ...candidates.slice(0, from)]) {
    const { failed } = attempts
    const failure = yield* askModel(candidate, asking, round === 0)
    if (failure === undefined) return
    error = failure.error
    hopeful ||= error.reason === "unavailable"
    // An open circuit has let no request through.
    if (round > 0 && attempts.failed > failed) break
  }
  return yield* new AllFailed({ error: error ?? noModel(), hopeful })
})

/** Asks the models, and all of them again while one may answer before patience is over. */
const askAll = (candidates: ReadonlyArray<Candidate>, asking: Asking, patienceMs: number) =>
  Effect.mapError(
    asking.mayAsk()
      ? retryPatiently(
          { ms: patienceMs, again: ({ hopeful }: AllFailed) => hopeful && asking.mayAsk(), pauses: roundPauses },
          (_, round) => askEach(candidates, asking, round),
          () => Math.min(...candidates.map(({ circuit }) => circuit.waitMs()))
        )
      : Effect.fail(new AllFailed({ error: exhausted(asking.attempts), hopeful: false })),
    ({ error }) => error
  )

const exhausted = ({ failed }: Attempts) =>
  new ReasoningError({ reason: "unavailable", message: `${failed} requests of this turn have failed` })

const answer = traced("ChatCompletions.answer")(function* (
  connections: Connections.Connections["Service"],
  candidates: ReadonlyArray<Candidate>,
  options: ChatCompletionsOptions,
  request: ReasoningRequest,
  offer: (event: ReasoningEvent) => void
) {
  const attempts = request.attempts ?? new Attempts()
  const wordsBy = performance.now() + (options.firstWordsMs ?? firstWordsMs)
  let heard = false
  const emit = (event: ReasoningEvent) => {
    heard = true
    offer(event)
  }
  const ask: Asking["ask"] = ({ model, circuit }, withTools, again) =>
    circuit
      .guardUntil(
        (begun) =>
          attempt(connections, {
            url: endpoint(options.baseUrl, "/chat/completions"),
            apiKey: options.apiKey,
            model,
            body: requestBody(
              request,
              { model, maxTokens: options.maxTokens, temperature: options.temperature },
              withTools
            ),
            firstTokenTimeoutMs: Math.min(options.firstTokenTimeoutMs ?? 5_000, leftUntil(wordsBy)),
            chunkTimeoutMs: options.chunkTimeoutMs ?? 4_000,
            emit,
            enough: request.enough ?? always,
            begun
          }).pipe(Effect.tapError(() => Effect.sync(() => attempts.left--))),
        again
      )
      .pipe(
        Effect.as(undefined),
        Effect.catchTag("AttemptFailed", ({ error, remedy }) =>
          Effect.succeed(new AttemptFailed({ error, remedy: heard ? "none" : remedy }))
        )
      )
  const mayAsk = () => attempts.left > 0 && leftUntil(wordsBy) > shortestAttemptMs
  yield* askAll(candidates, { ask, attempts, mayAsk }, options.patienceMs ?? usualPatienceMs)
})

const always = () => true

const hasPictures = ({ messages }: ReasoningRequest): boolean =>
  messages.some((message) => message.role === "user" && (message.pictures?.length ?? 0) > 0)

const make = Effect.fnUntraced(function* (options: ChatCompletionsOptions) {
  const connections = yield* Connections.Connections
  const circuits = yield* Effect.forEach([...new Set([...options.models, ...(options.pictureModels ?? [])])], (model) =>
    Effect.map(
      makeCircuit<AttemptFailed>({
        provider: `reasoning/${model}`,
        reasonOf: ({ error }) => error.reason,
        refuse: (message) =>
          new AttemptFailed({ error: new ReasoningError({ reason: "unavailable", message }), remedy: "next" }),
        policy: options.circuit
      }),
      (circuit): Candidate => ({ model, circuit })
    )
  )
  const candidatesOf = (models: ReadonlyArray<string> = []) =>
    models.flatMap((name) => circuits.filter(({ model }) => model === name))
  const [readers, viewers] = [candidatesOf(options.models), candidatesOf(options.pictureModels)]
  return Reasoning.of({
    stream: (request) =>
      Stream.callback<ReasoningEvent, ReasoningError>((queue) =>
        answer(connections, hasPictures(request) ? viewers : readers, options, request, (event) =>
          Queue.offerUnsafe(queue, event)
        ).pipe(Effect.andThen(Queue.end(queue)))
      )
  })
})

/** `Reasoning` over HTTP; needs nothing but the options. */
export const layer = (options: ChatCompletionsOptions): Layer.Layer<Reasoning> =>
  Layer.effect(Reasoning, make(options)).pipe(Layer.provide(Connections.layer))
