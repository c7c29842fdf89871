/**
 * The graceful end of a process. No new calls begin. Running calls, and outbound calls that still ring, get time to end. After that every agent
 * says goodbye, and calls that still run are cut off.
 */
import { Clock, Effect, Option, Schedule } from "effect"
import { Draining } from "../../../domain/basics/Draining.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { RingingCalls } from "../../../domain/voice/calls/outbound/RingingCalls.ts"
import { RunningCalls } from "./RunningCalls.ts"

export interface DrainOptions {
  /** How long running calls may go on. */
  readonly seconds: number
  /** True when an operator asked to stop at once: running calls are then not waited for. */
  readonly hurry: Effect.Effect<boolean>
}

/** Time for the closing words of the agents. */
export const goodbyeSeconds = 20
/** Time for the app and the object storage to take the last events and recordings. What they do not take waits on disk for the next start. */
const deliveryWait = "10 seconds"
const lookEvery = Schedule.spaced("100 millis")

/** Drains the process. It runs in a finalizer and is uninterruptible, so it watches the clock itself. */
export const drain = traced("drain")(function* ({ seconds, hurry }: DrainOptions) {
  const { begin } = yield* Draining
  const { count, sayGoodbye, cutOff, delivered } = yield* RunningCalls
  const ringing = yield* RingingCalls
  const runningOrRinging = Effect.zipWith(count, ringing.count, (running, rings) => running + rings)
  /** True when no call is left, false when the time is up or `hurry` became true. */
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
    // Also without calls: one that came after the last look is told goodbye, and later ones are refused.
    yield* sayGoodbye
    yield* allOver(count, goodbyeSeconds)
  }
  const left = yield* count
  if (left > 0) {
    yield* Effect.logWarning("stopping in the middle of calls", { calls: left })
    // Before the lines close: a call whose line closes first would be recorded as hung up by the caller.
    return yield* cutOff
  }
  if (calls > 0) yield* Effect.logInfo("drained: every call came to its end")
  // Also when no call was running: one that has just ended may still have a recording to store.
  const allDelivered = yield* Effect.raceFirst(Effect.as(delivered, true), Effect.as(hurried, false)).pipe(
    Effect.interruptible,
    Effect.timeoutOption(deliveryWait)
  )
  if (!Option.getOrElse(allDelivered, () => false))
    yield* Effect.logWarning("not all events and recordings are delivered yet: the next start delivers them")
})
