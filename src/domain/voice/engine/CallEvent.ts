import { Schema } from "effect"
import { AnswerSource } from "../../ai/tools/ToolRunner.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { ObjectKey } from "../../basics/ObjectStorage.ts"
import { EndReason } from "./EndReason.ts"

/**
 * Milliseconds from the caller's last voiced frame to each step of the answer. Decision and transcript run beside each other from there. The model is
 * asked at `modelAskedMs`, on a guess also before the decision; the speech begins with its first token.
 */
export const TurnLatency = Schema.Struct({
  turn: Schema.Int,
  decisionMs: Schema.NullOr(Schema.Number),
  transcriptMs: Schema.NullOr(Schema.Number),
  /** Absent in turns of an engine that did not tell it. */
  modelAskedMs: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  firstTokenMs: Schema.NullOr(Schema.Number),
  firstAudioMs: Schema.NullOr(Schema.Number),
  firstFrameMs: Schema.NullOr(Schema.Number)
})
export type TurnLatency = typeof TurnLatency.Type

const eventBase = {
  id: Schema.String,
  organizationId: Schema.String,
  agentId: Schema.String,
  callId: Schema.String,
  /** How many engines had the call before this one. Absent: none. */
  fence: Schema.optionalKey(Schema.Int)
}

/**
 * What the engine tells the app about a call. `id` is the idempotency key. `sequence` orders the utterances of a call. Times are ISO 8601
 * UTC.
 */
export const CallEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("call_started"), ...eventBase, startedAt: Schema.String }),
  /**
   * Another engine has the call from now on: what earlier ones say of its end does not count any more, nor what they say of utterances from `sequence` on.
   */
  Schema.Struct({
    type: Schema.Literal("call_taken_over"),
    ...eventBase,
    fence: Schema.Int,
    sequence: Schema.Int
  }),
  Schema.Struct({
    type: Schema.Literal("transcript"),
    ...eventBase,
    sequence: Schema.Int,
    role: Schema.Literals(["caller", "agent"]),
    /** The agent's text is what the caller heard: after an interruption it ends with the last word heard. */
    text: Schema.String,
    /** The caller interrupted this utterance of the agent. `interruptions` of the call counts these. */
    interrupted: Schema.Boolean,
    /** Milliseconds of media since the call's start. */
    startMs: Schema.Int,
    endMs: Schema.Int,
    /** A person said it who had the call in the agent's place. Absent: the agent or the caller did. */
    by: Schema.optionalKey(Schema.Literal("person")),
    /** The agent's answer is from these sources of knowledge bases. Absent: from none. */
    sources: Schema.optionalKey(Schema.Array(AnswerSource))
  }),
  Schema.Struct({
    type: Schema.Literal("moderation"),
    ...eventBase,
    direction: Schema.Literals(["input", "output"]),
    /** The flagged text. Only the audit log gets it. */
    text: Schema.String,
    categories: Schema.Array(Schema.String),
    /** The agent's prompt and tools were flagged. Absent: what was said was. */
    what: Schema.optionalKey(Schema.Literal("instructions"))
  }),
  /** A person had taken the call over and lost the connection: the agent has the call again. */
  Schema.Struct({ type: Schema.Literal("person_lost"), ...eventBase }),
  /** Something flagged was kept from the model, or from a tool, and the call went on without it. */
  Schema.Struct({
    type: Schema.Literal("withheld"),
    ...eventBase,
    /** `fact`: something that the agent was to know about the call, such as the contact's name. */
    what: Schema.Literals(["tool_arguments", "tool_result", "fact"]),
    /** The parts that were flagged. The audit log gets them. */
    text: Schema.String,
    categories: Schema.Array(Schema.String),
    /** The tool call of arguments and result; `id` is its id in the tool audit. */
    tool: Schema.optionalKey(Schema.Struct({ id: Schema.String, name: Schema.String }))
  }),
  Schema.Struct({
    type: Schema.Literal("handoff"),
    ...eventBase,
    /** A sentence of the service. It never quotes the call, because the audit log keeps it for good. */
    reason: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("call_end"),
    ...eventBase,
    endReason: EndReason,
    /** What the telephony provider did when the engine told it to pass the call to a human. Absent when the engine did not. */
    handover: Schema.optionalKey(Schema.Literals(["taken", "refused"])),
    endedAt: Schema.String,
    durationSeconds: Schema.Number,
    turns: Schema.Array(TurnLatency),
    interruptions: Schema.Int,
    /** Sounds that made the agent pause and turned out not to be an interruption. */
    falseInterruptions: Schema.optionalKey(Schema.Int),
    toolCalls: Schema.Int,
    /** How long each side was heard, in milliseconds. */
    callerTalkMs: Schema.optionalKey(Schema.Int),
    agentTalkMs: Schema.optionalKey(Schema.Int)
  }),
  /** The object storage has a recording, perhaps long after the call ended. A call that came back to its agent has several recordings. */
  Schema.Struct({
    type: Schema.Literal("recording"),
    ...eventBase,
    key: ObjectKey,
    bytes: Schema.Int,
    durationMs: Schema.Int
  })
]).annotate({
  title: "CallEvent",
  examples: [
    {
      type: "call_started",
      id: exampleIds.event,
      organizationId: exampleIds.organization,
      agentId: exampleIds.agent,
      callId: exampleIds.call,
      startedAt: "2026-11-21T19:00:00.000Z"
    }
  ]
})
export type CallEvent = typeof CallEvent.Type
