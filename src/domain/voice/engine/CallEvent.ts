import { Schema } from "effect"
import { ObjectKey } from "../../basics/ObjectStorage.ts"
import { EndReason } from "./EndReason.ts"

/** Milliseconds from the caller's last voiced frame to each step of the answer. */
export const TurnLatency = Schema.Struct({
  turn: Schema.Int,
  decisionMs: Schema.NullOr(Schema.Number),
  transcriptMs: Schema.NullOr(Schema.Number),
  firstTokenMs: Schema.NullOr(Schema.Number),
  firstAudioMs: Schema.NullOr(Schema.Number),
  firstFrameMs: Schema.NullOr(Schema.Number)
})
export type TurnLatency = typeof TurnLatency.Type

const eventBase = { id: Schema.String, organizationId: Schema.String, agentId: Schema.String, callId: Schema.String }

/** Callbacks of a call. `id` is the idempotency key; `sequence` orders the utterances of a call. Times are ISO 8601 UTC. */
export const CallEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("call_started"), ...eventBase, startedAt: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("transcript"),
    ...eventBase,
    sequence: Schema.Int,
    role: Schema.Literals(["caller", "agent"]),
    /** For the agent: what was heard, cut at the word when interrupted. */
    text: Schema.String,
    interrupted: Schema.Boolean,
    /** Milliseconds of media since the call's start. */
    startMs: Schema.Int,
    endMs: Schema.Int
  }),
  Schema.Struct({
    type: Schema.Literal("moderation"),
    ...eventBase,
    direction: Schema.Literals(["input", "output"]),
    /** The flagged text: goes to the audit log only. */
    text: Schema.String,
    categories: Schema.Array(Schema.String)
  }),
  Schema.Struct({
    type: Schema.Literal("handoff"),
    ...eventBase,
    /** Goes to the audit log, which keeps it for good: a sentence of the service, with nothing of what was said. */
    reason: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("call_end"),
    ...eventBase,
    endReason: EndReason,
    /** What the telephony provider did when it was told to take the call over for a human; absent when it was not told to. */
    handover: Schema.optionalKey(Schema.Literals(["taken", "refused"])),
    endedAt: Schema.String,
    durationSeconds: Schema.Number,
    turns: Schema.Array(TurnLatency),
    interruptions: Schema.Int,
    /** Sounds that made the agent pause and turned out not to be an interruption. */
    falseInterruptions: Schema.optionalKey(Schema.Int),
    toolCalls: Schema.Int,
    /** Milliseconds each side was heard. */
    callerTalkMs: Schema.optionalKey(Schema.Int),
    agentTalkMs: Schema.optionalKey(Schema.Int)
  }),
  /** A recording is in the object storage, perhaps long after the call's end. A call that came back to its agent has several. */
  Schema.Struct({
    type: Schema.Literal("recording"),
    ...eventBase,
    key: ObjectKey,
    bytes: Schema.Int,
    durationMs: Schema.Int
  })
])
export type CallEvent = typeof CallEvent.Type
