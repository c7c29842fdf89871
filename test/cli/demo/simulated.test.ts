/** A service without provider keys: what its simulators answer. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { simulated } from "../../../src/cli/demo/simulated.ts"
import * as Config from "../../../src/config/Config.ts"
import { Embeddings } from "../../../src/domain/ai/providers/Embeddings.ts"
import * as OpenAiEmbeddings from "../../../src/integrations/embeddings/OpenAiEmbeddings.ts"

const settingsOf = (env: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    Config.loadFor("all").pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))),
    simulated
  )

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at], 0)

describe("a service without provider keys", () => {
  it.live("has vectors in which a question in Spanish is near what an English page says", () =>
    Effect.gen(function* () {
      const { embeddings } = yield* settingsOf({})
      const { baseUrl } = embeddings
      const model = Option.getOrThrow(embeddings.model)
      const { embed } = yield* Effect.provide(
        Embeddings,
        OpenAiEmbeddings.layer({ baseUrl, model, apiKey: "simulator-key", dimensions: 512 })
      )
      const { vectors } = yield* embed(
        ["¿Puedo devolver un libro?", "Return a book within a week.", "We sell tea."],
        5_000
      )
      const [question, answer, other] = vectors
      assert.isDefined(question)
      assert.isDefined(answer)
      assert.isDefined(other)
      assert.isAbove(cosine(question, answer), embeddings.leastCosine)
      assert.isBelow(cosine(question, other), embeddings.leastCosine)
    })
  )

  it.live("keeps to the model of vectors that its operator has set", () =>
    Effect.gen(function* () {
      const { embeddings } = yield* settingsOf({
        EMBEDDINGS_MODEL: "nomic-embed-text",
        EMBEDDINGS_BASE_URL: "http://127.0.0.1:11434/v1"
      })
      assert.strictEqual(embeddings.baseUrl, "http://127.0.0.1:11434/v1")
      assert.deepStrictEqual(embeddings.model, Option.some("nomic-embed-text"))
    })
  )
})
