/** The daily summary in a team chat: when it is due, which day it is about, and what it says. Pure. */
import { DateTime } from "effect"
import { addDays, dayAt, isTimeZone } from "../../basics/Calendar.ts"
import type { Analytics } from "../../usage/Analytics.ts"

/** A summary that is this late is left out, and the next one comes. Milliseconds. */
export const latestSummaryMs = 6 * 3_600_000

/** Whether the time of day belongs to the evening: then the summary is about the day itself, else about the day before. */
const isEvening = (time: string): boolean => Number(time.slice(0, 2)) >= 12

/** The next moment with this time of day (`09:00`) in the time zone, after `now`; Unix milliseconds. */
export const nextSummary = (time: string, timeZone: string, now: number): number => {
  const zone = isTimeZone(timeZone) ? timeZone : "UTC"
  const [hour, minute] = time.split(":").map(Number)
  const on = (day: string): number => {
    const [year, month, date] = day.split("-").map(Number)
    const parts = { year, month, day: date, hour, minute }
    return DateTime.toEpochMillis(DateTime.makeZonedUnsafe(parts, { timeZone: zone, adjustForTimeZone: true }))
  }
  const today = dayAt(now, zone)
  return on(today) > now ? on(today) : on(addDays(today, 1))
}

/** The day that the summary is about which is due at this moment. */
export const summaryDay = (time: string, timeZone: string, due: number): string => {
  const day = dayAt(due, timeZone)
  return isEvening(time) ? day : addDays(day, -1)
}

const wait = (seconds: number | null): string =>
  seconds === null
    ? "nobody waited for an answer"
    : `half were answered within ${Math.max(1, Math.round(seconds / 60))} min`

/** What is said of a day. `open`: conversations that nobody has at this moment. */
export const summaryText = (
  day: string,
  { messages, conversations, calls, people }: Analytics,
  open: number
): string => {
  const { opened, resolved, firstResponse } = conversations
  const active = people.filter(({ messagesSent, resolved: done, calls: own }) => messagesSent + done + own.count > 0)
  const names = active
    .slice(0, 5)
    .map(({ name, messagesSent, resolved: done }) => `${name ?? "somebody"} (${messagesSent} sent, ${done} resolved)`)
  return [
    `📊 *${day}*`,
    `Conversations: ${opened} opened, ${resolved} resolved; ${wait(firstResponse.medianSeconds)}.`,
    `Messages: ${messages.inbound} in, ${messages.outbound} out, ${messages.byStatus.failed ?? 0} failed.`,
    `Calls: ${calls.count} (${calls.minutes} min), ${calls.escalated} handed to people.`,
    ...(names.length === 0 ? [] : [`Most active: ${names.join(", ")}.`]),
    `Waiting for a colleague now: ${open}.`
  ].join("\n")
}
