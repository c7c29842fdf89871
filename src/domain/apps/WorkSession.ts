/** Work over a stored connection as the workers do it: nothing fails, and what went wrong is the outcome. */
import { Clock, Effect, Random } from "effect"
import type { StoredConnection } from "./AppConnection.ts"
import type { AppFailure, AppSession } from "./AppSession.ts"
import type { Exchange } from "./Exchange.ts"
import { type SyncOutcome, syncVerdict } from "./SyncVerdict.ts"
import { makeUseConnection } from "./UseConnection.ts"

export interface Worked<A> {
  /** What the work has given; undefined when it failed. */
  readonly value: A | undefined
  readonly outcome: SyncOutcome
  readonly exchanges: ReadonlyArray<Exchange>
}

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter once; the function it gives needs nothing. */
export const makeWorkSession = Effect.gen(function* () {
  const { use } = yield* makeUseConnection

  /** `failures`: how often this work has failed before. `work` may run twice. */
  return Effect.fnUntraced(function* <A>(
    connection: StoredConnection,
    failures: number,
    work: (session: AppSession, now: number) => Effect.Effect<A, AppFailure>
  ) {
    const exchanges: Array<Exchange> = []
    let slowMs = 0
    const done = yield* use(
      connection,
      Effect.fnUntraced(function* (opened) {
        const exit = yield* Effect.exit(work(opened.session, yield* Clock.currentTimeMillis))
        exchanges.push(...opened.exchanges)
        slowMs = Math.max(slowMs, opened.slowMs())
        return yield* exit
      })
    ).pipe(
      Effect.map((value) => ({ value, failure: undefined })),
      Effect.catch((failure: AppFailure) => Effect.succeed({ value: undefined, failure }))
    )
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    const { failingSince } = connection
    const outcome = syncVerdict({ failure: done.failure, failures, failingSince, now, random })
    const resumeAt = slowMs === 0 ? outcome.resumeAt : Math.max(outcome.resumeAt ?? 0, now + slowMs)
    return { value: done.value, outcome: { ...outcome, resumeAt }, exchanges } satisfies Worked<A>
  })
})
export type WorkSession = Effect.Success<typeof makeWorkSession>
