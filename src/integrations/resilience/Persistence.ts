/**
 * Asking a provider until it answers, as long as somebody can wait for it. A provider that loses all its connections for a moment, or a circuit
 * that opened for a moment, must not cost the calls that needed it just then.
 */
import { Clock, Effect } from "effect"
import type { Circuit } from "./Circuit.ts"

export interface Patience<E> {
  /** Milliseconds for all attempts and the pauses between them. */
  readonly ms: number
  /** Longest wait of one attempt, in milliseconds: a request whose connection died in silence leaves time for another. */
  readonly attemptMs: number
  /** Whether another attempt may succeed. */
  readonly again: (error: E) => boolean
}

const firstPauseMs = 50
const longestPauseMs = 400
/** What is left is no time for another attempt. */
const shortestAttemptMs = 100

/** The pause before attempt `attempt` (1: the second one): 50 ms, doubling to 400. */
export const pauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)

/**
 * Runs `attempt`, which has `timeoutMs` milliseconds, until it succeeds, fails for good, or patience is over. An open circuit is waited for
 * when it lets a request through in time; when it does not, this fails at once. The error is that of the last attempt.
 */
export const persist = <A, E, R>(
  circuit: Circuit<E>,
  { ms, attemptMs, again }: Patience<E>,
  attempt: (timeoutMs: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + ms
    const left = () => until - clock.currentTimeMillisUnsafe()
    const ask = (attempts: number): Effect.Effect<A, E, R> =>
      Effect.catch(circuit.guard(attempt(Math.min(attemptMs, left()))), (error) => {
        const wait = Math.max(pauseMs(attempts), circuit.waitMs())
        if (!again(error) || wait + shortestAttemptMs > left()) return Effect.fail(error)
        return Effect.andThen(
          Effect.sleep(wait),
          // A busy process sleeps for longer than it wants to.
          Effect.suspend(() => (left() < shortestAttemptMs ? Effect.fail(error) : ask(attempts + 1)))
        )
      })
    return ask(1)
  })
