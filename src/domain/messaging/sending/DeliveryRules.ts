/** When a message that could not be handed over is tried again, and what is said of one that is given up. Times are milliseconds. */

export const deliveryDefaults = {
  /** A message that could not be handed over for so long has failed. */
  giveUpAfterMs: 24 * 3_600_000,
  /** How long a report of the channel is waited for when its answer was lost. */
  patienceMs: 60_000,
  /** The answer to a request is lost after that; shorter than a claim lasts. */
  handoverMs: 30_000,
  /** Of an organization: what the channel takes per number. */
  messagesPerSecond: 80,
  firstRetryMs: 1_000,
  longestRetryMs: 5 * 60_000
}
export type DeliveryRules = typeof deliveryDefaults

/**
 * Messages of one organization that a process has under way: what its number's pace takes within 0.4 s, so that the next burst is there when
 * its time comes, and not so many that a slow number has claimed what it cannot send before the claims end.
 */
export const placesOf = ({ messagesPerSecond }: Pick<DeliveryRules, "messagesPerSecond">): number =>
  Math.max(4, Math.ceil(0.4 * messagesPerSecond))

/** Handed over that often without an answer or a report, a message has failed: it may have arrived each time. */
export const mostUnanswered = 3

/**
 * The pause after so many attempts (1: the first): doubling, up to the longest, and of that a random half to all, so that those who failed
 * together do not come back together. `random` is in [0, 1). Never shorter than the channel asks for.
 */
export const retryPauseMs = (
  { firstRetryMs, longestRetryMs }: Pick<DeliveryRules, "firstRetryMs" | "longestRetryMs">,
  attempt: number,
  random: number,
  askedForMs = 0
): number => {
  const full = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(30, Math.max(0, attempt - 1)))
  return Math.max(askedForMs, Math.round(full * (0.5 + random / 2)))
}

const hours = (ms: number): string => `${Math.round(ms / 360_000) / 10} hours`

export const givenUp = (afterMs: number, last: string) => ({
  code: null,
  reason: `The channel could not be reached for ${hours(afterMs)}, so this message was given up. The last reason: ${last}`
})

export const unanswered = {
  code: null,
  reason:
    "The channel took this message without an answer several times and reported nothing about it: whether it arrived is not known. " +
    "Please ask the recipient before sending it again."
}
