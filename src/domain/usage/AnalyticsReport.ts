/** Makes the report of a period from the counts. */
import { Clock, Effect, Schema } from "effect"
import { addDays, dayAt, daysBetween, period, startOfDay } from "../basics/Calendar.ts"
import { traced } from "../basics/Traced.ts"
import { Channel } from "../people/contacts/Channel.ts"
import type { Organization } from "../people/organizations/Organization.ts"
import type { Analytics, CallFigures, Durations, GroupBy } from "./Analytics.ts"
import {
  type AnalyticsRows,
  AnalyticsStore,
  type CallRow,
  type DurationRow,
  type Grouping,
  type MessageRow
} from "./AnalyticsStore.ts"

const noDurations: Durations = { count: 0, medianSeconds: null, p90Seconds: null, averageSeconds: null }

/** The first day of the period that contains a day. */
export const periodOf = (day: string, groupBy: GroupBy): string => {
  if (groupBy === "month") return `${day.slice(0, 7)}-01`
  if (groupBy === "day") return day
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** The first days of all periods from one day to another, both included. */
export const periodsBetween = (from: string, to: string, groupBy: GroupBy): ReadonlyArray<string> => {
  const days = Array.from({ length: Math.max(0, daysBetween(from, to)) }, (_, i) => addDays(from, i))
  return [...new Set(days.map((day) => periodOf(day, groupBy)))]
}

type Keyed = { readonly grouping: Grouping; readonly key: string | null }

const one = <Row extends Keyed>(rows: ReadonlyArray<Row>, grouping: Grouping, key: string | null = null) =>
  rows.find((row) => row.grouping === grouping && row.key === key)

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const durations = (rows: ReadonlyArray<DurationRow>, grouping: Grouping, key: string | null = null): Durations => {
  const { count, medianSeconds, p90Seconds, averageSeconds } = one(rows, grouping, key) ?? noDurations
  return { count, medianSeconds, p90Seconds, averageSeconds }
}

const figures = (rows: ReadonlyArray<CallRow>, grouping: Grouping, key: string | null = null): CallFigures => {
  const row = one(rows, grouping, key)
  const { count = 0, seconds = 0, averageSeconds = null, escalated = 0 } = row ?? {}
  return { count, minutes: Math.round(seconds / 6) / 10, averageSeconds, escalated }
}

const volume = (rows: ReadonlyArray<MessageRow>, grouping: Grouping, key?: string) => {
  const of = (direction: MessageRow["direction"]) =>
    sum(
      rows
        .filter((row) => row.grouping === grouping && (key === undefined || row.key === key))
        .filter((row) => row.direction === direction)
        .map(({ count }) => count)
    )
  return { inbound: of("inbound"), outbound: of("outbound") }
}

const countsBy = (rows: ReadonlyArray<Keyed & { readonly count: number }>, grouping: Grouping) => {
  const counts: Record<string, number> = {}
  for (const { grouping: what, key, count } of rows)
    if (what === grouping && key !== null) counts[key] = (counts[key] ?? 0) + count
  return counts
}

const handling = ({ opened, answered, resolved }: AnalyticsRows, grouping: Grouping, key: string | null) => ({
  opened:
    grouping === "all"
      ? sum(opened.filter((row) => row.grouping === "channel").map(({ count }) => count))
      : (one(opened, grouping, key)?.count ?? 0),
  resolved: durations(resolved, grouping, key).count,
  firstResponse: durations(answered, grouping, key),
  resolution: durations(resolved, grouping, key)
})

const keysOf = (grouping: Grouping, ...lists: ReadonlyArray<ReadonlyArray<Keyed>>): ReadonlyArray<string> => [
  ...new Set(
    lists.flatMap((rows) => rows.flatMap(({ grouping: what, key }) => (what === grouping && key !== null ? [key] : [])))
  )
]

const isOneOfUs = (id: string): boolean => /^(usr|bot|agt)_/.test(id)

const peopleOf = (rows: AnalyticsRows): Analytics["people"] =>
  keysOf("who", rows.messages, rows.answered, rows.resolved, rows.calls)
    .filter(isOneOfUs)
    .map((id) => ({
      id,
      name: rows.names[id] ?? null,
      messagesSent: one(rows.messages, "who", id)?.count ?? 0,
      firstResponse: durations(rows.answered, "who", id),
      resolved: durations(rows.resolved, "who", id).count,
      resolution: durations(rows.resolved, "who", id),
      calls: figures(rows.calls, "who", id)
    }))
    .sort((a, b) => b.messagesSent + b.calls.count - (a.messagesSent + a.calls.count) || (a.id < b.id ? -1 : 1))

const broadcastsOf = ({ broadcasts: { started, statuses } }: AnalyticsRows) => {
  const of = (...names: ReadonlyArray<string>) => sum(names.map((name) => statuses[name] ?? 0))
  return {
    started,
    recipients: sum(Object.values(statuses)),
    queued: of("waiting", "queued"),
    sent: of("sent"),
    delivered: of("delivered"),
    read: of("read"),
    failed: of("failed"),
    skipped: of("skipped")
  }
}

const isChannel = Schema.is(Channel)

/** Builds the report from the rows. */
export const analyticsOf = (
  rows: AnalyticsRows,
  asked: Pick<Analytics, "from" | "to" | "timeZone" | "groupBy">
): Analytics => {
  const { messages, calls } = rows
  const written = volume(messages, "channel")
  const called = (direction: string) => one(calls, "direction", direction)?.count ?? 0
  return {
    ...asked,
    messages: {
      total: written.inbound + written.outbound,
      ...written,
      byType: countsBy(messages, "type"),
      byStatus: countsBy(messages, "status")
    },
    conversations: handling(rows, "all", null),
    calls: {
      ...figures(calls, "all"),
      inbound: called("inbound"),
      outbound: called("outbound"),
      byEndReason: countsBy(calls, "endReason"),
      byHour: rows.hours,
      latency: rows.latency
    },
    broadcasts: broadcastsOf(rows),
    channels: keysOf("channel", messages, rows.opened, rows.answered, rows.resolved)
      .filter(isChannel)
      .sort()
      .map((channel) => ({
        channel,
        messages: volume(messages, "channel", channel),
        conversations: handling(rows, "channel", channel)
      })),
    people: peopleOf(rows),
    data: periodsBetween(asked.from, asked.to, asked.groupBy).map((period) => ({
      period,
      messages: volume(messages, "period", period),
      conversations: handling(rows, "period", period),
      calls: figures(calls, "period", period)
    }))
  }
}

const usualDays = 30

export interface AnalyticsQuery {
  readonly from?: string
  readonly to?: string
  readonly groupBy?: GroupBy
}

/** Needs AnalyticsStore once; the function it gives needs nothing. Without `from` and `to` it reports the last 30 days, including today. */
export const makeAnalytics = Effect.gen(function* () {
  const store = yield* AnalyticsStore
  return traced("Analytics")(function* ({ id, timeZone }: Organization, query: AnalyticsQuery) {
    const today = dayAt(yield* Clock.currentTimeMillis, timeZone)
    const { from, to } = yield* period(query, today, (to) => addDays(to, 1 - usualDays))
    const { groupBy = "day" } = query
    const range = { from: startOfDay(from, timeZone), to: startOfDay(addDays(to, 1), timeZone), groupBy, timeZone }
    return analyticsOf(yield* store.read(id, range), { from, to, timeZone, groupBy })
  })
})
