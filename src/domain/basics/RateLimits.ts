/**
 * How often something may happen to one subject within any time that is as long as the window. Counted through `effect/persistence`, by our own
 * stores: for the whole cluster with Redis, per process in memory.
 */
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"

export interface RateLimitRule {
  /** Names the counter: two rules of one name share it. */
  readonly name: string
  /** What is counted, for the sentence: `requests for SIP credentials`. */
  readonly what: string
  readonly limit: number
  readonly window: Duration.Input
}

/** What a subject has left of its limit after it was counted. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Until everything may happen again; when it is exceeded, until it may happen once more. */
  readonly reset: Duration.Duration
  readonly exceeded: boolean
}

export const retryAfterSeconds = (duration: Duration.Duration) => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

/** The sentence for one too many. */
export const tooManySentence = ({ what, limit, window }: RateLimitRule, { reset }: RateLimitState): string =>
  `Too many ${what}: ${limit} are allowed in ${Duration.format(Duration.fromInputUnsafe(window))}. Try again in ${retryAfterSeconds(reset)} seconds.`

/** Nobody waits for a counter longer. */
const patience = "500 millis"

/** Needs the RateLimiter once; the function it gives counts this subject (an organization, an address) and says what it has left. */
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
            : // Without its counters the service goes on: being asked too often is less bad than not answering.
              Effect.as(
                Effect.logWarning("requests are not counted", { rule: rule.name, reason: error.message }),
                undefined
              )
        )
      )
    })
  )
