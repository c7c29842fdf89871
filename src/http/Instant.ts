/** Times in requests, that the database can hold and one can reckon with: it knows no year 0, in no time zone. */
import { Schema } from "effect"
import { CalendarDate } from "../domain/BusinessHours.ts"

/** In UTC: what an offset makes of it counts. */
const isWithinReach = (text: string): boolean => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && /^[1-9]\d{3}-/.test(new Date(ms).toISOString())
}

/** A moment: ISO 8601 with a time of day. */
export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^\d{4}-\d{2}-\d{2}T/.test(text) && isWithinReach(text)) ||
      `"${text}" is not a time; write it as 2026-11-21T09:30:00.000Z.`
  )
)

/** A day, and the ones beside it are days as well. */
export const Day = CalendarDate.check(
  Schema.makeFilter(
    (text: string) => (text >= "1900" && text < "3000") || `"${text}" is out of reach; give a day from 1900 to 2999.`
  )
)
