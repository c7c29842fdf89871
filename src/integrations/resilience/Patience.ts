/**
 * Asking until there is an answer, as long as somebody can wait for it. What loses all its connections for a moment, or a circuit that opened for
 * a moment, must not cost the calls that needed it just then.
 */
import { Clock, Effect, Random } from "effect"
import type { Circuit } from "./Circuit.ts"

export interface Patience<E> {
  /** Milliseconds for all attempts and the pauses between them. */
  readonly ms: number
  /** Whether another attempt may succeed. */
  readonly again: (error: E) => boolean
}

/** How long a caller, or a client, can be expected to wait. Milliseconds. */
export const usualPatienceMs = 4_000

const firstPauseMs = 50
const longestPauseMs = 400
/** What is left is no time for another attempt. */
const shortestAttemptMs = 100

/**
 * Runs `attempt` until it succeeds, fails for good, or patience is over. It is told how many milliseconds are left, and how many attempts there were
 * before it. Pauses double from 50 to 400 ms, or last until `waitMs` says that an attempt makes sense, each a quarter more or less: those who lost
 * the same thing at the same moment do not all come back at once. When there is no time to wait for the next attempt this fails at once. The
 * error is that of the last attempt.
 */
export const retryPatiently = <A, E, R>(
  { ms, again }: Patience<E>,
  attempt: (leftMs: number, before: number) => Effect.Effect<A, E, R>,
  waitMs: () => number = () => 0
): Effect.Effect<A, E, R> =>
  Clock.clockWith((clock) => {
    const until = clock.currentTimeMillisUnsafe() + ms
    const left = () => until - clock.currentTimeMillisUnsafe()
    const ask = (before: number): Effect.Effect<A, E, R> =>
      Effect.catch(attempt(left(), before), (error) => {
        if (!again(error)) return Effect.fail(error)
        const pause = Math.max(Math.min(firstPauseMs * 2 ** before, longestPauseMs), waitMs())
        if (pause + shortestAttemptMs > left()) return Effect.fail(error)
        return Random.next.pipe(
          Effect.flatMap((random) => Effect.sleep(Math.max(waitMs(), pause * (0.75 + random / 2)))),
          // A busy process sleeps for longer than it wants to.
          Effect.andThen(Effect.suspend(() => (left() < shortestAttemptMs ? Effect.fail(error) : ask(before + 1))))
        )
      })
    return ask(0)
  })

/**
 * The same through a provider's circuit, which is waited for when it lets a request through in time. `attempt` is told how many milliseconds it
 * has: `attemptMs` at most, so that a request whose connection died in silence leaves time for another. For the circuit all attempts are one
 * request: what fails for one caller again and again is not the provider's end.
 */
export const retryThroughCircuit = <A, E, R>(
  circuit: Circuit<E>,
  patience: Patience<E>,
  attemptMs: number,
  attempt: (timeoutMs: number) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  retryPatiently(
    patience,
    (leftMs, before) => circuit.guard(attempt(Math.min(attemptMs, leftMs)), before > 0),
    circuit.waitMs
  )
