/**
 * What app and engine say to each other over HTTP (every request signed with `X-Engine-Signature`):
 *
 *   app → engine   PUT/DELETE /engine/organizations/{orgId}/agents/{agentId}   AgentConfig
 *                  POST       /engine/organizations/{orgId}/calls              CallSetup → CallPlacement | 404 (push the agent first) | 429
 *   engine → app   POST       /api/voice-agents/tool-call                      ToolCallRequest → ToolCallResponse
 *                  POST       /api/voice-agents/webhook                        CallEvent → 200 (applied, or applied before)
 */
import { Context, type Effect, Schema } from "effect"
import { VoiceFamily } from "../../ai/providers/Speech.ts"
import { ToolSpec } from "../../ai/tools/Tool.ts"
import { ObjectKey } from "../../basics/ObjectStorage.ts"

/** The merged configuration the engine runs an agent from. Immutable per `version` (a content hash made by the app). */
export const AgentConfig = Schema.Struct({
  organizationId: Schema.String,
  agentId: Schema.String,
  version: Schema.String,
  name: Schema.String,
  disclosureText: Schema.String,
  welcomeMessage: Schema.String,
  fallbackLine: Schema.String,
  voice: Schema.Struct({ family: VoiceFamily, voiceId: Schema.String, model: Schema.String, language: Schema.String }),
  transcription: Schema.Struct({ model: Schema.String, language: Schema.String }),
  systemPrompt: Schema.String,
  tools: Schema.Array(ToolSpec),
  recording: Schema.Boolean,
  backchanneling: Schema.Boolean,
  use_fillers: Schema.Boolean,
  ambient_noise: Schema.Boolean,
  escalationPhrases: Schema.Array(Schema.String),
  humanDestination: Schema.NullOr(Schema.String),
  silence: Schema.Struct({
    promptAfterSeconds: Schema.Number,
    maxPrompts: Schema.Int,
    promptText: Schema.String,
    goodbyeText: Schema.String
  }),
  endpointing: Schema.Struct({ minSilenceMs: Schema.Int, maxSilenceMs: Schema.Int }),
  interruption: Schema.Struct({ enabled: Schema.Boolean, minSpeechMs: Schema.Int, minWords: Schema.Int }),
  maxCallSeconds: Schema.Int
})
export type AgentConfig = typeof AgentConfig.Type

/** Reserves a slot on an engine for a call whose media stream is about to arrive. */
export const CallSetup = Schema.Struct({
  callId: Schema.String,
  agentId: Schema.String,
  agentVersion: Schema.String,
  /** The provider's account and call ids; the stream's `start` must carry the same ones. */
  accountSid: Schema.String,
  callSid: Schema.String,
  /** Auth token of the owning account: checks the upgrade's signature, and transfers the call. Never logged or stored. */
  authToken: Schema.String,
  direction: Schema.Literals(["inbound", "outbound"]),
  from: Schema.String,
  to: Schema.String,
  contactName: Schema.NullOr(Schema.String),
  /** Calls the organization may have at once on all engines; absent: no limit of its own. */
  concurrentCalls: Schema.optionalKey(Schema.Int),
  /** What the agent shall know of this call, a sentence each. */
  context: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Present when a call comes back to its agent, because no human took it: it goes on where it was. */
  resume: Schema.optionalKey(
    Schema.Struct({
      /** What became of the transfer. */
      outcome: Schema.Literals(["no_answer", "busy", "failed"]),
      /** Whether the disclosure was heard to its end; if not it is played again. */
      disclosed: Schema.Boolean,
      /** What was said so far, oldest first, without what the content filter found. */
      history: Schema.Array(Schema.Struct({ role: Schema.Literals(["caller", "agent"]), text: Schema.String })),
      /** The next utterances are numbered from here on. */
      nextSequence: Schema.Int,
      /** Milliseconds of the call that are over: times of utterances go on from here. */
      elapsedMs: Schema.Int
    })
  )
})
export type CallSetup = typeof CallSetup.Type

/** Where the provider shall connect the stream, and the single-use token it must bring (custom parameters `callId`, `token`). */
export const CallPlacement = Schema.Struct({ streamUrl: Schema.String, token: Schema.String })
export type CallPlacement = typeof CallPlacement.Type

export const ToolCallRequest = Schema.Struct({
  organizationId: Schema.String,
  agentId: Schema.String,
  callId: Schema.String,
  toolCallId: Schema.String,
  name: Schema.String,
  /** JSON text as the model wrote it. */
  arguments: Schema.String
})
export type ToolCallRequest = typeof ToolCallRequest.Type

/** What an escalation comes to. The engine tells the caller, then replaces the call's instructions with `twiml`. */
export const EscalationPlan = Schema.Union([
  Schema.Struct({ outcome: Schema.Literal("transfer"), twiml: Schema.String }),
  /** Every human is busy: the caller waits; `position` 1 is next. */
  Schema.Struct({ outcome: Schema.Literal("queue"), position: Schema.Int, twiml: Schema.String }),
  /** No human destination is configured: the conversation is left open for the team. */
  Schema.Struct({ outcome: Schema.Literal("nobody") })
])
export type EscalationPlan = typeof EscalationPlan.Type
export const nobody: EscalationPlan = { outcome: "nobody" }

/** A failing tool is a value the model hears, not an HTTP error. `result` is text (JSON where the tool gave JSON), ≤ 16 KB. */
export const ToolCallResponse = Schema.Struct({
  outcome: Schema.Literals(["ok", "error"]),
  result: Schema.String,
  /** Of `escalate_to_human` only. */
  escalation: Schema.optionalKey(EscalationPlan)
})
export type ToolCallResponse = typeof ToolCallResponse.Type

export const EndReason = Schema.Literals([
  "caller_hangup",
  "agent_hangup",
  "silence",
  "max_duration",
  "transferred",
  "queued_for_human",
  "outside_hours",
  "moderation",
  "provider_failure",
  "capacity",
  "error"
])
export type EndReason = typeof EndReason.Type

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

/** The other side did not take the request; `retryable` false means it never will (4xx). */
export class EngineProtocolError extends Schema.TaggedError<EngineProtocolError>()("EngineProtocolError", {
  status: Schema.NullOr(Schema.Int),
  retryable: Schema.Boolean,
  message: Schema.String
}) {}

/** Port of the engine to the app. */
export class AppCallbacks extends Context.Service<
  AppCallbacks,
  {
    readonly runTool: (request: ToolCallRequest) => Effect.Effect<ToolCallResponse, EngineProtocolError>
    readonly deliver: (event: CallEvent) => Effect.Effect<void, EngineProtocolError>
  }
>()("parley/domain/AppCallbacks") {}

/** Port of the app to the engine. */
export class EngineClient extends Context.Service<
  EngineClient,
  {
    readonly putAgent: (config: AgentConfig) => Effect.Effect<void, EngineProtocolError>
    readonly deleteAgent: (organizationId: string, agentId: string) => Effect.Effect<void, EngineProtocolError>
    readonly placeCall: (organizationId: string, setup: CallSetup) => Effect.Effect<CallPlacement, EngineProtocolError>
  }
>()("parley/domain/EngineClient") {}

/** What the engine's HTTP routes ask of the engine itself; its implementation is the actor system. */
export class Engine extends Context.Service<
  Engine,
  {
    /** Validates against the chosen provider, keeps the configuration, synthesizes and caches disclosure and welcome. */
    readonly putAgent: (config: AgentConfig) => Effect.Effect<void, AgentRejected>
    readonly deleteAgent: (organizationId: string, agentId: string) => Effect.Effect<void>
    readonly placeCall: (
      organizationId: string,
      setup: CallSetup
    ) => Effect.Effect<CallPlacement, AgentUnknown | EngineFull>
    readonly liveCalls: Effect.Effect<number>
  }
>()("parley/domain/Engine") {}

/** 500 with its sentence: the provider does not support this configuration, or speech could not be synthesized. */
export class AgentRejected extends Schema.TaggedError<AgentRejected>()("AgentRejected", { message: Schema.String }) {}
/** 404: this engine does not have that agent in that version; the app pushes it and asks again. */
export class AgentUnknown extends Schema.TaggedError<AgentUnknown>()("AgentUnknown", { agentId: Schema.String }) {}

/**
 * Why an engine takes no call: all its slots are taken; the organization has as many calls as it may have; slots are scarce and the
 * organization holds its share; audio is late already; the process is about to stop; other workers, one of which will get the
 * stream, cannot be told of the call.
 */
export const Refusal = Schema.Literals([
  "process_full",
  "organization_full",
  "fair_share",
  "overloaded",
  "draining",
  "uncoordinated"
])
export type Refusal = typeof Refusal.Type

/** What an engine says when it takes no call. */
export const refusalSentences: Readonly<Record<Refusal, string>> = {
  process_full: "This engine is full.",
  organization_full: "This organization has as many calls as it may have at once.",
  fair_share: "This engine is almost full, and this organization holds its share of it.",
  overloaded: "This engine is overloaded.",
  draining: "This engine is about to stop.",
  uncoordinated: "This engine cannot reach the other workers."
}
export const agentUnknownSentence = "This engine does not have that agent version."

/** 429: not now. */
export class EngineFull extends Schema.TaggedError<EngineFull>()("EngineFull", { reason: Refusal }) {}
