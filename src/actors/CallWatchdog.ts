/** The worker that asks the telephony provider for calls whose end nobody told us of. Any number of processes may run it. */
import { Effect, Layer } from "effect"
import { makeTrackCalls } from "../domain/TrackCalls.ts"

const lookEvery = "1 minute"

/** Needs what `TrackCalls` needs; runs for the life of the scope. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(makeTrackCalls, ({ askForUnfinished }) =>
    askForUnfinished.pipe(
      Effect.catchDefect((defect) => Effect.logError("asking for unfinished calls failed", defect)),
      Effect.andThen(Effect.sleep(lookEvery)),
      Effect.forever,
      Effect.forkScoped
    )
  )
)
