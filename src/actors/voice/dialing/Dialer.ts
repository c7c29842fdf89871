/**
 * The worker that places calls. It looks for organizations with queued calls every second, and at once when woken. Each organization has its
 * own fiber, so that a slow answer for one does not delay the others. Any number of processes may run it.
 */
import { Effect, FiberMap, Layer, Queue } from "effect"
import { Draining } from "../../../domain/basics/Draining.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { makeDialCalls } from "../../../domain/voice/calls/outbound/DialCalls.ts"
import { Dialer } from "../../../domain/voice/calls/outbound/Placement.ts"

const lookEvery = "1 second"

const make = Effect.gen(function* () {
  const dialCalls = yield* makeDialCalls
  const { isDraining } = yield* Draining
  const serving = yield* FiberMap.make<string>()
  // One wake-up is as good as many.
  const wakeUps = yield* Queue.sliding<void>(1)

  const serve = (organizationId: string) =>
    FiberMap.run(
      serving,
      organizationId,
      dialCalls
        .drain(organizationId)
        .pipe(Effect.catchDefect((defect) => Effect.logError("placing calls failed", { organizationId }, defect))),
      // A running fiber looks for newer calls before it ends.
      { onlyIfMissing: true }
    )

  /** A draining process leaves the queue to the others. */
  const look = Effect.gen(function* () {
    if (yield* isDraining) return yield* FiberMap.clear(serving)
    yield* Effect.forEach(yield* dialCalls.organizations, serve, { discard: true })
  })

  const rhythm = { every: lookEvery, wake: Queue.take(wakeUps), level: "error" } as const
  yield* periodically("looking for calls to place failed", rhythm, look)
  return Dialer.of({ wake: Effect.asVoid(Queue.offer(wakeUps, undefined)) })
})

/** Needs Draining and what `DialCalls` needs; runs for the life of the scope. */
export const layer = Layer.effect(Dialer, make)
