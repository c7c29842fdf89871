/**
 * Works at a provider over a connection: with tokens that can be used, and once more with new ones when the provider refuses those that it has. Nothing
 * fails: what went wrong is the outcome.
 */
import { Clock, Effect, Random } from "effect"
import { traced } from "../basics/Traced.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppFailure, AppSession } from "./AppSession.ts"
import { makeAppTokens } from "./AppTokens.ts"
import type { Exchange } from "./Exchange.ts"
import { makeOpenSession } from "./OpenSession.ts"
import { type SyncOutcome, syncVerdict } from "./SyncVerdict.ts"

export interface Worked<A> {
  /** What the work has given; undefined when it failed. */
  readonly value: A | undefined
  readonly outcome: SyncOutcome
  readonly exchanges: ReadonlyArray<Exchange>
}

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter once; the function it gives needs nothing. */
export const makeWorkSession = Effect.gen(function* () {
  const { open, askUnlogged } = yield* makeOpenSession
  const fresh = yield* makeAppTokens

  /** `failures`: how often this work has failed before. */
  return <A>(
    connection: StoredConnection,
    failures: number,
    work: (session: AppSession, now: number) => Effect.Effect<A, AppFailure>
  ): Effect.Effect<Worked<A>> =>
    traced("WorkSession")(function* () {
      const exchanges: Array<Exchange> = []
      let slowMs = 0
      const attempt = Effect.fnUntraced(function* (current: StoredConnection) {
        const opened = open(current)
        const done = yield* Effect.exit(work(opened.session, yield* Clock.currentTimeMillis))
        exchanges.push(...opened.exchanges)
        slowMs = Math.max(slowMs, opened.slowMs())
        return yield* done
      })
      const ask = askUnlogged(connection)
      const done = yield* Effect.flatMap(fresh(connection, ask), (current) =>
        Effect.catchIf(
          attempt(current),
          // A token may end earlier than it should: with a new one it is tried once more.
          ({ action }) => action === "reconnect" && current.credentials.refreshToken !== undefined,
          () => Effect.flatMap(fresh(current, ask, true), attempt)
        )
      ).pipe(
        Effect.map((value) => ({ value, failure: undefined })),
        Effect.catch((failure: AppFailure) => Effect.succeed({ value: undefined, failure }))
      )
      const now = yield* Clock.currentTimeMillis
      const random = yield* Random.next
      const { failingSince } = connection
      const outcome = syncVerdict({ failure: done.failure, failures, failingSince, now, random })
      const resumeAt = slowMs === 0 ? outcome.resumeAt : Math.max(outcome.resumeAt ?? 0, now + slowMs)
      return { value: done.value, outcome: { ...outcome, resumeAt }, exchanges }
    })()
})
export type WorkSession = Effect.Success<typeof makeWorkSession>
