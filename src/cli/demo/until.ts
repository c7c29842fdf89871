/** The demo waits for what the service does in its own time. */
import { Effect } from "effect"
import { DemoFailed } from "./rest.ts"

/** Looks ten times a second until there is something. `what` is the sentence when there is not: `The answer was not read`. */
export const until = Effect.fnUntraced(function* <A, E, R>(
  what: string,
  seconds: number,
  look: Effect.Effect<A | undefined, E, R>
) {
  for (let attempt = 0; attempt < 10 * seconds; attempt++) {
    const found = yield* look
    if (found !== undefined) return found
    yield* Effect.sleep("100 millis")
  }
  return yield* new DemoFailed({ message: `${what} within ${seconds} seconds.` })
})
