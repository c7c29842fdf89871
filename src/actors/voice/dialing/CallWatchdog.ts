/**
 * The worker that asks the telephony provider about calls whose end was never reported, and ends those that no engine will end. Any number of
 * processes may run it.
 */
import { Effect, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { makeTrackCalls } from "../../../domain/voice/calls/outbound/TrackCalls.ts"

const every = "1 minute"

/** Needs what `TrackCalls` needs; runs for the life of the scope. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(makeTrackCalls, ({ askForUnfinished, endWithoutEngine }) =>
    periodically(
      "asking for unfinished calls failed",
      { every, level: "error" },
      Effect.andThen(askForUnfinished, endWithoutEngine)
    )
  )
)
