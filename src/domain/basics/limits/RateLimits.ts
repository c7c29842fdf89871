/**
 * How often a subject (an organization, an address) may do something within a window of time. `effect/persistence` counts in our own stores: with
 * Redis for the whole cluster, in memory per process. While the store does not answer, each process counts alone: nobody passes uncounted.
 */
import { Clock, Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { RequestCounters } from "./RequestCounters.ts"

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

/** The longest wait for the shared counter. */
const patience = "500 millis"
/** After a failure the shared counter is left alone for this time: otherwise each request would wait for it. */
const aloneMs = 1_000
/** The shortest time between two lines in the log about the same limit. */
const logEveryMs = 10_000

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
 * Needs the RateLimiter once. The function it gives counts one request of the subject and gives what the subject has left. When the shared counter
 * fails or is late (its answer may wait behind a busy thread of this process), the request is counted in this process, against the same limit.
 */
export const makeCounter = (rule: RateLimitRule) =>
  Effect.map(RateLimiter.RateLimiter, (limiter) => {
    const { limit, window } = rule
    const windowMs = Duration.toMillis(Duration.fromInputUnsafe(window))
    const own = new RequestCounters()
    let aloneUntil = 0
    let logAt = 0

    const countAlone = (subject: string, now: number): RateLimitState => {
      const [count, milliseconds] = own.take(subject, 1, windowMs, limit, now)
      const reset = Duration.millis(milliseconds)
      return { limit, remaining: Math.max(0, limit - count), reset, exceeded: count > limit }
    }

    const goAlone = Effect.fnUntraced(function* (subject: string, reason: string) {
      const now = yield* Clock.currentTimeMillis
      aloneUntil = now + aloneMs
      if (now >= logAt) {
        logAt = now + logEveryMs
        yield* Effect.logWarning("requests are counted by this process alone", { rule: rule.name, reason })
      }
      return countAlone(subject, now)
    })

    return Effect.fnUntraced(function* (subject: string): Effect.fn.Return<RateLimitState> {
      const now = yield* Clock.currentTimeMillis
      if (now < aloneUntil) return countAlone(subject, now)
      const counted = limiter.consume({ algorithm: "fixed-window", key: `${rule.name}:${subject}`, limit, window })
      return yield* counted.pipe(
        Effect.timeout(patience),
        Effect.map(({ remaining, resetAfter }) => ({ limit, remaining, reset: resetAfter, exceeded: false })),
        Effect.catch((error) =>
          error._tag !== "TimeoutError" && error.reason._tag === "RateLimitExceeded"
            ? Effect.succeed({ limit, remaining: 0, reset: error.reason.retryAfter, exceeded: true })
            : goAlone(subject, error.message)
        )
      )
    })
  })
