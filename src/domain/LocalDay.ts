/** Days on the calendar of an organization's time zone, written `2026-11-21`. */
import { DateTime } from "effect"
import { isTimeZone } from "./BusinessHours.ts"

/** A row with a time zone nobody knows any more must not stop what is counted: it counts in UTC. */
const zoneOf = (timeZone: string): string => (isTimeZone(timeZone) ? timeZone : "UTC")

/** The day it is at an instant (Unix milliseconds). */
export const dayAt = (instant: number, timeZone: string): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(instant, { timeZone: zoneOf(timeZone) }))

/** The first instant of a day (Unix milliseconds). */
export const startOfDay = (day: string, timeZone: string): number => {
  const [year, month, date] = day.split("-").map(Number)
  const parts = { year, month, day: date }
  return DateTime.toEpochMillis(
    DateTime.makeZonedUnsafe(parts, { timeZone: zoneOf(timeZone), adjustForTimeZone: true })
  )
}

/** A day `days` later, or earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Days from `from` to `to`, both counted; negative when they are the wrong way round. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1
