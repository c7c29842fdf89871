/**
 * Limits on how often an address may be asked. Every answer says where its caller stands (`RateLimit-Limit`, `RateLimit-Remaining`,
 * `RateLimit-Reset` in seconds); one too many is 429 with `Retry-After`.
 */
import { Effect } from "effect"
import {
  makeCounter,
  type RateLimitRule,
  type RateLimitState,
  retryAfterSeconds,
  tooManySentence
} from "../../domain/basics/RateLimits.ts"
import { answerWith, TooMany } from "../wire/Errors.ts"

/** Adds the headers to the answer of the current request. */
export const tellLimitState = ({ limit, remaining, reset, exceeded }: RateLimitState) => {
  const seconds = String(retryAfterSeconds(reset))
  return answerWith({
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": seconds,
    ...(exceeded ? { "retry-after": seconds } : {})
  })
}

/** Needs the RateLimiter once; the function it gives counts one request of this subject (an organization, an address). */
export const makeRateLimit = (rule: RateLimitRule) =>
  Effect.map(makeCounter(rule), (count) =>
    Effect.fnUntraced(function* (subject: string) {
      const limitState = yield* count(subject)
      if (limitState === undefined) return
      yield* tellLimitState(limitState)
      if (limitState.exceeded) return yield* new TooMany({ error: tooManySentence(rule, limitState) })
    })
  )
