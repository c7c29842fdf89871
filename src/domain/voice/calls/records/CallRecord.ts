/** What is stored about a call: its record, utterances and tool calls. The app writes them from webhooks and the engine's events. */
import { Context, type Effect, Schema } from "effect"
import { AnswerSource } from "../../../ai/tools/ToolRunner.ts"
import { exampleIds } from "../../../basics/Examples.ts"
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
  /** The provider's call id; null until an outbound call has been placed, and for a test call. */
  callSid: Schema.NullOr(Schema.String),
  /** The deal that an outbound call is about. */
  dealId: Schema.NullOr(Schema.String),
  /** A test call: it came over a stream without a telephone, belongs to no contact, and is not billed. */
  test: Schema.Boolean,
  /** Why an outbound call was not connected, as a sentence. */
  failureReason: Schema.NullOr(Schema.String),
  startedAt: Schema.NullOr(Schema.String),
  endedAt: Schema.NullOr(Schema.String),
  durationSeconds: Schema.NullOr(Schema.Number),
  interruptions: Schema.Int,
  /** Sounds that made the agent pause and turned out not to be an interruption. */
  falseInterruptions: Schema.Int,
  /** The agent's share (0 to 1) of the time in which somebody spoke. Null while unknown. */
  talkRatio: Schema.NullOr(Schema.Number),
  toolCallCount: Schema.Int,
  turns: Schema.Array(TurnLatency),
  /** The call's newest transfer to a human; null when nobody asked for one. */
  transfer: Schema.NullOr(CallTransfer),
  recording: Schema.NullOr(RecordingSummary),
  createdAt: Schema.String
}).annotate({
  identifier: "Call",
  examples: [
    {
      id: exampleIds.call,
      organizationId: exampleIds.organization,
      agentId: exampleIds.agent,
      contactId: exampleIds.contact,
      conversationId: exampleIds.conversation,
      direction: "inbound",
      status: "completed",
      endReason: "caller_hangup",
      from: "+14155550123",
      to: "+16175550142",
      callSid: "CA5f2b0c7d9e41a3865f2b0c7d9e41a386",
      dealId: null,
      test: false,
      failureReason: null,
      startedAt: "2026-11-21T19:00:00.000Z",
      endedAt: "2026-11-21T19:01:12.000Z",
      durationSeconds: 72.4,
      interruptions: 1,
      falseInterruptions: 0,
      talkRatio: 0.58,
      toolCallCount: 1,
      turns: [{ turn: 1, decisionMs: 412, transcriptMs: 455, firstTokenMs: 610, firstAudioMs: 790, firstFrameMs: 812 }],
      transfer: null,
      recording: { url: `/api/calls/${exampleIds.call}/recording`, durationSeconds: 72.4, bytes: 2_316_844 },
      createdAt: "2026-11-21T19:00:00.000Z"
    }
  ]
})
export type CallRecord = typeof CallRecord.Type

/** `talkRatio` of a record, from how long each side was heard (ms). Null when neither was heard, or when a time is missing. */
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
  /** The caller interrupted this utterance of the agent. `interruptions` of the call counts these. */
  interrupted: Schema.Boolean,
  startMs: Schema.Int,
  endMs: Schema.Int,
  /** A person said it who had the call in the agent's place. Absent: the agent or the caller did. */
  by: Schema.optionalKey(Schema.Literal("person")),
  /** The sources of knowledge bases that the agent's answer is from. Absent: none. */
  sources: Schema.optionalKey(Schema.Array(AnswerSource))
}).annotate({
  title: "Utterance",
  examples: [
    {
      id: exampleIds.utterance,
      sequence: 1,
      role: "caller",
      text: "Do you have The Overstory?",
      interrupted: false,
      startMs: 3_200,
      endMs: 4_900
    }
  ]
})
export type Utterance = typeof Utterance.Type

export const ToolCallAudit = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.String,
  result: Schema.String,
  outcome: Schema.Literals(["ok", "error"]),
  durationMs: Schema.Int,
  /** The categories for which the content filter kept the arguments from the tool, or the result from the model; null when it did not. */
  withheld: Schema.NullOr(Schema.Array(Schema.String)),
  createdAt: Schema.String
}).annotate({
  title: "ToolCall",
  examples: [
    {
      id: "call_a8f3",
      name: "find_order",
      arguments: '{"orderNumber":"2041"}',
      result: '{"state":"ready"}',
      outcome: "ok",
      durationMs: 210,
      withheld: null,
      createdAt: "2026-11-21T19:00:31.000Z"
    }
  ]
})
export type ToolCallAudit = typeof ToolCallAudit.Type

/** A tool call that ran in a call. `tellsLater`: the call may be told more about it. `begun`: it is not known whether it did its work. */
export interface RanToolCall extends ToolCallAudit {
  readonly tellsLater?: boolean
  readonly begun?: boolean
}

/** The audit entry says this until the tool has ended. */
export const toolUnfinished = "It is not known whether it did its work."

export interface NewCall {
  readonly organizationId: string
  readonly agentId: string | null
  readonly direction: "inbound" | "outbound"
  readonly status: CallStatus
  readonly endReason?: EndReason
  readonly from: string
  readonly to: string
  /** Null for a test call, which no telephony provider knows. */
  readonly callSid: string | null
  /** By default false. */
  readonly test?: boolean
}

/** Names a call by our id or by the provider's. */
export type CallName = { readonly id: string } | { readonly callSid: string }

/** A state of a call as the telephony provider reports it. */
export interface CallNews extends ProviderState {
  /** Unix time in milliseconds. */
  readonly at: number
  /** Length of an answered call that is over; otherwise null. */
  readonly durationSeconds: number | null
  /** Why the call was not connected, as a sentence; otherwise null. */
  readonly failureReason: string | null
}

/** The result of applying an event to a call's record. */
export interface Applied {
  /** The call may have, or have had, a transfer to a human. */
  readonly transferred: boolean
  /**
   * The event's recording file, when the call's contact was erased. Whoever applies the event must remove the file, also when the event is
   * repeated.
   */
  readonly unwanted?: ObjectKey
}

export class Calls extends Context.Service<
  Calls,
  {
    /**
     * Records a call. If the caller has a phone number, it also records the contact (created if new) and the voice conversation (the newest
     * unresolved one, otherwise a new OPEN one). A repeated `callSid` returns the first record unchanged, because webhooks are repeated.
     */
    readonly open: (input: NewCall) => Effect.Effect<{ readonly call: CallRecord; readonly contactName: string | null }>
    /** Ends a call that no engine took (no capacity, refused, the engine died). */
    readonly close: (
      organizationId: string,
      callId: string,
      status: CallStatus,
      endReason: EndReason
    ) => Effect.Effect<void>
    /** Merges the telephony provider's report into the record. Returns the call, or `undefined` when there is none. */
    readonly told: (organizationId: string, call: CallName, news: CallNews) => Effect.Effect<CallRecord | undefined>
    /**
     * Calls of every organization that are not over, began before `begunBefore`, and whose state the provider was not asked since `askedBefore`
     * (Unix ms).
     */
    readonly unfinished: (
      begunBefore: number,
      askedBefore: number
    ) => Effect.Effect<ReadonlyArray<{ readonly organizationId: string; readonly id: string }>>
    /**
     * Calls of every organization that the provider said were over between the two times (Unix ms), and that an engine should have ended but never
     * began; at most 100.
     */
    readonly withoutEngine: (
      endedAfter: number,
      endedBefore: number
    ) => Effect.Effect<
      ReadonlyArray<{ readonly organizationId: string; readonly id: string; readonly status: CallStatus }>
    >
    /** Notes that the provider was asked for the state of this call at `now` (Unix ms). */
    readonly asked: (organizationId: string, callId: string, now: number) => Effect.Effect<void>
    /** Puts a call back in progress after it came back to its agent from a transfer. */
    readonly resumed: (organizationId: string, callId: string) => Effect.Effect<void>
    /** Ends a call that ended without an engine: with a human, or in a waiting line. `now` is Unix time in milliseconds. */
    readonly finished: (
      organizationId: string,
      callId: string,
      endReason: EndReason,
      now: number
    ) => Effect.Effect<void>
    /**
     * Applies an event once: a repeated `id` changes nothing. Events may come in any order. An event of an unknown call is logged and ignored.
     * For a call whose contact was erased, only figures are stored.
     */
    readonly apply: (event: CallEvent) => Effect.Effect<Applied>
    readonly find: (organizationId: string, callId: string) => Effect.Effect<CallRecord | undefined>
    readonly utterances: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<Utterance>>
    readonly toolCalls: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<ToolCallAudit>>
    /** The recordings of a call, in the order in which they began; empty for an unknown call. */
    readonly recordings: (organizationId: string, callId: string) => Effect.Effect<ReadonlyArray<RecordingPart>>
    /** The calls that are under way, newest first, each with what was said last; at most 500. */
    readonly live: (
      organizationId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly call: CallRecord; readonly words: ReadonlyArray<Utterance> }>>
    /** The calls that match the filter, newest first. */
    readonly list: (
      organizationId: string,
      page: number,
      limit: number,
      filter: CallFilter
    ) => Effect.Effect<Page<CallRecord>>
    /** Writes the entry of a tool call before it runs. Gives the entry that is there already: the call ran, or is running, and must not run twice. */
    readonly beginToolCall: (
      organizationId: string,
      callId: string,
      entry: Pick<RanToolCall, "id" | "name" | "arguments">
    ) => Effect.Effect<RanToolCall | undefined>
    /**
     * Writes the audit entry of a tool call that has ended. `id` is the idempotency key: a repeated one changes nothing. The texts are left out when
     * the call's contact was erased.
     */
    readonly recordToolCall: (
      organizationId: string,
      callId: string,
      entry: Omit<RanToolCall, "createdAt" | "withheld" | "begun">
    ) => Effect.Effect<void>
    /** The audit entry of a tool call that ran or was begun. */
    readonly findToolCall: (
      organizationId: string,
      callId: string,
      id: string
    ) => Effect.Effect<RanToolCall | undefined>
  }
>()("parley/domain/Calls") {}
