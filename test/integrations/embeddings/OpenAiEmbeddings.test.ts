import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type EmbeddingsOptions, start } from "../../../simulators/embeddings/Embeddings.ts"
import { Embeddings } from "../../../src/domain/ai/providers/Embeddings.ts"
import { layer, type OpenAiEmbeddingsOptions } from "../../../src/integrations/embeddings/OpenAiEmbeddings.ts"

const simulator = (options: EmbeddingsOptions = { apiKey: "sk-test" }) =>
  Effect.acquireRelease(
    Effect.promise(() => start(options)),
    (provider) => Effect.promise(() => provider.close())
  )

const embed = (
  baseUrl: string,
  texts: ReadonlyArray<string>,
  options: Partial<OpenAiEmbeddingsOptions> & { readonly patienceMs?: number } = {}
) =>
  Effect.flatMap(Embeddings, (provider) => provider.embed(texts, options.patienceMs ?? 3_000)).pipe(
    Effect.provide(layer({ baseUrl, apiKey: "sk-test", model: "text-embedding-3-small", ...options }))
  )

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at], 0)

describe("OpenAiEmbeddings", () => {
  it.live("gives a vector of length 1 for each text, in order, nearer for texts that mean the same", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const texts = ["Can I return a book?", "¿Puedo devolver un libro?", "Where is the garage?"]
      const { vectors, tokens } = yield* embed(provider.url, texts)
      assert.strictEqual(vectors.length, 3)
      for (const vector of vectors) {
        assert.strictEqual(vector.length, 1_536)
        assert.closeTo(cosine(vector, vector), 1, 1e-4)
      }
      assert.isAbove(cosine(vectors[0], vectors[1]), cosine(vectors[0], vectors[2]) + 0.3)
      assert.strictEqual(tokens, provider.stats.tokens)
    })
  )

  it.live("takes numbers from servers that know no base64, and asks for shorter vectors when told to", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const [base64] = (yield* embed(provider.url, ["a lamp"], { dimensions: 64 })).vectors
      provider.faults.numbers = true
      const [numbers] = (yield* embed(provider.url, ["a lamp"], { dimensions: 64 })).vectors
      assert.strictEqual(numbers.length, 64)
      assert.closeTo(cosine(base64, numbers), 1, 1e-4)
    })
  )

  it.live("asks a server of one's own without a key", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({})
      assert.strictEqual((yield* embed(provider.url, ["a"], { apiKey: undefined })).vectors.length, 1)
    })
  )

  it.live("asks again while the provider is away, until its time is over", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      for (const status of [0, 503, 429]) {
        Object.assign(provider.faults, { failNext: 2, status })
        assert.strictEqual((yield* embed(provider.url, ["a"])).vectors.length, 1)
      }
      provider.faults.hang = true
      assert.strictEqual((yield* Effect.flip(embed(provider.url, ["a"], { patienceMs: 200 }))).reason, "timeout")
    })
  )

  it.live("tells texts that are refused from settings that are wrong, and does not ask again", () =>
    Effect.gen(function* () {
      const provider = yield* simulator()
      const failure = (texts: ReadonlyArray<string>, options: Partial<OpenAiEmbeddingsOptions> = {}) =>
        Effect.map(Effect.flip(embed(provider.url, texts, options)), ({ reason }) => reason)
      assert.strictEqual(yield* failure([""]), "refused")
      assert.strictEqual(yield* failure(["long ".repeat(20_000)]), "refused")
      assert.strictEqual(yield* failure(["a"], { apiKey: "wrong" }), "rejected")
      assert.strictEqual(yield* failure(["a"], { model: "no-such-model" }), "rejected")
      assert.strictEqual(provider.stats.requests, 4)
      provider.faults.short = true
      assert.strictEqual(yield* failure(["a", "b"]), "protocol")
    })
  )
})
