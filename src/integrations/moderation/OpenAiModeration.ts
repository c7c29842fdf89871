/**
 * Moderation through an OpenAI-compatible `/moderations`. When no verdict comes (network error, 429, 5xx, no answer), the request is repeated
 * until its deadline: a sentence is spoken only after its verdict, and a call without a verdict ends. A circuit breaker fails at once while the
 * provider is down, so callers do not wait. The text is never logged here.
 */
import { Effect, Layer, Schema } from "effect"
import { Moderation, ModerationError, type Verdict } from "../../domain/ai/providers/Moderation.ts"
import { traced } from "../../domain/basics/Traced.ts"
import * as Connections from "../connections/Connections.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { type Patience, retryThroughCircuit, usualPatienceMs } from "../resilience/Patience.ts"
import { endpoint } from "../web/BaseUrl.ts"

export interface OpenAiModerationOptions {
  /** Including the version, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** `omni-moderation-latest` by default. */
  readonly model?: string
  /** Milliseconds for everything; 4,000 by default. One attempt has half of them. */
  readonly deadlineMs?: number
  readonly circuit?: Partial<CircuitPolicy>
}

/** Categories a model does not judge are null. */
const Result = Schema.Struct({
  flagged: Schema.Boolean,
  categories: Schema.Record(Schema.String, Schema.NullOr(Schema.Boolean))
})
const Answer = Schema.fromJsonString(Schema.Struct({ results: Schema.Array(Result) }))
const decodeAnswer = Schema.decodeUnknownOption(Answer)

const late = (ms: number) =>
  new ModerationError({ reason: "timeout", message: `no verdict within ${Math.round(ms)} ms` })
const unavailable = (message: string) => new ModerationError({ reason: "unavailable", message })

const request = traced("OpenAiModeration.request")(function* (
  connections: Connections.Connections["Service"],
  options: OpenAiModerationOptions,
  input: Input,
  timeoutMs: number
) {
  const response = yield* connections
    .ask({
      url: endpoint(options.baseUrl, "/moderations"),
      headers: { authorization: `Bearer ${options.apiKey}` },
      body: JSON.stringify({
        model: options.model ?? "omni-moderation-latest",
        input
      }),
      timeoutMs
    })
    .pipe(Effect.mapError((error) => (error._tag === "AnswerLate" ? late(timeoutMs) : unavailable(error.message))))
  if (response.status === 429 || response.status >= 500) return yield* unavailable(`status ${response.status}`)
  if (response.status !== 200) {
    return yield* new ModerationError({ reason: "rejected", message: `status ${response.status}` })
  }
  return response.text
})

/** A text, texts, or a picture: what is in a list of parts is judged together. */
type Input =
  | string
  | ReadonlyArray<string>
  | ReadonlyArray<{ readonly type: "image_url"; readonly image_url: { readonly url: string } }>

/** The verdicts in an answer about `asked` texts. */
const verdicts = (text: string, asked: number): Effect.Effect<ReadonlyArray<Verdict>, ModerationError> =>
  Effect.suspend(() => {
    const answer = decodeAnswer(text)
    if (answer._tag === "None" || answer.value.results.length !== asked)
      return Effect.fail(new ModerationError({ reason: "protocol", message: "the answer is not a moderation result" }))
    return Effect.succeed(
      answer.value.results.map(({ flagged, categories }) => ({
        flagged,
        categories: Object.keys(categories).filter((name) => categories[name] === true)
      }))
    )
  })

/** Asks for verdicts: of `texts` each, or of one picture. */
const makeAsk = Effect.fnUntraced(function* (options: OpenAiModerationOptions, provider: string) {
  const connections = yield* Connections.Connections
  const circuit = yield* makeCircuit<ModerationError>({
    provider,
    reasonOf: (error) => error.reason,
    refuse: unavailable,
    policy: options.circuit
  })
  const ms = options.deadlineMs ?? usualPatienceMs
  const patience: Patience<ModerationError> = {
    ms,
    again: ({ reason }) => reason === "unavailable" || reason === "timeout"
  }
  return (input: Input, asked: number) =>
    retryThroughCircuit(circuit, patience, ms / 2, (timeoutMs) =>
      Effect.flatMap(request(connections, options, input, timeoutMs), (answer) => verdicts(answer, asked))
    )
})

const make = Effect.fnUntraced(function* (options: OpenAiModerationOptions) {
  const ask = yield* makeAsk(options, "moderation")
  return Moderation.of({ check: (texts) => ask(texts.length === 1 ? texts[0] : texts, texts.length) })
})

/** The verdict on a picture, given as a `data:` address. Its circuit is its own, since a filter may take texts only. */
export const makePictureFilter = (options: OpenAiModerationOptions) =>
  Effect.map(
    makeAsk({ deadlineMs: 8_000, ...options }, "moderation/pictures"),
    (ask) => (picture: string) =>
      Effect.map(ask([{ type: "image_url", image_url: { url: picture } }], 1), ([verdict]) => verdict)
  ).pipe(Effect.provide(Connections.layer))

/** `Moderation` over HTTP; needs nothing but the options. */
export const layer = (options: OpenAiModerationOptions): Layer.Layer<Moderation> =>
  Layer.effect(Moderation, make(options)).pipe(Layer.provide(Connections.layer))
