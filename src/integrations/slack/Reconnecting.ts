/** A connection that is to be there as long as the process: it is begun again whenever it ends. */
import { Clock, Duration, Effect, type Schedule } from "effect"

export interface Reconnection<Error> {
  /** The pauses between attempts that fail one after the other. */
  readonly pauses: Schedule.Schedule<unknown, Error>
  /** A connection that lasted for so long was a good one: it is begun again at once, and the pauses after it begin anew. */
  readonly goodAfter: Duration.Input
}

/** Runs `connection` again and again. One that succeeds has ended as it should, and is begun again at once, too. */
export const reconnecting = <Error, R>(
  connection: Effect.Effect<void, Error, R>,
  { pauses, goodAfter }: Reconnection<Error>
): Effect.Effect<never, Error, R> => {
  const one = Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    yield* Effect.catch(connection, (error) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - began >= Duration.toMillis(goodAfter) ? Effect.void : Effect.fail(error)
      )
    )
  })
  return Effect.forever(Effect.retry(one, pauses))
}
