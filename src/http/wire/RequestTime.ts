/** Times in requests. */
import { Clock, Effect, Schema } from "effect"
import { CalendarDate, Instant } from "../../domain/basics/Calendar.ts"
import { BadRequest } from "./Errors.ts"

/** The time in the request's `field`, or now, as ISO 8601 in UTC. Fails with 400 when the time is more than a minute in the future. */
export const timeSaid = Effect.fnUntraced(function* (field: string, at: string | undefined) {
  const now = yield* Clock.currentTimeMillis
  const time = at === undefined ? now : Date.parse(at)
  return time > now + 60_000
    ? yield* new BadRequest({ error: `${field} must not be in the future.` })
    : new Date(time).toISOString()
})

/** A day from 1900 to 2999, so that the days before and after it are valid too. */
export const Day = CalendarDate.check(
  Schema.makeFilter(
    (text: string) => (text >= "1900" && text < "3000") || `"${text}" is out of reach; give a day from 1900 to 2999.`
  )
)

/** A span of time in a query. */
export const spanQuery = { since: Schema.optionalKey(Instant), before: Schema.optionalKey(Instant) }

/** The span as Unix milliseconds: from `since` on, up to and without `before`. */
export const spanOf = ({ since, before }: { readonly since?: string; readonly before?: string }) => ({
  since: since === undefined ? undefined : Date.parse(since),
  before: before === undefined ? undefined : Date.parse(before)
})
