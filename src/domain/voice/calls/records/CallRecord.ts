/** What is kept of a call: the record, its utterances, its audit. Written by the app from webhooks and the engine's callbacks. */
import { Context, type Effect, Schema } from "effect"
import type { Page } from "../../../basics/Listing.ts"
import type { ObjectKey } from "../../../basics/ObjectStorage.ts"
import { type CallEvent, TurnLatency } from "../../engine/CallEvent.ts"
import { EndReason } from "../../engine/EndReason.ts"
import type { CallFilter } from "./CallFilter.ts"
import type { ProviderState } from "./CallProgress.ts"
import { CallDirection, CallStatus } from "./CallStatus.ts"
import { type RecordingPart, RecordingSummary } from "./RecordingParts.ts"
import { CallTransfer } from "./Transfer.ts"

export const CallRecord = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** Null when the called number had no agent. */
  agentId: Schema.NullOr(Schema.String),
  contactId: Schema.NullOr(Schema.String),
  conversationId: Schema.NullOr(Schema.String),
  direction: CallDirection,
  status: CallStatus,
  endReason: Schema.NullOr(EndReason),
  from: Schema.String,
  to: Schema.String,
  /** The provider's call id; null until a call of ours has been placed. */
  callSid: Schema.NullOr(Schema.String),
  /** The deal that a call of ours is about. */
  dealId: Schema.NullOr(Schema.String),
  /** Why a call of ours did not come about, as a sentence. */
  failureReason: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Schema.String),
  endedAt: Schema.NullOr(Schema.String),
  durationSeconds: Schema.NullOr(Schema.Number),
  interruptions: Schema.Int,
  /** Sounds that made the agent pause and turned out not to be an interruption. */
  falseInterruptions: Schema.Int,
  /** The agent's share, 0 to 1, of the time in which somebody was heard. Null while unknown. */
  talkRatio: Schema.NullOr(Schema.Number),
  toolCallCount: Schema.Int,
  turns: Schema.Array(TurnLatency),
  /** Its newest way to a human, null when nobody asked for one. */
  transfer: Schema.NullOr(CallTransfer),
  recording: Schema.NullOr(RecordingSummary),
  createdAt: Schema.String
}).annotate({ identifier: "Call" })
export type CallRecord = typeof CallRecord.Type

/** `talkRatio` of a record, from the milliseconds each side was heard; null when nobody was, or nobody measured it. */
export const talkRatio = (callerMs: number | null, agentMs: number | null): number | null => {
  const heard = (callerMs ?? 0) + (agentMs ?? 0)
  if (callerMs === null || agentMs === null || heard <= 0) return null
  return Math.round((agentMs / heard) * 1_000) / 1_000
}

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

/** A call by our id, or by the provider's. */
export type CallName = { readonly id: string } | { readonly callSid: string }

/** A state of a call as the telephony provider tells it. */
export interface CallNews extends ProviderState {
  /** Unix time in milliseconds. */
  readonly at: number
  /** Of an answered call that is over. */
  readonly durationSeconds: number | null
  /** Why the call did not come about, as a sentence. */
  readonly failureReason: string | null
}

/** An event of a call that is applied now. */
export interface Applied {
  /** The call may have, or have had, a way to a human. */
  readonly transferred: boolean
  /** The file that the event tells of, when the call's contact was erased: whoever applies the event has to remove it. Each time, if it is told again. */
  readonly unwanted?: ObjectKey
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
    /** What the telephony provider tells of a call, merged with what is known; gives the call, `undefined` when there is none. */
    readonly told: (organizationId: string, call: CallName, news: CallNews) => Effect.Effect<CallRecord | undefined>
    /** Calls of every organization that are not over, began before `begunBefore`, and were not asked for since `askedBefore` (Unix ms). */
    readonly unfinished: (
      begunBefore: number,
      askedBefore: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly id: string }>>
    /** The provider was asked for the state of this call. */
    readonly asked: (organizationId: string, callId: string, now: number) => Effect.Effect<void>
    /** The call came back to its agent after a transfer: in progress again. */
    readonly resumed: (organizationId: string, callId: string) => Effect.Effect<void>
    /** The call is over for good where no engine sees it: with a human, or in a waiting line. `now` is Unix time in milliseconds. */
    readonly finished: (
      organizationId: string,
      callId: string,
      endReason: EndReason,
      now: number
    ) => Effect.Effect<void>
    /**
     * Applies a callback once: a repeated `id` changes nothing. Events may come in any order; an unknown call is ignored with a log. Of a call whose
     * contact was erased only numbers are still kept.
     */
    readonly apply: (event: CallEvent) => Effect.Effect<Applied>
    readonly find: (organizationId: string, callId: string) => Effect.Effect<CallRecord | undefined>
    readonly utterances: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<Utterance>>
    readonly toolCalls: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<ToolCallAudit>>
    /** In the order in which they began; none of a call that is unknown. */
    readonly recordings: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<RecordingPart>>
    readonly listByAgent: (
      organizationId: string,
      agentId: string,
      page: number,
      limit: number,
      filter?: CallFilter
    ) => Effect.Effect<Page<CallRecord>>
    /** Audit entry of a tool execution; `id` is the idempotency key (a repeated one returns the first result). Without its texts when the call's contact was erased. */
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
