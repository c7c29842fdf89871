/**
 * Plays runs of evaluations in the background. Several processes may run it; each run is claimed by one. One whose process has gone is played again from its
 * beginning, and given up after some attempts.
 */
import { Clock, Effect, FiberSet, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { type EvaluationJob, EvaluationRuns } from "../../../domain/messaging/rehearsal/EvaluationRun.ts"
import { makeRunEvaluation, runLeaseMs } from "../../../domain/messaging/rehearsal/RunEvaluation.ts"

const lookEvery = "1 second"
const atOnce = 2
const mostAttempts = 3
const retryMs = 10_000

const gaveUp = "The model that judges the answers did not answer. Start the evaluation again later."

/** Returns a function that plays one claimed run. It never fails: a run that cannot be played is due again later, and fails in the end. */
export const makeProcessRun = Effect.gen(function* () {
  const runs = yield* EvaluationRuns
  const run = yield* makeRunEvaluation
  return traced("EvaluationWorker.process")((job: EvaluationJob) =>
    run(job).pipe(
      Effect.catchCause((cause) =>
        Effect.gen(function* () {
          yield* Effect.logWarning("an evaluation could not be played", { runId: job.id }, cause)
          if (job.attempts >= mostAttempts) return yield* runs.fail(job, gaveUp)
          yield* runs.hold(job, (yield* Clock.currentTimeMillis) + retryMs, { done: 0, passed: 0 })
        })
      )
    )
  )
})

/** Needs EvaluationRuns, TurnRehearsal, ModelTokens and Reasoning. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const runs = yield* EvaluationRuns
    const process = yield* makeProcessRun
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      const free = atOnce - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* runs.claim(yield* Clock.currentTimeMillis, runLeaseMs, free)
      yield* Effect.forEach(due, (job) => FiberSet.run(running, process(job)), { discard: true })
    })
    yield* periodically("the worker of evaluations could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
