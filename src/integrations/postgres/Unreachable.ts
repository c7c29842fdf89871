/** A database that is away for a moment (restarted, failed over): who has not touched anything yet waits for it. */
import { Clock, Effect } from "effect"
import { SqlError } from "effect/sql"
import { pauseMs } from "../resilience/Persistence.ts"

/** As long as a provider is waited for: the telephony provider and REST clients wait longer. */
const patienceMs = 4_000

/** No connection could be had (refused, starting up, full), or it was lost. */
const isUnreachable = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason._tag === "ConnectionError" || error.reason.operation === "connect")

/**
 * Runs `effect` again (after 50 ms, doubling to 400) when the database could not be reached, for 4 s, and as long as `untouched` says that
 * nothing has been done. Reads are always untouched.
 */
export const outlasting = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  untouched: () => boolean = () => true
): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + patienceMs
    const attempt = (attempts: number): Effect.Effect<A, E, R> =>
      Effect.catch(effect, (error) => {
        const pause = pauseMs(attempts)
        if (!untouched() || !isUnreachable(error) || clock.currentTimeMillisUnsafe() + pause >= until)
          return Effect.fail(error)
        return Effect.andThen(
          Effect.sleep(pause),
          Effect.suspend(() => attempt(attempts + 1))
        )
      })
    return attempt(1)
  })
