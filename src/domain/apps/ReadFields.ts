/** Use case: the fields of contacts that a connected provider has. What it said is kept for ten minutes by each process. */
import { Effect } from "effect"
import { makeKept } from "../basics/limits/Kept.ts"
import { traced } from "../basics/Traced.ts"
import { AppAdapters } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { RemoteField } from "./RemoteFields.ts"
import { makeUseConnection } from "./UseConnection.ts"

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter once. The function it gives is undefined for a provider without a schema. */
export const makeReadFields = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const { use } = yield* makeUseConnection
  const kept = makeKept<ReadonlyArray<RemoteField>>({ forMs: 10 * 60_000, most: 500 })

  const read = Effect.fnUntraced(function* (
    connection: StoredConnection,
    fields: NonNullable<(typeof adapters)[keyof typeof adapters]["fields"]>
  ) {
    const key = `${connection.id} ${JSON.stringify(connection.settings)}`
    return yield* kept(
      key,
      use(connection, ({ session }) => fields(session))
    )
  })

  return (connection: StoredConnection) => {
    const { fields } = adapters[connection.provider]
    return fields === undefined ? undefined : traced("ReadFields")(() => read(connection, fields))()
  }
})
