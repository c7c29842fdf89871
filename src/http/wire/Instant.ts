/**
 * Schemas of times in requests. An instant is ISO 8601 with a time of day and its offset from UTC, so that it means the same wherever the service
 * runs. Years are limited, because the database has no year 0 in any time zone.
 */
import { Clock, Effect, Schema } from "effect"
import { CalendarDate, isDate } from "../../domain/basics/Calendar.ts"
import { BadRequest } from "./Errors.ts"

const written = /^([^T]+)T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** Whether the year in UTC, after applying the offset, lies between 1000 and 9999. */
const isWithinReach = (text: string): boolean => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && /^[1-9]\d{3}-/.test(new Date(ms).toISOString())
}

export const isInstant = (text: string): boolean => {
  const day = written.exec(text)?.[1]
  return day !== undefined && isDate(day) && isWithinReach(text)
}

export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isInstant(text) ||
      `"${text}" is not a time with its offset from UTC; write it as 2026-11-21T09:30:00Z or 2026-11-21T15:00:00+05:30.`
  )
)

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
