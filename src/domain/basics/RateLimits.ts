/**
 * How often a subject (an organization, an address) may do something within a window of time. `effect/persistence` counts in our own stores: with
 * Redis for the whole cluster, in memory per process.
 */
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"

export interface RateLimitRule {
  /** The name of the counter: two rules with the same name share it. */
  readonly name: string
  /** What is counted, as words for `tooManySentence`: `requests for SIP credentials`. */
  readonly what: string
  readonly limit: number
  readonly window: Duration.Input
}

/** What a subject has left of its limit after this request was counted. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** The time until the whole limit is free again; when the limit is exceeded, until one more request is allowed. */
  readonly reset: Duration.Duration
  readonly exceeded: boolean
}

/** Whole seconds for the header `Retry-After`, at least 1. */
export const retryAfterSeconds = (duration: Duration.Duration) => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

/** The sentence for a request beyond the limit. */
export const tooManySentence = ({ what, limit, window }: RateLimitRule, { reset }: RateLimitState): string =>
  `Too many ${what}: ${limit} are allowed in ${Duration.format(Duration.fromInputUnsafe(window))}. Try again in ${retryAfterSeconds(reset)} seconds.`

/** The longest wait for a counter. */
const patience = "500 millis"

/**
 * Needs the RateLimiter once. The function it gives takes back the newest request that was counted of the subject: it failed on our side. Our own
 * stores do this for -1 requests.
 */
export const makeGiveBack = ({ name, limit, window }: RateLimitRule) =>
  Effect.map(
    RateLimiter.RateLimiter,
    (limiter) =>
      (subject: string): Effect.Effect<void> =>
        limiter.consume({ algorithm: "fixed-window", key: `${name}:${subject}`, limit, window, tokens: -1 }).pipe(
          Effect.timeout(patience),
          Effect.catch(({ message: reason }) =>
            Effect.logWarning("a request that failed stays counted", { rule: name, reason })
          )
        )
  )

/**
 * Needs the RateLimiter once. The function it gives counts one request of the subject and gives what the subject has left; `undefined` when the
 * counter does not answer.
 */
export const makeCounter = (rule: RateLimitRule) =>
  Effect.map(RateLimiter.RateLimiter, (limiter) =>
    Effect.fnUntraced(function* (subject: string): Effect.fn.Return<RateLimitState | undefined> {
      const { limit, window } = rule
      const counted = limiter.consume({ algorithm: "fixed-window", key: `${rule.name}:${subject}`, limit, window })
      return yield* counted.pipe(
        Effect.timeout(patience),
        Effect.map(({ remaining, resetAfter }) => ({ limit, remaining, reset: resetAfter, exceeded: false })),
        Effect.catch((error) =>
          error._tag !== "TimeoutError" && error.reason._tag === "RateLimitExceeded"
            ? Effect.succeed({ limit, remaining: 0, reset: error.reason.retryAfter, exceeded: true })
            : // Without counters the service goes on: too many requests are less bad than no answers.
              Effect.as(
                Effect.logWarning("requests are not counted", { rule: rule.name, reason: error.message }),
                undefined
              )
        )
      )
    })
  )
