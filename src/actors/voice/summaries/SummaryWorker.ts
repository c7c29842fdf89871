/**
 * Sums up calls that have ended, a few at a time. Several processes may run it. A process claims a call; if it dies, another claims the call when the lease
 * ends, and what the dead one had found is not stored.
 */
import { Clock, Effect, FiberSet, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { CallSummaries } from "../../../domain/voice/calls/records/CallSummary.ts"
import { makeSummarizeCall } from "../../../domain/voice/calls/records/SummarizeCall.ts"

const lookEvery = "1 second"
const most = 4
/** Longer than a job takes. */
const leaseMs = 2 * 60_000

/** Needs what `makeSummarizeCall` needs, and Moderation. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const summaries = yield* CallSummaries
    const summarize = yield* makeSummarizeCall
    const running = yield* FiberSet.make()
    const look = Effect.gen(function* () {
      const free = most - (yield* FiberSet.size(running))
      if (free <= 0) return
      const due = yield* summaries.claim(yield* Clock.currentTimeMillis, leaseMs, free)
      yield* Effect.forEach(due, (job) => FiberSet.run(running, summarize(job)), { discard: true })
    })
    yield* periodically("the worker of summaries could not look", { first: lookEvery, every: lookEvery }, look)
  })
)
