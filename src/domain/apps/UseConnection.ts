/** Work over a stored connection with tokens that are fresh; once more, with new ones, when the provider refuses them before their time. */
import { Effect } from "effect"
import type { AppFailure } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import { isRenewable, makeAppTokens } from "./AppTokens.ts"
import { makeOpenSession, type OpenedSession } from "./OpenSession.ts"

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makeUseConnection = Effect.gen(function* () {
  const { open, askUnlogged } = yield* makeOpenSession
  const fresh = yield* makeAppTokens

  /** `work` may run twice. The settings are those of `connection`, also when it was changed in between. */
  const use = <A>(
    connection: StoredConnection,
    work: (opened: OpenedSession, current: StoredConnection) => Effect.Effect<A, AppFailure>
  ): Effect.Effect<A, AppFailure> => {
    const ask = askUnlogged(connection)
    const attempt = (stored: StoredConnection) => {
      const current = { ...stored, settings: connection.settings }
      return work(open(current), current)
    }
    return Effect.flatMap(fresh(connection, ask), (current) =>
      Effect.catchIf(
        attempt(current),
        ({ action }) => action === "reconnect" && isRenewable(current.credentials),
        () => Effect.flatMap(fresh(current, ask, true), attempt)
      )
    )
  }
  return { use, open, askUnlogged }
})
