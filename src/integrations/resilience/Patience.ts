/**
 * Retries a request for as long as a person can wait. A provider that loses all its connections for a moment, or a circuit that opens for a moment,
 * must not cost the calls that need it at that time.
 */
import { Clock, Effect, Random } from "effect"
import type { Circuit } from "./Circuit.ts"

export interface Patience<E> {
  /** Milliseconds for all attempts and the pauses between them. */
  readonly ms: number
  /** Whether another attempt may succeed. */
  readonly again: (error: E) => boolean
  /** The first pause and the longest one, in milliseconds; 50 and 400 by default. */
  readonly pauses?: readonly [first: number, longest: number]
}

/** How long a caller or an API client can be expected to wait. Milliseconds. */
export const usualPatienceMs = 4_000

const usualPauses = [50, 400] as const
/** With less time left than this, no further attempt is made. Milliseconds. */
const shortestAttemptMs = 100

/**
 * Runs `attempt` until it succeeds, fails for good, or the patience is over. `attempt` takes the milliseconds left and the number of attempts before
 * it. Pauses double from the first to the longest, or last for `waitMs` if that is longer. Each is up to a quarter shorter or longer, so that requests that
 * failed together do not all come back at once. It fails at once when there is no time for another attempt, with the error of the last attempt.
 */
export const retryPatiently = <A, E, R>(
  { ms, again, pauses: [firstPauseMs, longestPauseMs] = usualPauses }: Patience<E>,
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
          // In a busy process the sleep may have lasted longer.
          Effect.andThen(Effect.suspend(() => (left() < shortestAttemptMs ? Effect.fail(error) : ask(before + 1))))
        )
      })
    return ask(0)
  })

/**
 * The same through a provider's circuit. While the circuit is open, it waits if a request may pass in time. `attempt` takes the milliseconds it has:
 * at most `attemptMs`, so that a request whose connection died silently leaves time for another. For the circuit all attempts count as one request:
 * repeated failures for one caller do not mean that the provider is down.
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
