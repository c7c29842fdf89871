/**
 * Limits on the rate of requests. Every answer of a limited request shows the caller's state (`RateLimit-Limit`, `RateLimit-Remaining`,
 * `RateLimit-Reset` in seconds). A request over the limit gets 429 with `Retry-After`.
 */
import { Effect } from "effect"
import {
  makeCounter,
  type RateLimitRule,
  type RateLimitState,
  retryAfterSeconds,
  tooManySentence
} from "../../domain/basics/limits/RateLimits.ts"
import { answerWith, TooMany } from "../wire/Errors.ts"

/** Adds the headers of the rate limit to the answer of the current request. */
export const tellLimitState = ({ limit, remaining, reset, exceeded }: RateLimitState) => {
  const seconds = String(retryAfterSeconds(reset))
  return answerWith({
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": seconds,
    ...(exceeded ? { "retry-after": seconds } : {})
  })
}

/** Makes the function that counts one request of a subject (an organization, an address) and fails with 429 over the limit. Needs RateLimiter. */
export const makeRateLimit = (rule: RateLimitRule) =>
  Effect.map(makeCounter(rule), (count) =>
    Effect.fnUntraced(function* (subject: string) {
      const limitState = yield* count(subject)
      yield* tellLimitState(limitState)
      if (limitState.exceeded) return yield* new TooMany({ error: tooManySentence(rule, limitState) })
    })
  )
