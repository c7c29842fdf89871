import { Effect } from "effect"
import { z } from "zod"
import type { CallSummary } from "../../../domain/voice/calls/records/CallSummary.ts"
import { makeCallDetail } from "../../handlers/voice/callDetail.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, fitting, restLine, type Truncated, truncated } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"

const utterance = z.object({
  role: z.enum(["caller", "agent"]),
  text: z.string().describe("Of an interrupted agent only what the caller heard."),
  interrupted: z.boolean(),
  startSeconds: z.number().describe("Since the call began.")
})

const toolCall = z.object({
  name: z.string(),
  arguments: z.string().describe("JSON, cut at 300 characters."),
  result: z.string().describe("Cut at 300 characters."),
  outcome: z.enum(["ok", "error"]),
  durationMs: z.int()
})

const output = z.object({
  id: z.string(),
  agentId: z.string().nullable(),
  contactId: z.string().nullable(),
  conversationId: z.string().nullable(),
  direction: z.string(),
  status: z.string(),
  endReason: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  startedAt: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  handedToPerson: z.boolean(),
  interruptions: z.int(),
  answerMs: z
    .object({ median: z.number(), slowest: z.number() })
    .nullable()
    .describe("From the caller's last sound to the agent's first, over all turns; null without turns."),
  cost: z
    .object({ minutes: z.int(), price: z.string(), providers: z.string() })
    .nullable()
    .describe(
      "USD: the price of minutes beyond the allowance, and what the providers cost. Null until the call is over."
    ),
  summary: z
    .object({
      text: z.string(),
      outcome: z.string(),
      reason: z.string().nullable(),
      nextStep: z.string().nullable(),
      fields: z.string().nullable().describe("What the agent is told to find, as JSON, cut at 1,000 characters.")
    })
    .nullable()
    .describe("What the call came to; null while there is none."),
  transcript: z.array(utterance),
  toolCalls: z.array(toolCall),
  truncated
})

const latency = (turns: ReadonlyArray<{ readonly firstFrameMs: number | null }>) => {
  const sorted = turns.flatMap(({ firstFrameMs }) => firstFrameMs ?? []).sort((a, b) => a - b)
  return sorted.length === 0
    ? null
    : { median: sorted[Math.floor((sorted.length - 1) / 2)], slowest: sorted[sorted.length - 1] }
}

const mostTools = 20

const summaryOf = (summary: CallSummary | null) => {
  if (summary === null || summary.text === null || summary.outcome === null) return null
  const { text, outcome, reason, nextStep, fields } = summary
  return { text, outcome, reason, nextStep, fields: fields === null ? null : clip(JSON.stringify(fields), 1_000) }
}

export const getCall = Effect.map(makeCallDetail, (detail) =>
  defineTool({
    name: "get_call",
    title: "Read a call",
    description:
      "Gives one phone call: what was said, the tools that the agent used, how fast it answered, and the cost. Use it to understand a call before you answer " +
      'its caller; list_calls finds calls. A long transcript comes in parts. Example: {"callId": "call_01KAJ3…"}',
    toolset: "calls",
    kind: "reads",
    scope: "voice:read",
    input: z.strictObject({
      callId: arg.id("The id of the call, call_…."),
      fromUtterance: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe("Where in the transcript to go on, as `truncated` of the answer before says; 0 by default.")
    }),
    output,
    run: Effect.fnUntraced(function* (args, { principal }) {
      const call = yield* asRefusal("Find the id with list_calls.")(detail(principal, args.callId))
      const first = args.fromUtterance ?? 0
      const spoken = call.utterances.slice(first).map(({ role, text, interrupted, startMs }) => ({
        role,
        text: clip(text, 2_000),
        interrupted,
        startSeconds: Math.round(startMs / 100) / 10
      }))
      const toolCalls = (first === 0 ? call.toolCalls.slice(0, mostTools) : []).map((used) => ({
        name: clip(used.name, 80),
        arguments: clip(used.arguments, 300),
        result: clip(used.result, 300),
        outcome: used.outcome,
        durationMs: used.durationMs
      }))
      const lines = spoken.map(
        ({ role, text, interrupted }) => `${role}: ${text}${interrupted ? " (interrupted)" : ""}`
      )
      const summary = summaryOf(call.summary)
      const used = toolCalls.map(({ name, arguments: given, outcome }) => `tool ${name}(${given}): ${outcome}`)
      const room = 28 * 1_024 - Buffer.byteLength(JSON.stringify([toolCalls, used, summary, summary]))
      const most =
        spoken.length === 0
          ? 0
          : fitting(
              spoken.map((said, at) => ({ said, line: lines[at] })),
              room
            )
      const rest: Truncated =
        most === spoken.length
          ? null
          : {
              shown: most,
              total: call.utterances.length,
              call: { tool: "get_call", arguments: { callId: args.callId, fromUtterance: first + most } }
            }
      const { id, agentId, contactId, conversationId, direction, status, endReason, from, to } = call
      const { startedAt, durationSeconds, interruptions, cost } = call
      const seconds = durationSeconds === null ? "" : ` · ${Math.round(durationSeconds)} s`
      return {
        structured: {
          ...{ id, agentId, contactId, conversationId, direction, status, endReason, from, to },
          ...{ startedAt, durationSeconds, interruptions },
          handedToPerson: call.transfer !== null,
          answerMs: latency(call.turns),
          cost: cost === null ? null : { minutes: cost.minutes, price: cost.price, providers: cost.providerCost.total },
          summary,
          transcript: spoken.slice(0, most),
          toolCalls,
          truncated: rest
        },
        text: [
          `${id} · ${direction} ${from} → ${to} · ${status}${endReason === null ? "" : ` (${endReason})`} · ${startedAt ?? "not begun"}${seconds}`,
          `Contact ${contactId ?? "unknown"}, conversation ${conversationId ?? "none"}.`,
          ...(summary === null ? [] : [`Summary (${summary.outcome}): ${summary.text}`]),
          ...used,
          ...lines.slice(0, most),
          ...restLine(rest)
        ].join("\n")
      }
    })
  })
)
