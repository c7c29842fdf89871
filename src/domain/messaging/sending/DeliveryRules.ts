/** When a message that could not be handed to the channel is retried, and the reason that a failed one gets. Times are milliseconds. */

export const deliveryDefaults = {
  /** A message that could not be handed over for this long has failed. */
  giveUpAfterMs: 24 * 3_600_000,
  /** How long to wait for a report of the channel when its answer was lost. */
  patienceMs: 60_000,
  /** The time limit of a request; afterwards its answer counts as lost. Shorter than a claim lasts. */
  handoverMs: 30_000,
  /** The rate of an organization: the channel accepts this many per number. */
  messagesPerSecond: 80,
  firstRetryMs: 1_000,
  longestRetryMs: 5 * 60_000
}
export type DeliveryRules = typeof deliveryDefaults

/**
 * How many messages of one organization a process hands over at a time: as many as its number sends within 0.4 s. So the next messages are ready when
 * the rate allows them, and a slow number does not claim more than it can send before the claims end.
 */
export const placesOf = ({ messagesPerSecond }: Pick<DeliveryRules, "messagesPerSecond">): number =>
  Math.max(4, Math.ceil(0.4 * messagesPerSecond))

/** A message has failed after this many handovers without an answer or a report: it may have arrived each time. */
export const mostUnanswered = 3

/**
 * The pause after the given attempt (1: the first). It doubles up to `longestRetryMs`; a random share between a half and all of it is taken, so that
 * messages that failed together are not retried together. `random` is in [0, 1). Never shorter than the channel asks for.
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

/** The failure of a message that could not be handed over within `afterMs`. `last`: the reason of the last attempt. */
export const givenUp = (afterMs: number, last: string) => ({
  code: null,
  reason: `The channel could not be reached for ${hours(afterMs)}, so this message was given up. The last reason: ${last}`
})

/** The failure of a message after `mostUnanswered` handovers without an answer. */
export const unanswered = {
  code: null,
  reason:
    "The channel took this message without an answer several times and reported nothing about it: whether it arrived is not known. " +
    "Please ask the recipient before sending it again."
}
