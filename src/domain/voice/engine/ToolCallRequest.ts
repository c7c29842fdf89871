/** The engine's request to run a tool that the model called, and the app's answer. */
import { Schema } from "effect"
import { AnswerSource } from "../../ai/tools/ToolRunner.ts"
import { exampleIds } from "../../basics/Examples.ts"
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
}).annotate({
  title: "ToolCallRequest",
  examples: [
    {
      organizationId: exampleIds.organization,
      agentId: exampleIds.agent,
      callId: exampleIds.call,
      toolCallId: "call_a8f3",
      name: "find_order",
      arguments: '{"orderNumber":"2041"}'
    }
  ]
})
export type ToolCallRequest = typeof ToolCallRequest.Type

/** A failed tool is a value that the model gets, not an HTTP error. `result` is text (JSON where the tool gave JSON), ≤ 32 KB. */
export const ToolCallResponse = Schema.Struct({
  outcome: Schema.Literals(["ok", "error"]),
  result: Schema.String,
  /** Where the answer is from, if it is from knowledge bases. */
  sources: Schema.optionalKey(Schema.Array(AnswerSource)),
  /** Whether the call may get a notice about it, also when it is not known whether the tool did its work: the engine then asks for notices. */
  tellsLater: Schema.optionalKey(Schema.Boolean),
  /** Present only for `escalate_to_human`. */
  escalation: Schema.optionalKey(EscalationPlan)
}).annotate({ title: "ToolCallResponse", examples: [{ outcome: "ok", result: '{"state":"ready"}' }] })
export type ToolCallResponse = typeof ToolCallResponse.Type
