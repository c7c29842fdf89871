/**
 * Reasoning through any OpenAI-compatible `/chat/completions`: streamed, with tools, fallback models and deadlines. A failure before the first event
 * is repaired in silence (retry, next model, no tools, all models again). A later failure fails the stream, because spoken words cannot be taken
 * back. Reasoning deltas are never passed on.
 */

import { Data, Effect, Layer, Queue, Stream } from "effect"
import {
  Reasoning,
  ReasoningError,
  type ReasoningEvent,
  type ReasoningRequest
} from "../../domain/ai/providers/Reasoning.ts"
import { traced } from "../../domain/basics/Traced.ts"
import * as Connections from "../connections/Connections.ts"
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
  readonly maxTokens: number
  readonly temperature: number
  /** Milliseconds from the request to the first text or tool call, per attempt; 5,000 by default. */
  readonly firstTokenTimeoutMs?: number
  /** Milliseconds between two chunks of an answer that has begun; 4,000 by default. */
  readonly chunkTimeoutMs?: number
  /** How long a turn goes on asking when no model can be reached, in milliseconds; 4,000 by default. */
  readonly patienceMs?: number
  /** The circuit breaker of each model. */
  readonly circuit?: Partial<CircuitPolicy>
}

/** A model and its circuit breaker. */
interface Candidate {
  readonly model: string
  readonly circuit: Circuit<AttemptFailed>
}

const retryDelayMs = 100

/** Asks a model once. Returns what went wrong, or undefined when the model has answered. */
type Ask = (candidate: Candidate, withTools: boolean, again: boolean) => Effect.Effect<AttemptFailed | undefined>

/** No model has answered. `hopeful`: one could not be reached, which may change in a moment. */
class AllFailed extends Data.TaggedError("AllFailed")<{ readonly error: ReasoningError; readonly hopeful: boolean }> {}

/** Asks one model. In the first round it retries once where that may help. Returns the failure, if any; fails when no model could answer. */
const askModel = Effect.fnUntraced(function* (candidate: Candidate, ask: Ask, first: boolean) {
  let withTools = true
  let retried = !first
  while (true) {
    const failure = yield* ask(candidate, withTools, retried)
    if (failure === undefined) return undefined
    if (failure.remedy === "none") return yield* new AllFailed({ error: failure.error, hopeful: false })
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

/** Asks one model after the other. */
const askEach = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>, ask: Ask, first: boolean) {
  let error = new ReasoningError({ reason: "rejected", message: "no model is configured" })
  let hopeful = false
  for (const candidate of candidates) {
    const failure = yield* askModel(candidate, ask, first)
    if (failure === undefined) return
    error = failure.error
    hopeful ||= error.reason === "unavailable"
  }
  return yield* new AllFailed({ error, hopeful })
})

/** Asks the models, and all of them again while one may answer before patience is over. */
const askAll = (candidates: ReadonlyArray<Candidate>, ask: Ask, patienceMs: number) =>
  Effect.mapError(
    retryPatiently(
      { ms: patienceMs, again: ({ hopeful }: AllFailed) => hopeful },
      (_, before) => askEach(candidates, ask, before === 0),
      () => Math.min(...candidates.map(({ circuit }) => circuit.waitMs()))
    ),
    ({ error }) => error
  )

const answer = traced("ChatCompletions.answer")(function* (
  connections: Connections.Connections["Service"],
  candidates: ReadonlyArray<Candidate>,
  options: ChatCompletionsOptions,
  request: ReasoningRequest,
  offer: (event: ReasoningEvent) => Effect.Effect<unknown>
) {
  let heard = false
  const emit = (event: ReasoningEvent) =>
    Effect.suspend(() => {
      heard = true
      return offer(event)
    })
  const ask: Ask = ({ model, circuit }, withTools, again) =>
    circuit
      .guardUntil(
        (begun) =>
          attempt(connections, {
            url: endpoint(options.baseUrl, "/chat/completions"),
            apiKey: options.apiKey,
            body: requestBody(
              request,
              { model, maxTokens: options.maxTokens, temperature: options.temperature },
              withTools
            ),
            firstTokenTimeoutMs: options.firstTokenTimeoutMs ?? 5_000,
            chunkTimeoutMs: options.chunkTimeoutMs ?? 4_000,
            emit,
            begun
          }),
        again
      )
      .pipe(
        Effect.as(undefined),
        Effect.catchTag("AttemptFailed", ({ error, remedy }) =>
          Effect.succeed(new AttemptFailed({ error, remedy: heard ? "none" : remedy }))
        )
      )
  yield* askAll(candidates, ask, options.patienceMs ?? usualPatienceMs)
})

const make = Effect.fnUntraced(function* (options: ChatCompletionsOptions) {
  const connections = yield* Connections.Connections
  const candidates = yield* Effect.forEach(options.models, (model) =>
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
  return Reasoning.of({
    stream: (request) =>
      Stream.callback<ReasoningEvent, ReasoningError>((queue) =>
        answer(connections, candidates, options, request, (event) => Queue.offer(queue, event)).pipe(
          Effect.andThen(Queue.end(queue))
        )
      )
  })
})

/** `Reasoning` over HTTP; needs nothing but the options. */
export const layer = (options: ChatCompletionsOptions): Layer.Layer<Reasoning> =>
  Layer.effect(Reasoning, make(options)).pipe(Layer.provide(Connections.layer))
