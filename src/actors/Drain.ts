/**
 * A graceful end: nothing new begins, running calls have their time, and what goes on after it is told goodbye. What is left then is cut off.
 */
import { Clock, Effect, Schedule } from "effect"
import { Draining } from "../domain/Draining.ts"
import { RunningCalls } from "./RunningCalls.ts"

export interface DrainOptions {
  /** How long running calls may go on. */
  readonly seconds: number
  /** Somebody is in a hurry: what still runs is not waited for. */
  readonly hurry: Effect.Effect<boolean>
}

/** For the last words to be said and heard. */
const goodbyeSeconds = 20
/** For the app, and its database, to take what happened last. Without it the events wait on disk for the next start. */
const deliveryWait = "10 seconds"
const lookEvery = Schedule.spaced("100 millis")

/** Uninterruptible work of a finalizer, so it watches the clock itself. */
export const drain = Effect.fn("drain")(function* ({ seconds, hurry }: DrainOptions) {
  const { begin } = yield* Draining
  const { count, sayGoodbye, cutOff, delivered } = yield* RunningCalls
  /** True when no call is left, false when the time is up or somebody is in a hurry. */
  const allOver = Effect.fnUntraced(function* (forSeconds: number) {
    const until = (yield* Clock.currentTimeMillis) + forSeconds * 1_000
    const look = Effect.gen(function* () {
      return (yield* count) === 0 || (yield* hurry) || (yield* Clock.currentTimeMillis) >= until
    })
    yield* Effect.repeat(look, { schedule: lookEvery, until: (done) => done })
    return (yield* count) === 0
  })

  yield* begin
  const calls = yield* count
  if (calls === 0) return
  yield* Effect.logInfo("draining: no new calls, waiting for the running ones", { calls, seconds })
  if (!(yield* allOver(seconds)) && !(yield* hurry)) {
    yield* Effect.logInfo("the time for draining is up: saying goodbye", { calls: yield* count })
    yield* sayGoodbye
    yield* allOver(goodbyeSeconds)
  }
  const left = yield* count
  if (left > 0) {
    yield* Effect.logWarning("stopping in the middle of calls", { calls: left })
    // Before the lines are closed: a call whose line closes first goes on record as hung up by the caller.
    return yield* cutOff
  }
  yield* Effect.logInfo("drained: every call came to its end")
  yield* delivered.pipe(
    Effect.interruptible,
    Effect.timeout(deliveryWait),
    Effect.catch(() => Effect.logWarning("the app has not taken all events yet: the next start delivers them"))
  )
})
