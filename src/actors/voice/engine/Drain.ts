/**
 * A graceful end: nothing new begins, running calls have their time, those that we placed and that still ring as well, and what goes on after it is
 * told goodbye. What is left then is cut off.
 */
import { Clock, Effect, Option, Schedule } from "effect"
import { Draining } from "../../../domain/basics/Draining.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { RingingCalls } from "../../../domain/voice/calls/outbound/RingingCalls.ts"
import { RunningCalls } from "./RunningCalls.ts"

export interface DrainOptions {
  /** How long running calls may go on. */
  readonly seconds: number
  /** Somebody is in a hurry: what still runs is not waited for. */
  readonly hurry: Effect.Effect<boolean>
}

/** For the last words to be said and heard. */
const goodbyeSeconds = 20
/** For the app, its database and the object storage to take what came last. What they do not take by then waits on disk for the next start. */
const deliveryWait = "10 seconds"
const lookEvery = Schedule.spaced("100 millis")

/** Uninterruptible work of a finalizer, so it watches the clock itself. */
export const drain = traced("drain")(function* ({ seconds, hurry }: DrainOptions) {
  const { begin } = yield* Draining
  const { count, sayGoodbye, cutOff, delivered } = yield* RunningCalls
  const ringing = yield* RingingCalls
  const runningOrRinging = Effect.zipWith(count, ringing.count, (running, rings) => running + rings)
  /** True when none of them is left, false when the time is up or somebody is in a hurry. */
  const allOver = Effect.fnUntraced(function* (calls: Effect.Effect<number>, forSeconds: number) {
    const until = (yield* Clock.currentTimeMillis) + forSeconds * 1_000
    const look = Effect.gen(function* () {
      return (yield* calls) === 0 || (yield* hurry) || (yield* Clock.currentTimeMillis) >= until
    })
    yield* Effect.repeat(look, { schedule: lookEvery, until: (done) => done })
    return (yield* calls) === 0
  })

  const hurried = Effect.repeat(hurry, { schedule: lookEvery, until: (now) => now })

  yield* begin
  const calls = yield* runningOrRinging
  if (calls > 0) yield* Effect.logInfo("draining: no new calls, waiting for the running ones", { calls, seconds })
  const over = yield* allOver(runningOrRinging, seconds)
  if (!(yield* hurry)) {
    if (!over) yield* Effect.logInfo("the time for draining is up: saying goodbye", { calls: yield* count })
    // Also when nobody is there: who comes between the last look and this is told goodbye, and who comes after it that it is too late.
    yield* sayGoodbye
    yield* allOver(count, goodbyeSeconds)
  }
  const left = yield* count
  if (left > 0) {
    yield* Effect.logWarning("stopping in the middle of calls", { calls: left })
    // Before the lines are closed: a call whose line closes first goes on record as hung up by the caller.
    return yield* cutOff
  }
  if (calls > 0) yield* Effect.logInfo("drained: every call came to its end")
  // Also when none was running: one that ended a moment before may still have its recording to be stored.
  const allDelivered = yield* Effect.raceFirst(Effect.as(delivered, true), Effect.as(hurried, false)).pipe(
    Effect.interruptible,
    Effect.timeoutOption(deliveryWait)
  )
  if (!Option.getOrElse(allDelivered, () => false))
    yield* Effect.logWarning("not all events and recordings are delivered yet: the next start delivers them")
})
