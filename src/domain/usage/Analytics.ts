/**
 * The analytics report of an organization between two days: the number of messages and calls, and the response times. Days, weeks (from Monday) and
 * months are those of the organization's time zone.
 */
import { Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import { Channel } from "../people/contacts/Channel.ts"

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

/** How long callers wait for an answer of a voice agent, as the service measures it; null when nothing was answered. Test calls do not count. */
export const CallLatency = Schema.Struct({
  turns: Schema.Int,
  medianMs: Schema.NullOr(Schema.Number),
  p90Ms: Schema.NullOr(Schema.Number),
  p95Ms: Schema.NullOr(Schema.Number),
  /** The answers by their wait, in steps of 200 ms; the last step, from 2,400 ms, has no end. */
  steps: Schema.Array(Schema.Struct({ fromMs: Schema.Int, turns: Schema.Int }))
})
export type CallLatency = typeof CallLatency.Type

/** The calls that began in an hour of a weekday. */
export const HourOfWeek = Schema.Struct({
  /** From 1, Monday, to 7, Sunday. */
  weekday: Schema.Int,
  hour: Schema.Int,
  count: Schema.Int
})
export type HourOfWeek = typeof HourOfWeek.Type

export const Analytics = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  timeZone: Schema.String,
  groupBy: GroupBy,
  messages: Schema.Struct({ total: Schema.Int, ...Volume.fields, byType: Counts, byStatus: Counts }),
  conversations: Schema.Struct(Handling),
  calls: Schema.Struct({
    ...CallFigures.fields,
    ...Volume.fields,
    byEndReason: Counts,
    /** Hours without calls are left out. */
    byHour: Schema.Array(HourOfWeek),
    latency: CallLatency
  }),
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
        byEndReason: { caller_hangup: 11, transferred: 1 },
        byHour: [
          { weekday: 6, hour: 10, count: 8 },
          { weekday: 6, hour: 11, count: 4 }
        ],
        latency: {
          turns: 80,
          medianMs: 815,
          p90Ms: 1_120,
          p95Ms: 1_310,
          steps: [
            { fromMs: 600, turns: 36 },
            { fromMs: 800, turns: 35 },
            { fromMs: 1_200, turns: 9 }
          ]
        }
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
