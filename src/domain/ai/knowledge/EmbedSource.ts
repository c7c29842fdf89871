/**
 * Use case: make vectors of a source's passages, a batch at a time. Each batch is stored at once, so whoever goes on after a crash or a failure makes
 * only those that are missing; a passage whose text has not changed keeps its vector.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Embeddings } from "../providers/Embeddings.ts"
import { PassageVectors, type UnembeddedText, type VectorJob } from "./PassageVectors.ts"

/** Passages of one request. They have up to 400 tokens each. */
const textsAtOnce = 32
/** Milliseconds for one request, with its repetitions. */
const patienceMs = 30_000
/** The lease of a claim is prolonged with each batch. */
export const vectorLeaseMs = 3 * 60_000

/** A text that the provider refuses has no vector: it is found by its words. */
const none = new Float32Array(0)

/** Needs Embeddings and PassageVectors. The function it returns fails with `EmbeddingError`; what was made until then is stored. */
export const makeEmbedSource = Effect.gen(function* () {
  const { model, embed } = yield* Embeddings
  const stored = yield* PassageVectors

  const embedOne = (text: string) =>
    Effect.catchTag(embed([text], patienceMs), "EmbeddingError", (error) =>
      error.reason === "refused" ? Effect.succeed({ vectors: [none], tokens: 0 }) : Effect.fail(error)
    )

  /** The vectors of a batch. When the provider refuses it, each text is tried alone. */
  const embedBatch = (texts: ReadonlyArray<UnembeddedText>) =>
    Effect.catchTag(
      embed(
        texts.map(({ text }) => text),
        patienceMs
      ),
      "EmbeddingError",
      (error) =>
        error.reason !== "refused"
          ? Effect.fail(error)
          : Effect.map(
              Effect.forEach(texts, ({ text }) => embedOne(text)),
              (all) => ({
                vectors: all.flatMap(({ vectors }) => vectors),
                tokens: all.reduce((sum, { tokens }) => sum + tokens, 0)
              })
            )
    )

  return traced("EmbedSource")(function* (job: VectorJob) {
    for (;;) {
      const texts = yield* stored.missing(job, model, textsAtOnce)
      // The source may have changed since the last look: then some are missing again.
      if (texts.length === 0 && (yield* stored.finish(job, model))) return
      if (texts.length === 0) continue
      const { vectors, tokens } = yield* embedBatch(texts)
      const made = texts.map(({ hash }, at) => ({ hash, vector: vectors[at] ?? none }))
      yield* stored.store(job, model, made, tokens, (yield* Clock.currentTimeMillis) + vectorLeaseMs)
    }
  })
})
