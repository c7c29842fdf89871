/**
 * Remembers recent searches whose result count reached the limit of counting. Counting again would be most of the work of the next page, or of the
 * same search by another user. Searches with fewer results are counted each time.
 */
import { Clock, Effect } from "effect"

const lifetimeMs = 30_000
const mostRemembered = 10_000

/** `has` gives whether a search was added within the last 30 seconds. */
export interface FrequentSearches {
  readonly has: (search: string) => Effect.Effect<boolean>
  readonly add: (search: string) => Effect.Effect<void>
}

export const makeFrequentSearches = (): FrequentSearches => {
  const until = new Map<string, number>()
  return {
    has: (search) => Effect.map(Clock.currentTimeMillis, (now) => (until.get(search) ?? 0) > now),
    add: (search) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (until.size >= mostRemembered) until.clear()
        until.set(search, now + lifetimeMs)
      })
  }
}
