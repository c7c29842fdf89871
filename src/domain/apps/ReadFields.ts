/** Use case: the fields of contacts that a connected provider has. What it said is kept for ten minutes by each process. */
import { Clock, Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import { AppAdapters } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { RemoteField } from "./RemoteFields.ts"
import { makeUseConnection } from "./UseConnection.ts"

const keptMs = 10 * 60_000
const mostKept = 500

/** Needs AppAdapters, AppConnections, Exclusive, HttpClient and RateLimiter once. The function it gives is undefined for a provider without a schema. */
export const makeReadFields = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const { use } = yield* makeUseConnection
  const kept = new Map<string, { readonly at: number; readonly fields: ReadonlyArray<RemoteField> }>()

  const read = Effect.fnUntraced(function* (
    connection: StoredConnection,
    fields: NonNullable<(typeof adapters)[keyof typeof adapters]["fields"]>
  ) {
    const key = `${connection.id} ${JSON.stringify(connection.settings)}`
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(key)
    if (known !== undefined && now - known.at < keptMs) return known.fields
    const found = yield* use(connection, ({ session }) => fields(session))
    kept.delete(key)
    kept.set(key, { at: now, fields: found })
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
    return found
  })

  return (connection: StoredConnection) => {
    const { fields } = adapters[connection.provider]
    return fields === undefined ? undefined : traced("ReadFields")(() => read(connection, fields))()
  }
})
