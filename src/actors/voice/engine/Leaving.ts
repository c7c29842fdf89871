/** How a process comes to the moment at which another one can go on with its calls. Until then it works as always, and takes new calls. */
import { Clock, Effect, Schedule } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { type DrainOptions, goodbyeSeconds } from "./Drain.ts"
import { RunningCalls } from "./RunningCalls.ts"

/** A busy engine may have no moment without a call whose stream is on its way. */
const quietSeconds = 5
const lookEvery = Schedule.spaced("20 millis")

/** Completes when there are none, or after so many seconds, or when somebody hurries. */
const none = Effect.fnUntraced(function* (
  calls: Effect.Effect<number>,
  forSeconds: number,
  hurry: DrainOptions["hurry"]
) {
  const until = (yield* Clock.currentTimeMillis) + forSeconds * 1_000
  const isOver = Effect.zipWith(Clock.currentTimeMillis, calls, (now, left) => left === 0 || now >= until)
  const look = Effect.zipWith(isOver, hurry, (over, now) => over || now)
  yield* Effect.repeat(look, { schedule: lookEvery, until: (over) => over })
})

/** Waits until no call is left that has to come to its end here: as long as a drain may take, and then for the closing words. */
export const keptCallsOnly = traced("keptCallsOnly")(function* ({ seconds, hurry }: DrainOptions) {
  const { unkept, endUnkept } = yield* RunningCalls
  const calls = yield* unkept
  if (calls === 0) return
  yield* Effect.logInfo("calls have to end before this process leaves its place", { calls, seconds })
  yield* none(unkept, seconds, hurry)
  yield* endUnkept
  yield* none(unkept, goodbyeSeconds, hurry)
})

/** Waits for a moment at which no stream is on its way to a call. */
export const streamsHaveCome = Effect.fnUntraced(function* ({ hurry }: Pick<DrainOptions, "hurry">) {
  yield* none((yield* RunningCalls).awaited, quietSeconds, hurry)
})
