/**
 * Searches that found as many contacts as are counted, a moment ago: counting them again would be most of the work of the next page, or of the
 * same search by somebody else. Whatever found fewer is counted each time.
 */
import { Clock, Effect } from "effect"

const lifetimeMs = 30_000
const mostRemembered = 10_000

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
