/**
 * Reasoning through any OpenAI-compatible `/chat/completions`: streamed, with tools, a list of models to fall back on, and
 * deadlines. Until the first event is given out a failure is repaired in silence (retry, next model, no tools); afterwards
 * it is the stream's error, because words that were spoken cannot be taken back. Reasoning deltas are never given out.
 */
import { Effect, Layer, Queue, Stream } from "effect"
import { Reasoning, ReasoningError, type ReasoningEvent, type ReasoningRequest } from "../../domain/Reasoning.ts"
import { type Circuit, type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import * as Connections from "../resilience/Connections.ts"
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
  /** Milliseconds between two chunks of an answer that has begun; 10,000 by default. */
  readonly chunkTimeoutMs?: number
  /** Of each model. */
  readonly circuit?: Partial<CircuitPolicy>
}

/** A model that may be asked, and what is known of its health. */
interface Candidate {
  readonly model: string
  readonly circuit: Circuit<AttemptFailed>
}

const retryDelayMs = 100

const answer = Effect.fn("ChatCompletions.answer")(function* (
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
  let last: ReasoningError | undefined
  for (const { model, circuit } of candidates) {
    let withTools = true
    let retried = false
    while (true) {
      const body = requestBody(
        request,
        { model, maxTokens: options.maxTokens, temperature: options.temperature },
        withTools
      )
      const failure = yield* circuit
        .guardUntil((begun) =>
          attempt(connections, {
            url: `${options.baseUrl.replace(/\/+$/, "")}/chat/completions`,
            apiKey: options.apiKey,
            body,
            firstTokenTimeoutMs: options.firstTokenTimeoutMs ?? 5_000,
            chunkTimeoutMs: options.chunkTimeoutMs ?? 10_000,
            emit,
            begun
          })
        )
        .pipe(
          Effect.as(undefined),
          Effect.catchTag("AttemptFailed", (failed) => Effect.succeed(failed))
        )
      if (failure === undefined) return
      last = failure.error
      if (heard || failure.remedy === "none") return yield* last
      if (failure.remedy === "without_tools" && withTools) {
        withTools = false
        continue
      }
      if (failure.remedy !== "again" || retried) break
      retried = true
      yield* Effect.sleep(retryDelayMs)
    }
    yield* Effect.logWarning("language model did not answer").pipe(Effect.annotateLogs({ model, reason: last.reason }))
  }
  return yield* last ?? new ReasoningError({ reason: "rejected", message: "no model is configured" })
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
