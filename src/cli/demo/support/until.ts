/** Waits until the service has done something. */
import { Effect } from "effect"
import { DemoFailed } from "./rest.ts"

/** Runs `look` ten times a second until it gives a value. After `seconds` it fails; `what` begins the sentence: `The answer was not read`. */
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
