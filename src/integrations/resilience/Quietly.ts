/** For stores that a call can do without: a failure becomes `undefined`. The first failure is logged; later ones only after the store has worked. */
import { Effect } from "effect"

/** Returns a function that runs attempts on one store. `message`: the log line of a failure. */
export const quietly = (message: string) => {
  let failing = false
  return <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | undefined> =>
    effect.pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          failing = false
        })
      ),
      Effect.catch((error) =>
        Effect.suspend(() => {
          if (failing) return Effect.undefined
          failing = true
          return Effect.as(Effect.logWarning(message, error), undefined)
        })
      )
    )
}
