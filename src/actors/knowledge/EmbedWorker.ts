/**
 * Makes vectors of passages that have none of the operator's model: after a sync, and after another model was set. Several processes may run it; each
 * source is claimed by one. While the provider fails, each source is tried again after longer and longer pauses; its passages are found by their words.
 */
import { Clock, Effect, FiberSet, Layer, Random } from "effect"
import { makeEmbedSource, vectorLeaseMs } from "../../domain/ai/knowledge/EmbedSource.ts"
import { PassageVectors, type VectorJob } from "../../domain/ai/knowledge/PassageVectors.ts"
import { Embeddings } from "../../domain/ai/providers/Embeddings.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"

const lookEvery = "2 seconds"
const atOnce = 2
const firstPauseMs = 10_000
const longestPauseMs = 3_600_000

/** Returns a function that makes the vectors of one claimed source. It never fails: what is missing is due again later. */
export const makeProcessVectors = Effect.gen(function* () {
  const stored = yield* PassageVectors
  const embedSource = yield* makeEmbedSource

  const later = Effect.fnUntraced(function* (job: VectorJob) {
    const pause = Math.min(firstPauseMs * 2 ** (job.attempts - 1), longestPauseMs) * (1 + 0.2 * (yield* Random.next))
    yield* stored.postpone(job, (yield* Clock.currentTimeMillis) + pause)
  })

  return traced("EmbedWorker.process")((job: VectorJob) =>
    embedSource(job).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("passages could not be made into vectors", { sourceId: job.sourceId }, cause),
          later(job)
        )
      )
    )
  )
})

/** Needs Embeddings and PassageVectors. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { model } = yield* Embeddings
    const stored = yield* PassageVectors
    const process = yield* makeProcessVectors
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      const free = atOnce - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* stored.claim(model, yield* Clock.currentTimeMillis, vectorLeaseMs, free)
      yield* Effect.forEach(due, (job) => FiberSet.run(running, process(job)), { discard: true })
    })
    yield* periodically("the worker of vectors could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
