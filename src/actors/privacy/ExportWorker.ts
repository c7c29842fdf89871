/**
 * Makes the files of requested exports, and removes expired ones. Several processes may run it. A process claims a job and holds it while it
 * works; if the process dies, another claims the job when the lease ends.
 */
import { Clock, Effect, FiberSet, Layer, Random } from "effect"
import { ObjectStorage } from "../../domain/basics/ObjectStorage.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ContactExports, type ExportJob, exportKey, mostExportAttempts } from "../../domain/privacy/ContactExport.ts"
import { makeExport } from "../../domain/privacy/MakeExport.ts"

const lookEvery = "2 seconds"
const atOnce = 2
const leaseMs = 5 * 60_000
const firstPauseMs = 30_000

const failedSentence = "The export could not be made; ask for it again, and tell the operator if that does not help."

/** Returns a function that works on one claimed job to its end. Needs what `makeExport` needs, and ContactExports. */
export const makeProcessExport = Effect.gen(function* () {
  const exports = yield* ContactExports
  const storage = yield* ObjectStorage
  const make = yield* makeExport

  const finish = Effect.fnUntraced(function* (job: ExportJob, size: number | undefined) {
    const kept = size === undefined ? false : yield* exports.completed(job, size, yield* Clock.currentTimeMillis)
    // The contact was erased while the file was made: the file must not stay.
    if (!kept) yield* storage.remove(exportKey(job.organizationId, job.id))
  })

  const tryLater = Effect.fnUntraced(function* (job: ExportJob) {
    if (job.attempts + 1 >= mostExportAttempts) return yield* exports.failed(job, failedSentence)
    const pause = firstPauseMs * 2 ** job.attempts * (1 + 0.2 * (yield* Random.next))
    yield* exports.postpone(job, (yield* Clock.currentTimeMillis) + pause)
  })

  const hold = (job: ExportJob) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => exports.extend(job, now + leaseMs)).pipe(
      Effect.delay(leaseMs / 3),
      Effect.forever
    )

  return traced("Export.process")((job: ExportJob) =>
    make(job).pipe(
      Effect.flatMap((size) => finish(job, size)),
      Effect.raceFirst(hold(job)),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("an export could not be made", { exportId: job.id, attempts: job.attempts }, cause),
          tryLater(job)
        )
      )
    )
  )
})

/**
 * Removes expired exports. The file goes first: a row without its file is tried again, but a file without its row would stay for ever. An
 * export that cannot be removed does not hold up the others.
 */
export const makeExpireExports = Effect.gen(function* () {
  const exports = yield* ContactExports
  const storage = yield* ObjectStorage
  const remove = (job: Pick<ExportJob, "organizationId" | "id">) =>
    storage.remove(exportKey(job.organizationId, job.id)).pipe(
      Effect.andThen(exports.remove(job)),
      Effect.catchCause((cause) =>
        Effect.logWarning("an export that is over could not be removed", { exportId: job.id }, cause)
      )
    )
  return Effect.gen(function* () {
    const over = yield* exports.expired(yield* Clock.currentTimeMillis, 20)
    yield* Effect.forEach(over, remove, { discard: true })
  })
})

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const exports = yield* ContactExports
    const process = yield* makeProcessExport
    const expire = yield* makeExpireExports
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      yield* expire
      const free = atOnce - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* exports.claim(yield* Clock.currentTimeMillis, leaseMs, free)
      yield* Effect.forEach(due, (job) => FiberSet.run(running, process(job)), { discard: true })
    })
    yield* periodically("the worker of exports could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
