/**
 * Vectors through an OpenAI-compatible `/embeddings`. Vectors are asked for as base64, a quarter of the size of decimal numbers; servers that do not know
 * this answer with numbers, which are taken, too. Requests that may succeed later (network error, 429, 5xx, no answer) are repeated until their deadline;
 * a circuit breaker fails at once while the provider is down.
 */
import { Effect, Layer, Schema } from "effect"
import { type Embedded, EmbeddingError, Embeddings } from "../../domain/ai/providers/Embeddings.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { readText } from "../connections/Answer.ts"
import * as Connections from "../connections/Connections.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { retryThroughCircuit } from "../resilience/Patience.ts"
import { endpoint } from "../web/BaseUrl.ts"

export interface OpenAiEmbeddingsOptions {
  /** Including the version, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Servers of one's own may need none. */
  readonly apiKey?: string | undefined
  readonly model: string
  /** Asks for shorter vectors than the model's own; not every model can. */
  readonly dimensions?: number | undefined
  readonly circuit?: Partial<CircuitPolicy>
}

/** An answer with 32 vectors of 4,096 decimal numbers has some 3 MB. */
const mostAnswerBytes = 8 * 1_024 * 1_024
const longestAttemptMs = 10_000

const Answer = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(
      Schema.Struct({ index: Schema.Int, embedding: Schema.Union([Schema.String, Schema.Array(Schema.Finite)]) })
    ),
    usage: Schema.optionalKey(Schema.Struct({ prompt_tokens: Schema.Int }))
  })
)
const decodeAnswer = Schema.decodeUnknownEffect(Answer)

const failed = (reason: EmbeddingError["reason"], message: string) => new EmbeddingError({ reason, message })

/** By status: a body that is too long or wrong is a matter of the texts; a wrong key or model is one of the settings. */
const refusal = (status: number): EmbeddingError => {
  if (status === 429 || status >= 500) return failed("unavailable", `status ${status}`)
  return failed([400, 413, 422].includes(status) ? "refused" : "rejected", `status ${status}`)
}

const floats = (embedding: string | ReadonlyArray<number>): Float32Array => {
  if (typeof embedding !== "string") return Float32Array.from(embedding)
  const bytes = Buffer.from(embedding, "base64")
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)))
}

/** The vector with length 1; undefined when it has no direction. */
const unit = (vector: Float32Array): Float32Array | undefined => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined
}

const vectorsOf = (text: string, asked: number): Effect.Effect<Embedded, EmbeddingError> =>
  decodeAnswer(text).pipe(
    Effect.map(({ data, usage }) => ({
      vectors: data.toSorted((a, b) => a.index - b.index).flatMap(({ embedding }) => unit(floats(embedding)) ?? []),
      tokens: usage?.prompt_tokens ?? 0
    })),
    Effect.filterOrFail(
      ({ vectors }) => vectors.length === asked && vectors.every(({ length }) => length === vectors[0].length)
    ),
    Effect.mapError(() => failed("protocol", "the answer has not one vector for each text"))
  )

const make = Effect.fnUntraced(function* (options: OpenAiEmbeddingsOptions) {
  const { baseUrl, apiKey, model, dimensions } = options
  const connections = yield* Connections.Connections
  const circuit = yield* makeCircuit<EmbeddingError>({
    provider: "embeddings",
    reasonOf: ({ reason }) => reason,
    blames: ({ reason }) => reason !== "refused",
    refuse: (message) => failed("unavailable", message),
    policy: options.circuit
  })

  const request = traced("OpenAiEmbeddings.request")(function* (texts: ReadonlyArray<string>, timeoutMs: number) {
    const answer = yield* connections
      .post({
        url: endpoint(baseUrl, "/embeddings"),
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({
          model,
          input: texts,
          encoding_format: "base64",
          ...(dimensions === undefined ? {} : { dimensions })
        }),
        timeoutMs
      })
      .pipe(
        Effect.mapError((error) =>
          error._tag === "AnswerLate"
            ? failed("timeout", `no answer within ${Math.round(timeoutMs)} ms`)
            : failed("unavailable", error.message)
        )
      )
    const text = yield* Effect.tryPromise({
      try: () => readText(answer, mostAnswerBytes, performance.now() + timeoutMs),
      catch: () => failed("unavailable", "the answer broke off")
    })
    return answer.status === 200 ? yield* vectorsOf(text, texts.length) : yield* refusal(answer.status)
  }, Effect.scoped)

  const again = ({ reason }: EmbeddingError) => reason === "unavailable" || reason === "timeout"
  return Embeddings.of({
    model: dimensions === undefined ? model : `${model}/${dimensions}`,
    embed: (texts, patienceMs) =>
      retryThroughCircuit(circuit, { ms: patienceMs, again }, Math.min(longestAttemptMs, patienceMs), (timeoutMs) =>
        request(texts, timeoutMs)
      )
  })
})

export const layer = (options: OpenAiEmbeddingsOptions): Layer.Layer<Embeddings> =>
  Layer.effect(Embeddings, make(options)).pipe(Layer.provide(Connections.layer))
