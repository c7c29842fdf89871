import { Effect } from "effect"
import { z } from "zod"
import type { Analytics } from "../../../domain/usage/Analytics.ts"
import { makeAnalytics } from "../../../domain/usage/AnalyticsReport.ts"
import { Day } from "../../wire/RequestTime.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { fitting, restLine, type Truncated, truncated } from "../protocol/ToolAnswer.ts"
import { asRefusal, refusalOf } from "../protocol/ToolRefusal.ts"

const groups = ["day", "week", "month"] as const
const readDay = payloadOf(Day)
const mostPeople = 10

const period = z.object({
  period: z.string().describe("The first day of the day, week or month."),
  inbound: z.int(),
  outbound: z.int(),
  opened: z.int(),
  resolved: z.int(),
  calls: z.int(),
  callMinutes: z.number()
})

const periodOf = ({ period, messages, conversations, calls }: Analytics["data"][number]) => ({
  period,
  ...messages,
  opened: conversations.opened,
  resolved: conversations.resolved,
  calls: calls.count,
  callMinutes: calls.minutes
})

const seconds = z.number().nullable().describe("Seconds, the median; null without any.")

const output = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  messages: z.object({ inbound: z.int(), outbound: z.int(), failed: z.int() }),
  conversations: z.object({
    opened: z.int(),
    resolved: z.int(),
    firstResponseSeconds: seconds,
    resolutionSeconds: seconds
  }),
  calls: z.object({ count: z.int(), inbound: z.int(), outbound: z.int(), minutes: z.number(), escalated: z.int() }),
  broadcasts: z.object({ started: z.int(), recipients: z.int(), delivered: z.int(), read: z.int(), failed: z.int() }),
  people: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        messagesSent: z.int(),
        resolved: z.int(),
        calls: z.int()
      })
    )
    .describe(`The ${mostPeople} most active people and AI agents.`),
  periods: z.array(period),
  truncated
})

const summary = ({ messages, conversations, calls, broadcasts, people }: Analytics) => ({
  messages: { inbound: messages.inbound, outbound: messages.outbound, failed: messages.byStatus.failed ?? 0 },
  conversations: {
    opened: conversations.opened,
    resolved: conversations.resolved,
    firstResponseSeconds: conversations.firstResponse.medianSeconds,
    resolutionSeconds: conversations.resolution.medianSeconds
  },
  calls: {
    count: calls.count,
    inbound: calls.inbound,
    outbound: calls.outbound,
    minutes: calls.minutes,
    escalated: calls.escalated
  },
  broadcasts: {
    started: broadcasts.started,
    recipients: broadcasts.recipients,
    delivered: broadcasts.delivered,
    read: broadcasts.read,
    failed: broadcasts.failed
  },
  people: people.slice(0, mostPeople).map(({ id, name, messagesSent, resolved, calls }) => ({
    ...{ id, name, messagesSent, resolved },
    calls: calls.count
  }))
})

const minutesOf = (value: number | null) => (value === null ? "none" : `${Math.round(value / 6) / 10} min`)

export const getAnalytics = Effect.map(makeAnalytics, (analytics) =>
  defineTool({
    name: "get_analytics",
    title: "Get figures",
    description:
      "Counts messages, conversations, calls and broadcasts between two days, in the organization's time zone, and says how fast people answered. Use it for " +
      "numbers; to read what was said use list_calls or list_conversations. The last 30 days when no days are given, at most 366. " +
      'Example: {"from": "2026-11-01", "to": "2026-11-30", "groupBy": "week"}',
    toolset: "analytics",
    kind: "reads",
    scope: "messages:read",
    input: z.strictObject({
      from: arg.text(10, "The first day, e.g. 2026-11-01.").optional(),
      to: arg.text(10, "The last day, included.").optional(),
      groupBy: arg.choice(groups, "How `periods` are cut: day by default, week from Monday, month.").optional()
    }),
    output,
    run: Effect.fnUntraced(function* (args, { organization }) {
      for (const day of [args.from, args.to]) if (day !== undefined) yield* asRefusal()(readDay(day))
      const found = yield* analytics(organization, arg.defined(args)).pipe(Effect.mapError((error) => refusalOf(error)))
      const { from, to, timeZone } = found
      const figures = summary(found)
      const rows = found.data.map(periodOf)
      const lines = rows.map((row) =>
        [
          row.period,
          `in ${row.inbound}`,
          `out ${row.outbound}`,
          `opened ${row.opened}`,
          `resolved ${row.resolved}`,
          `calls ${row.calls}`
        ].join(" · ")
      )
      const most = fitting(rows.map((row, at) => ({ row, line: lines[at] })))
      const rest: Truncated =
        most === rows.length
          ? null
          : {
              shown: most,
              total: rows.length,
              call: { tool: "get_analytics", arguments: { ...args, from: rows[most].period, to } }
            }
      const { messages, conversations, calls, broadcasts } = figures
      return {
        structured: { from, to, timeZone, ...figures, periods: rows.slice(0, most), truncated: rest },
        text: [
          `${from} to ${to} (${timeZone})`,
          `Messages: ${messages.inbound} in, ${messages.outbound} out, ${messages.failed} failed.`,
          `Conversations: ${conversations.opened} opened, ${conversations.resolved} resolved; first response ${minutesOf(conversations.firstResponseSeconds)}.`,
          `Calls: ${calls.count} (${calls.inbound} in, ${calls.outbound} out), ${calls.minutes} minutes, ${calls.escalated} handed to people.`,
          `Broadcasts: ${broadcasts.started} started, ${broadcasts.recipients} recipients, ${broadcasts.read} read.`,
          ...lines.slice(0, most),
          ...restLine(rest)
        ].join("\n")
      }
    })
  })
)
