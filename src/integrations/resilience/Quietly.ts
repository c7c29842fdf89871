/** For stores a call can do without: a failure becomes `undefined`, logged when it begins and not again until the store has worked. */
import { Effect } from "effect"

/** Gives the function that runs attempts on one store; `message` says in the log what does not work. */
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
