/**
 * Syncs sources of knowledge bases whose time has come. Several processes may run it. A process claims a source and holds it while it works; if the
 * process dies, another claims it when the lease ends. A source that ends its process again and again is given up.
 */
import { Clock, Effect, FiberSet, Layer, Random } from "effect"
import { KnowledgeSources, type Skipped, type SyncJob } from "../../domain/ai/knowledge/KnowledgeSource.ts"
import { makeSyncSource, syncLeaseMs } from "../../domain/ai/knowledge/SyncSource.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"

const lookEvery = "1 second"
const atOnce = 2
const mostAttempts = 5
const firstPauseMs = 30_000
/** The longest sync: 500 pages of a slow site. */
const longestSync = "3 hours"

const broken = "The source could not be synced. Sync it again, and tell the operator if that does not help."

/** Returns a function that syncs one claimed source. It never fails: the source says what went wrong. */
export const makeProcessSync = Effect.gen(function* () {
  const sources = yield* KnowledgeSources
  const sync = yield* makeSyncSource

  const tryLater = Effect.fnUntraced(function* (job: SyncJob, problem: string, skipped: ReadonlyArray<Skipped> = []) {
    if (job.attempts >= mostAttempts) return yield* sources.failed(job, problem, skipped)
    const pause = firstPauseMs * 2 ** (job.attempts - 1) * (1 + 0.2 * (yield* Random.next))
    yield* sources.failed(job, `${problem} It is tried again.`, skipped, (yield* Clock.currentTimeMillis) + pause)
  })

  return traced("SyncWorker.process")((job: SyncJob) => {
    if (job.attempts > mostAttempts) return sources.failed(job, broken, [])
    return sync(job).pipe(
      Effect.timeoutOrElse({ duration: longestSync, orElse: () => Effect.die(new Error("The sync took too long")) }),
      Effect.catchTag("SyncFailed", ({ message, temporary, skipped }) =>
        temporary ? tryLater(job, message, skipped) : sources.failed(job, message, skipped)
      ),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("a source could not be synced", { sourceId: job.source.id, attempts: job.attempts }, cause),
          tryLater(job, broken)
        )
      )
    )
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sources = yield* KnowledgeSources
    const process = yield* makeProcessSync
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      const free = atOnce - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* sources.claim(yield* Clock.currentTimeMillis, syncLeaseMs, free)
      yield* Effect.forEach(due, (job) => FiberSet.run(running, process(job)), { discard: true })
    })
    yield* periodically("the worker of knowledge could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
