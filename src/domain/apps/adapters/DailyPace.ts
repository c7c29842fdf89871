/** How fast requests may go on when a provider counts those of a day. Pure. */

/** Of a day's requests this share is left to people and other apps of the account. */
const reserve = 0.02
/** Below this share the rest is paced. */
const paced = 0.2
const dayMs = 86_400_000
/** Four changes are sent at once, and each takes some three requests. */
const requestsAtOnce = 12
/** When so little is left, the provider is asked again after this time. */
export const dailyWaitMs = 15 * 60_000

/**
 * Milliseconds to wait before the next changes: none while more than a fifth of the day's `limit` is left; then as long as spreads the limit evenly
 * over a day, which never uses it up; in the reserve a quarter of an hour.
 */
export const dailyPaceMs = (limit: number, left: number): number | undefined => {
  if (!(limit > 0) || left > limit * paced) return undefined
  return left <= limit * reserve ? dailyWaitMs : Math.min(dailyWaitMs, Math.ceil((requestsAtOnce * dayMs) / limit))
}
