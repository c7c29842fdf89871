/** What is kept of a call: the record, its utterances, its audit. Written by the app from webhooks and the engine's callbacks. */
import { Context, type Effect, Schema } from "effect"
import { type CallEvent, EndReason, TurnLatency } from "./EngineProtocol.ts"
import type { Page } from "./VoiceAgent.ts"

export const CallStatus = Schema.Literals([
  "queued",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "canceled"
])
export type CallStatus = typeof CallStatus.Type

export const CallRecord = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** Null when the called number had no agent. */
  agentId: Schema.NullOr(Schema.String),
  contactId: Schema.NullOr(Schema.String),
  conversationId: Schema.NullOr(Schema.String),
  direction: Schema.Literals(["inbound", "outbound"]),
  status: CallStatus,
  endReason: Schema.NullOr(EndReason),
  from: Schema.String,
  to: Schema.String,
  /** The provider's call id. */
  callSid: Schema.String,
  startedAt: Schema.NullOr(Schema.String),
  endedAt: Schema.NullOr(Schema.String),
  durationSeconds: Schema.NullOr(Schema.Number),
  interruptions: Schema.Int,
  toolCallCount: Schema.Int,
  turns: Schema.Array(TurnLatency),
  createdAt: Schema.String
})
export type CallRecord = typeof CallRecord.Type

export const Utterance = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  role: Schema.Literals(["caller", "agent"]),
  text: Schema.String,
  interrupted: Schema.Boolean,
  startMs: Schema.Int,
  endMs: Schema.Int
})
export type Utterance = typeof Utterance.Type

export const ToolCallAudit = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.String,
  result: Schema.String,
  outcome: Schema.Literals(["ok", "error"]),
  durationMs: Schema.Int,
  createdAt: Schema.String
})
export type ToolCallAudit = typeof ToolCallAudit.Type

export interface NewCall {
  readonly organizationId: string
  readonly agentId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: CallStatus
  readonly endReason?: EndReason
  readonly from: string
  readonly to: string
  readonly callSid: string
}

export class Calls extends Context.Service<
  Calls,
  {
    /**
     * Records a call and, for a caller known by a phone number, its contact (made if new) and voice conversation (the newest
     * unresolved one, else a new OPEN one). The same `callSid` again returns the first record unchanged (webhooks are repeated).
     */
    readonly open: (input: NewCall) => Effect.Effect<{ readonly call: CallRecord; readonly contactName: string | null }>
    /** Ends a call the engine never took (no capacity, refused). */
    readonly close: (
      organizationId: string,
      callId: string,
      status: CallStatus,
      endReason: EndReason
    ) => Effect.Effect<void>
    /** Applies a callback once: a repeated `id` changes nothing. Events may come in any order; an unknown call is ignored with a log. */
    readonly apply: (event: CallEvent) => Effect.Effect<void>
    readonly find: (organizationId: string, callId: string) => Effect.Effect<CallRecord | undefined>
    readonly utterances: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<Utterance>>
    readonly toolCalls: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<ToolCallAudit>>
    readonly listByAgent: (
      organizationId: string,
      agentId: string,
      page: number,
      limit: number
    ) => Effect.Effect<Page<CallRecord>>
    /** Audit entry of a tool execution; `id` is the idempotency key (a repeated one returns the first result). */
    readonly recordToolCall: (
      organizationId: string,
      callId: string,
      entry: Omit<ToolCallAudit, "createdAt">
    ) => Effect.Effect<void>
    /** The stored result of a tool call that already ran, so that a retried request does not run it twice. */
    readonly findToolCall: (
      organizationId: string,
      callId: string,
      id: string
    ) => Effect.Effect<ToolCallAudit | undefined>
  }
>()("parley/domain/Calls") {}
