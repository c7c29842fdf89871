import { Effect } from "effect"
import { z } from "zod"
import type { CallRecord } from "../../../domain/voice/calls/records/CallRecord.ts"
import { makeListCalls } from "../../handlers/voice/callList.ts"
import { Day } from "../../wire/RequestTime.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"
import { pageCursor, readPageCursor } from "./pageCursor.ts"

const statuses = ["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "failed", "canceled"] as const
const readDay = payloadOf(Day)

const row = z.object({
  id: z.string(),
  agentId: z.string().nullable(),
  contactId: z.string().nullable(),
  conversationId: z.string().nullable(),
  direction: z.enum(["inbound", "outbound"]),
  status: z.enum(statuses),
  endReason: z.string().nullable().describe("caller_hangup, agent_hangup, transferred, provider_failure …"),
  from: z.string(),
  to: z.string(),
  startedAt: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  handedToPerson: z.boolean(),
  interruptions: z.int().describe("How often the caller interrupted the agent."),
  toolCalls: z.int(),
  failure: z.string().nullable().describe("Why an outbound call was not connected.")
})

const rowOf = (call: CallRecord): z.infer<typeof row> => {
  const { id, agentId, contactId, conversationId, direction, status, endReason, from, to } = call
  const { startedAt, durationSeconds, transfer, interruptions, toolCallCount, failureReason } = call
  return {
    ...{ id, agentId, contactId, conversationId, direction, status, endReason, from, to },
    ...{ startedAt, durationSeconds, interruptions },
    handedToPerson: transfer !== null,
    toolCalls: toolCallCount,
    failure: failureReason === null ? null : clip(failureReason, 120)
  }
}

export const listCalls = Effect.map(makeListCalls, (list) =>
  defineTool({
    name: "list_calls",
    title: "List calls",
    description:
      "Lists phone calls of the voice agents, newest first. Use it to find calls by day, agent, contact or outcome; get_call gives what was said. Days are " +
      'those of the organization\'s time zone; times are UTC. Example: {"from": "2026-11-21", "to": "2026-11-21", "status": "completed"}',
    toolset: "calls",
    kind: "reads",
    scope: "voice:read",
    input: z.strictObject({
      agentId: arg.id("Only calls of this voice agent, agt_….").optional(),
      contactId: arg.id("Only calls of this contact, cnt_….").optional(),
      conversationId: arg.id("Only calls of this conversation, cnv_….").optional(),
      direction: arg.choice(["inbound", "outbound"], "inbound: the contact called.").optional(),
      status: arg.choice(statuses, "completed: it was answered and is over.").optional(),
      phone: arg.text(40, "The other party's number, e.g. +14155550123.").optional(),
      from: arg.text(10, "The first day, e.g. 2026-11-21.").optional(),
      to: arg.text(10, "The last day, included.").optional(),
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields([
        ...["agentId", "contactId", "conversationId", "direction", "status", "endReason", "from", "to", "startedAt"],
        ...["durationSeconds", "handedToPerson", "interruptions", "toolCalls", "failure"]
      ] as const)
    }),
    output: listOutput(row),
    run: Effect.fnUntraced(function* (args, { principal }) {
      const { agentId, contactId, conversationId, direction, status, phone, from, to } = args
      for (const day of [from, to]) if (day !== undefined) yield* asRefusal()(readDay(day))
      return yield* listed({
        asked: { tool: "list_calls", args },
        fetch: Effect.fnUntraced(function* (limit) {
          const at = yield* readPageCursor("calls", args.cursor, limit)
          const query = { ...arg.defined({ direction, status, phone, from, to }), ...at }
          const found = yield* list(principal, query, { agentId, contactId, conversationId })
          const next = pageCursor("calls", { ...at, asOf: found.asOf }, found.total)
          return { data: found.data, total: found.total, next }
        }),
        row: rowOf,
        line: (call) =>
          [
            `${call.id} · ${call.startedAt ?? "not begun"} · ${call.direction} ${call.from} → ${call.to} · ${call.status}`,
            call.endReason,
            call.durationSeconds === null ? null : `${Math.round(call.durationSeconds)} s`,
            call.handedToPerson ? "handed to a person" : null
          ]
            .filter((part) => part !== null)
            .join(" · "),
        none: "No call matches."
      })
    })
  })
)
