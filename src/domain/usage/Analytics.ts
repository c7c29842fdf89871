/**
 * The analytics report of an organization between two days: the number of messages and calls, and the response times. Days, weeks (from Monday) and
 * months are those of the organization's time zone.
 */
import { Clock, Context, Effect, Schema } from "effect"
import { addDays, dayAt, daysBetween, period, startOfDay } from "../basics/Calendar.ts"
import { exampleIds } from "../basics/Examples.ts"
import { traced } from "../basics/Traced.ts"
import { Channel } from "../people/contacts/Channel.ts"
import type { Organization } from "../people/organizations/Organization.ts"

export const GroupBy = Schema.Literals(["day", "week", "month"])
export type GroupBy = typeof GroupBy.Type

const Counts = Schema.Record(Schema.String, Schema.Int)
const Volume = Schema.Struct({ inbound: Schema.Int, outbound: Schema.Int })

/** Statistics on durations; null when there are none. */
export const Durations = Schema.Struct({
  count: Schema.Int,
  medianSeconds: Schema.NullOr(Schema.Number),
  p90Seconds: Schema.NullOr(Schema.Number),
  averageSeconds: Schema.NullOr(Schema.Number)
})
export type Durations = typeof Durations.Type

const noDurations: Durations = { count: 0, medianSeconds: null, p90Seconds: null, averageSeconds: null }

const Handling = {
  opened: Schema.Int,
  resolved: Schema.Int,
  /** From the contact's first message to the first answer, for conversations first answered in the period. */
  firstResponse: Durations,
  /** From opening to resolution, for conversations resolved in the period. */
  resolution: Durations
}

export const CallFigures = Schema.Struct({
  count: Schema.Int,
  /** Minutes of calls, rounded to a tenth. */
  minutes: Schema.Number,
  averageSeconds: Schema.NullOr(Schema.Number),
  /** The number of calls that were escalated to a human. */
  escalated: Schema.Int
})
export type CallFigures = typeof CallFigures.Type

export const Analytics = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  timeZone: Schema.String,
  groupBy: GroupBy,
  messages: Schema.Struct({ total: Schema.Int, ...Volume.fields, byType: Counts, byStatus: Counts }),
  conversations: Schema.Struct(Handling),
  calls: Schema.Struct({ ...CallFigures.fields, ...Volume.fields, byEndReason: Counts }),
  /** Figures of the broadcasts that started in the period. */
  broadcasts: Schema.Struct({
    started: Schema.Int,
    recipients: Schema.Int,
    queued: Schema.Int,
    sent: Schema.Int,
    delivered: Schema.Int,
    read: Schema.Int,
    failed: Schema.Int,
    skipped: Schema.Int
  }),
  channels: Schema.Array(Schema.Struct({ channel: Channel, messages: Volume, conversations: Schema.Struct(Handling) })),
  /** People and AI agents with activity, the most active first. */
  people: Schema.Array(
    Schema.Struct({
      /** A person (`usr_…`), a text agent (`bot_…`) or a voice agent (`agt_…`). */
      id: Schema.String,
      /** Null when the person or agent does not exist any more. */
      name: Schema.NullOr(Schema.String),
      messagesSent: Schema.Int,
      firstResponse: Durations,
      resolved: Schema.Int,
      resolution: Durations,
      calls: CallFigures
    })
  ),
  /** One entry for each day, week or month, including those without activity. */
  data: Schema.Array(
    Schema.Struct({
      /** The first day of the period. */
      period: Schema.String,
      messages: Volume,
      conversations: Schema.Struct(Handling),
      calls: CallFigures
    })
  )
}).annotate({
  title: "Analytics",
  examples: [
    {
      from: "2026-11-21",
      to: "2026-11-21",
      timeZone: "America/New_York",
      groupBy: "day",
      messages: {
        total: 31,
        inbound: 17,
        outbound: 14,
        byType: { text: 29, image: 2 },
        byStatus: { received: 17, delivered: 4, read: 10 }
      },
      conversations: {
        opened: 5,
        resolved: 4,
        firstResponse: { count: 4, medianSeconds: 95, p90Seconds: 410, averageSeconds: 160.5 },
        resolution: { count: 4, medianSeconds: 1_260, p90Seconds: 5_400, averageSeconds: 2_200 }
      },
      calls: {
        count: 12,
        minutes: 30.5,
        averageSeconds: 152.5,
        escalated: 1,
        inbound: 11,
        outbound: 1,
        byEndReason: { caller_hangup: 11, transferred: 1 }
      },
      broadcasts: { started: 1, recipients: 3, queued: 1, sent: 0, delivered: 1, read: 0, failed: 0, skipped: 1 },
      channels: [
        {
          channel: "messaging",
          messages: { inbound: 17, outbound: 14 },
          conversations: {
            opened: 5,
            resolved: 4,
            firstResponse: { count: 4, medianSeconds: 95, p90Seconds: 410, averageSeconds: 160.5 },
            resolution: { count: 4, medianSeconds: 1_260, p90Seconds: 5_400, averageSeconds: 2_200 }
          }
        }
      ],
      people: [
        {
          id: exampleIds.colleague,
          name: "Ben Ortiz",
          messagesSent: 14,
          firstResponse: { count: 4, medianSeconds: 95, p90Seconds: 410, averageSeconds: 160.5 },
          resolved: 4,
          resolution: { count: 4, medianSeconds: 95, p90Seconds: 410, averageSeconds: 160.5 },
          calls: { count: 0, minutes: 0, averageSeconds: null, escalated: 0 }
        }
      ],
      data: [
        {
          period: "2026-11-21",
          messages: { inbound: 17, outbound: 14 },
          conversations: {
            opened: 5,
            resolved: 4,
            firstResponse: { count: 4, medianSeconds: 95, p90Seconds: 410, averageSeconds: 160.5 },
            resolution: { count: 4, medianSeconds: 1_260, p90Seconds: 5_400, averageSeconds: 2_200 }
          },
          calls: { count: 12, minutes: 30.5, averageSeconds: 152.5, escalated: 1 }
        }
      ]
    }
  ]
})
export type Analytics = typeof Analytics.Type

/** What a row counts: everything (`all`), or the part with one `key` (a day, a type, a channel, …). */
export type Grouping = "all" | "period" | "type" | "status" | "channel" | "who" | "endReason" | "direction"

export interface MessageRow {
  readonly grouping: Grouping
  readonly key: string | null
  readonly direction: "inbound" | "outbound" | null
  readonly count: number
}
export interface OpenedRow {
  readonly grouping: Grouping
  readonly key: string | null
  readonly count: number
}
export interface DurationRow extends Durations {
  readonly grouping: Grouping
  readonly key: string | null
}
export interface CallRow extends OpenedRow {
  readonly seconds: number
  readonly averageSeconds: number | null
  readonly escalated: number
}

/** The counts from the database. */
export interface AnalyticsRows {
  readonly messages: ReadonlyArray<MessageRow>
  readonly opened: ReadonlyArray<OpenedRow>
  readonly answered: ReadonlyArray<DurationRow>
  readonly resolved: ReadonlyArray<DurationRow>
  readonly calls: ReadonlyArray<CallRow>
  readonly broadcasts: { readonly started: number; readonly statuses: Readonly<Record<string, number>> }
  /** The names of people and AI agents in the rows, by id, as far as they are known. */
  readonly names: Readonly<Record<string, string>>
}

/** The range from one instant until, not including, another (Unix milliseconds). */
export interface AnalyticsRange {
  readonly from: number
  readonly to: number
  readonly groupBy: GroupBy
  readonly timeZone: string
}

export class AnalyticsStore extends Context.Service<
  AnalyticsStore,
  { readonly read: (organizationId: string, range: AnalyticsRange) => Effect.Effect<AnalyticsRows> }
>()("parley/domain/AnalyticsStore") {}

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
      byEndReason: countsBy(calls, "endReason")
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
