/** The engine asks the app to run a tool that the model called, and what the app answers. */
import { Schema } from "effect"
import { EscalationPlan } from "./EscalationPlan.ts"

/** A tool to run for a call of an agent; `toolCallId` is the id the model gave the call. */
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

/** A failing tool is a value the model hears, not an HTTP error. `result` is text (JSON where the tool gave JSON), ≤ 16 KB. */
export const ToolCallResponse = Schema.Struct({
  outcome: Schema.Literals(["ok", "error"]),
  result: Schema.String,
  /** Of `escalate_to_human` only. */
  escalation: Schema.optionalKey(EscalationPlan)
})
export type ToolCallResponse = typeof ToolCallResponse.Type
