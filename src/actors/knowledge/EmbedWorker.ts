/**
 * Makes vectors of passages that have none of the operator's model: after a sync, and after another model was set. Several processes may run it; each
 * source is claimed by one. While the provider fails, each source is tried again after longer and longer pauses; its passages are found by their words.
 */
import { Cause, Clock, Effect, FiberSet, Layer, Option, Random } from "effect"
import { makeEmbedSource, vectorLeaseMs } from "../../domain/ai/knowledge/EmbedSource.ts"
import { PassageVectors, type VectorJob } from "../../domain/ai/knowledge/PassageVectors.ts"
import { type EmbeddingError, Embeddings } from "../../domain/ai/providers/Embeddings.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"

const lookEvery = "2 seconds"
const atOnce = 2
const firstPauseMs = 10_000
const longestPauseMs = 3_600_000

/** What a person reads of a failure. The provider is the operator's. */
const problems: Readonly<Record<EmbeddingError["reason"], string>> = {
  unavailable: "The provider of vectors does not answer. It is asked again.",
  timeout: "The provider of vectors does not answer in time. It is asked again.",
  rejected: "The provider of vectors refuses its key or model. Tell the operator.",
  refused: "The provider of vectors refuses the texts. Tell the operator.",
  protocol: "The provider of vectors gives what is no vector. Tell the operator."
}
const broken = "The vectors could not be made. They are tried again."

const problemOf = (cause: Cause.Cause<EmbeddingError>): string =>
  Option.match(Cause.findErrorOption(cause), { onNone: () => broken, onSome: ({ reason }) => problems[reason] })

/** Returns a function that makes the vectors of one claimed source. It never fails: what is missing is due again later. */
export const makeProcessVectors = Effect.gen(function* () {
  const stored = yield* PassageVectors
  const embedSource = yield* makeEmbedSource

  const later = Effect.fnUntraced(function* (job: VectorJob, problem: string) {
    const pause = Math.min(firstPauseMs * 2 ** (job.attempts - 1), longestPauseMs) * (1 + 0.2 * (yield* Random.next))
    yield* stored.postpone(job, (yield* Clock.currentTimeMillis) + pause, problem)
  })

  return traced("EmbedWorker.process")((job: VectorJob) =>
    embedSource(job).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("passages could not be made into vectors", { sourceId: job.sourceId }, cause),
          later(job, problemOf(cause))
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
