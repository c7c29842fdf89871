/**
 * Limits on how often an address may be asked. Every answer says where its caller stands (`RateLimit-Limit`, `RateLimit-Remaining`,
 * `RateLimit-Reset` in seconds); one too many is 429 with `Retry-After`.
 */
import { Effect } from "effect"
import {
  makeCounter,
  type RateLimitRule,
  type Standing,
  tooManySentence,
  wholeSeconds
} from "../../domain/basics/RateLimits.ts"
import { answerWith, TooMany } from "../wire/Errors.ts"

/** Adds the headers to the answer of the current request. */
export const tellStanding = ({ limit, remaining, reset, exceeded }: Standing) => {
  const seconds = String(wholeSeconds(reset))
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
      const standing = yield* count(subject)
      if (standing === undefined) return
      yield* tellStanding(standing)
      if (standing.exceeded) return yield* new TooMany({ error: tooManySentence(rule, standing) })
    })
  )
