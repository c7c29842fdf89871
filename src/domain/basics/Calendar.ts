/**
 * Calendar dates and times of day as people write them (`2026-11-21`, `09:00`), and the days of an organization's time zone.
 */
import { DateTime, Effect, Option, Schema } from "effect"

/** Whether the IANA database has this time zone, e.g. `Asia/Kolkata`. A fixed offset such as `+05:30` does not count: it has no summer time. */
export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && Option.isSome(DateTime.zoneMakeNamed(name))

export const TimeZone = Schema.String.check(
  Schema.makeFilter(
    (name: string) => isTimeZone(name) || `"${name}" is not a time zone; give an IANA name such as Asia/Kolkata.`
  )
)

/** `HH:MM` of a 24-hour clock; `24:00` is the end of the day. */
export const ClockTime = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text) ||
      `"${text}" is not a time of day; write it as 09:00 (00:00 to 24:00).`
  )
)

/** Whether the text is a date that exists, such as `2026-12-25`. `Date` alone reads 30 February as 2 March. */
export const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A date that exists, such as `2026-12-25`. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((text: string) => isDate(text) || `"${text}" is not a date; write it as 2026-12-25.`)
)

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

/**
 * A time that people and programs write: ISO 8601 with a time of day and its offset from UTC, so that it means the same wherever the service runs.
 * Years are limited, because the database has no year 0 in any time zone.
 */
export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isInstant(text) ||
      `"${text}" is not a time with its offset from UTC; write it as 2026-11-21T09:30:00Z or 2026-11-21T15:00:00+05:30.`
  )
)

/** A stored time zone that the IANA database no longer has must not stop a report: UTC replaces it. */
const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : "UTC")

/** The date in the time zone at an instant (Unix milliseconds). */
export const dayAt = (instant: number, timeZone: string): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(instant, { timeZone: zoneOf(timeZone) }))

/** The first instant (Unix milliseconds) of a day in the time zone. */
export const startOfDay = (day: string, timeZone: string): number => {
  const [year, month, date] = day.split("-").map(Number)
  const parts = { year, month, day: date }
  return DateTime.toEpochMillis(
    DateTime.makeZonedUnsafe(parts, { timeZone: zoneOf(timeZone), adjustForTimeZone: true })
  )
}

/** The date `days` later; earlier when `days` is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The number of days from `from` to `to`, both counted. It is below 1 when `to` comes before `from`. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1

/** 400: a report cannot cover these days. */
export class InvalidPeriod extends Schema.TaggedError<InvalidPeriod>()("InvalidPeriod", { message: Schema.String }) {}

/** First and last day, both counted. */
export interface Period {
  readonly from: string
  readonly to: string
}

const longestDays = 366

/**
 * The days a report covers. Without `to` it ends today, or on `from` when that lies in the future. Without `from` it begins on the day that `usual`
 * gives for the last day.
 */
export const period = (
  query: Partial<Period>,
  today: string,
  usual: (to: string) => string
): Effect.Effect<Period, InvalidPeriod> => {
  const to = query.to ?? (query.from !== undefined && query.from > today ? query.from : today)
  const from = query.from ?? usual(to)
  const days = daysBetween(from, to)
  if (days < 1) return Effect.fail(new InvalidPeriod({ message: "`from` must not be after `to`." }))
  if (days > longestDays)
    return Effect.fail(new InvalidPeriod({ message: `At most ${longestDays} days can be asked for at once.` }))
  return Effect.succeed({ from, to })
}
