/**
 * Renews credentials that end, once, whoever asks: in a process by one fiber, across processes by the one that holds the lease. The result is stored only
 * over the version that was read, which is the fence against a process that lost its lease.
 */
import { Clock, Deferred, Effect, Exit } from "effect"
import { Exclusive } from "../Exclusive.ts"

/** Tokens that end within this time are renewed before they are used. Milliseconds. */
const earlyMs = 60_000
/** After a failure nobody tries to renew them for this time. Milliseconds. */
export const renewalPauseMs = 30_000

/** Whether a token must be renewed before it is used. `expiresAt`: Unix milliseconds; `undefined`: its end is not known. */
export const endsSoon = (expiresAt: number | undefined, now: number): boolean =>
  expiresAt !== undefined && expiresAt - now < earlyMs

/** Credentials `A` as they are stored, and what is new of them when they are renewed. */
export interface RenewalOptions<A, New, E> {
  readonly organizationId: (stored: A) => string
  readonly id: (stored: A) => string
  /** Grows with each change. */
  readonly version: (stored: A) => number
  /** When they could not be renewed last, Unix milliseconds; null when they could. */
  readonly failedAt: (stored: A) => number | null
  /** The stored credentials of the same id; `undefined`: they are gone. */
  readonly find: (seen: A) => Effect.Effect<A | undefined>
  /** Stores them over the version that was read; `undefined` when another one is stored meanwhile. */
  readonly replace: (stored: A, renewed: New) => Effect.Effect<A | undefined>
  /** They were removed. */
  readonly gone: E
  /** They could not be renewed a moment ago, or somebody else is at it for too long. */
  readonly again: E
}

/**
 * Needs Exclusive once. The function it gives returns credentials that are newer than those that were seen, and runs `renew` at most once for a version; a
 * failure of `renew` is for all that wait.
 */
export const makeRenewOnce = <A, New, E>(options: RenewalOptions<A, New, E>) =>
  Effect.map(Exclusive, (exclusive) => {
    const { organizationId, id, version, failedAt, find, replace, gone, again } = options
    const flights = new Map<string, Deferred.Deferred<A, E>>()

    /** Runs under the lease. */
    const renewed = Effect.fnUntraced(function* (seen: A, renew: (stored: A, now: number) => Effect.Effect<New, E>) {
      const stored = yield* find(seen)
      if (stored === undefined) return yield* Effect.fail(gone)
      if (version(stored) !== version(seen)) return stored
      const now = yield* Clock.currentTimeMillis
      const failed = failedAt(stored)
      if (failed !== null && now - failed < renewalPauseMs) return yield* Effect.fail(again)
      const saved = yield* replace(stored, yield* renew(stored, now))
      return saved ?? (yield* find(stored)) ?? stored
    })

    return Effect.fnUntraced(function* (seen: A, renew: (stored: A, now: number) => Effect.Effect<New, E>) {
      const flying = flights.get(id(seen))
      if (flying !== undefined) return yield* Deferred.await(flying)
      const flight: Deferred.Deferred<A, E> = Deferred.makeUnsafe()
      flights.set(id(seen), flight)
      const leased = exclusive
        .run(
          organizationId(seen),
          `tokens of ${id(seen)}`
        )(renewed(seen, renew))
        .pipe(Effect.catchTag("Busy", () => Effect.fail(again)))
      // Those who wait get the result even when the fiber that began is interrupted.
      return yield* Effect.onExit(leased, (exit) =>
        Effect.andThen(
          Effect.sync(() => flights.delete(id(seen))),
          Deferred.done(flight, Exit.hasInterrupts(exit) ? Exit.fail(again) : exit)
        )
      )
    })
  })
