/** Answers that are good for a while, so that they are not asked for each time. */
import { Clock, Effect } from "effect"

export interface KeptOptions {
  /** How long an answer is good, in milliseconds. */
  readonly forMs: number
  /** So many are kept at most; then the oldest goes. */
  readonly most: number
}

/** Gives the function that answers for a key: what is kept, or what `ask` gives, which is kept then. With `fresh` it asks whatever is kept. */
export const makeKept = <A>({ forMs, most }: KeptOptions) => {
  const kept = new Map<string, { readonly at: number; readonly value: A }>()
  return Effect.fnUntraced(function* <E, R>(key: string, ask: Effect.Effect<A, E, R>, fresh = false) {
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(key)
    if (!fresh && known !== undefined && now - known.at < forMs) return known.value
    const value = yield* ask
    kept.delete(key)
    kept.set(key, { at: now, value })
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break
      kept.delete(oldest)
    }
    return value
  })
}
