/** A moment in a request: ISO 8601 with a time of day and its offset from UTC, so that it is the same wherever the service runs. */
import { Clock, Effect, Schema } from "effect"
import { BadRequest } from "./Errors.ts"

const written = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (written.test(text) && !Number.isNaN(Date.parse(text))) ||
      `"${text}" is not a time with its offset from UTC; write it as 2026-11-21T09:30:00Z or 2026-11-21T15:00:00+05:30.`
  )
)

/** When something was said: the time in the request's `field`, or now; nobody can have said anything in the future. In UTC. */
export const timeSaid = Effect.fnUntraced(function* (field: string, at: string | undefined) {
  const now = yield* Clock.currentTimeMillis
  const time = at === undefined ? now : Date.parse(at)
  return time > now + 60_000
    ? yield* new BadRequest({ error: `${field} must not be in the future.` })
    : new Date(time).toISOString()
})
