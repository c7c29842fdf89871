/** The header `Retry-After`, as services and customers' servers send it. */

/** Nobody is believed who asks for more. Milliseconds. */
export const longestRetryAfterMs = 86_400_000

/**
 * How long the sender wants to be left alone from `now` (Unix milliseconds) on, in milliseconds, a day at most. The header is seconds, or a date.
 * `undefined`: it asks for nothing, because there is none, it cannot be read, or its date is over (the clocks of two machines differ); whoever reads
 * it then waits as usual.
 */
export const retryAfterMs = (header: string | null | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(wait) || wait < 0 ? undefined : Math.min(wait, longestRetryAfterMs)
}
