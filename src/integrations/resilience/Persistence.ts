/**
 * Asking until there is an answer, as long as somebody can wait for it. What loses all its connections for a moment, or a circuit that opened for
 * a moment, must not cost the calls that needed it just then.
 */
import { Clock, Effect } from "effect"
import type { Circuit } from "./Circuit.ts"

export interface Patience<E> {
  /** Milliseconds for all attempts and the pauses between them. */
  readonly ms: number
  /** Whether another attempt may succeed. */
  readonly again: (error: E) => boolean
  /** Milliseconds until an attempt makes sense; 0 when not given. */
  readonly waitMs?: () => number
}

/** How long a caller, or a client, can be expected to wait. Milliseconds. */
export const usualPatienceMs = 4_000

const firstPauseMs = 50
const longestPauseMs = 400
/** What is left is no time for another attempt. */
const shortestAttemptMs = 100

/** The pause before attempt `attempt` (1: the second one): 50 ms, doubling to 400. */
export const pauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)

/**
 * Runs `attempt`, which is told how many milliseconds are left, until it succeeds, fails for good, or patience is over. When there is no time to wait
 * for the next one it fails at once. The error is that of the last attempt.
 */
export const persist = <A, E, R>(
  { ms, again, waitMs }: Patience<E>,
  attempt: (leftMs: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + ms
    const left = () => until - clock.currentTimeMillisUnsafe()
    const ask = (attempts: number): Effect.Effect<A, E, R> =>
      Effect.catch(attempt(left()), (error) => {
        const wait = Math.max(pauseMs(attempts), waitMs?.() ?? 0)
        if (!again(error) || wait + shortestAttemptMs > left()) return Effect.fail(error)
        return Effect.andThen(
          Effect.sleep(wait),
          // A busy process sleeps for longer than it wants to.
          Effect.suspend(() => (left() < shortestAttemptMs ? Effect.fail(error) : ask(attempts + 1)))
        )
      })
    return ask(1)
  })

/**
 * The same through a provider's circuit, which is waited for when it lets a request through in time. `attempt` is told how many milliseconds it
 * has: at most half of all, so that a request whose connection died in silence leaves time for another.
 */
export const persistThrough = <A, E, R>(
  circuit: Circuit<E>,
  patience: Patience<E>,
  attempt: (timeoutMs: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  persist({ ...patience, waitMs: circuit.waitMs }, (leftMs) =>
    circuit.guard(attempt(Math.min(patience.ms / 2, leftMs)))
  )
