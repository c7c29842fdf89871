/** Remembers records that cost much to read, decrypt and decode. The version of a record's row is asked for each time, so none is older than the database. */
import { Effect } from "effect"

const mostRemembered = 2_000

/** A cache that keeps the newest value per id. A value is at least as new as the version that it is stored under. */
export const makeRemembering = <A>() => {
  const known = new Map<string, { readonly version: string; readonly value: A }>()
  return Effect.fnUntraced(function* <E>(id: string, version: string, read: Effect.Effect<A | undefined, E>) {
    const found = known.get(id)
    if (found?.version === version) return found.value
    const value = yield* read
    if (value === undefined) known.delete(id)
    else {
      if (known.size >= mostRemembered) known.clear()
      known.set(id, { version, value })
    }
    return value
  })
}
