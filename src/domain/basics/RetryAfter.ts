/** The HTTP header `Retry-After`, as services and customers' servers send it. */

/** The longest wait that is honoured, in milliseconds. */
export const longestRetryAfterMs = 86_400_000

/**
 * How many milliseconds from `now` (Unix milliseconds) the sender asks us to wait, a day at most. The header is a number of seconds or a date.
 * `undefined` when there is no header, it cannot be read, or its date has passed (the clocks of two machines differ): the caller then waits as usual.
 */
export const retryAfterMs = (header: string | null | undefined, now: number): number | undefined => {
  const text = header?.trim() ?? ""
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(wait) || wait < 0 ? undefined : Math.min(wait, longestRetryAfterMs)
}
