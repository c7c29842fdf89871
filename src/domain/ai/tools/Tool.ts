/** Tools an agent may call, in the shape the specification gives, and how each one is run. */
import { Schema } from "effect"

const Property = Schema.Struct({
  type: Schema.String,
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  description: Schema.optionalKey(Schema.String)
})

export const ToolSpec = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^[a-zA-Z0-9_-]{1,64}$/)),
  description: Schema.String,
  parameters: Schema.Struct({
    type: Schema.Literal("object"),
    properties: Schema.Record(Schema.String, Property),
    required: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  /** What becomes of a running tool when the caller interrupts: `keep` (the default) lets it finish, `cancel` gives it up. */
  onInterruption: Schema.optionalKey(Schema.Literals(["keep", "cancel"]))
})
export type ToolSpec = typeof ToolSpec.Type

export const ToolHandler = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("http"),
    url: Schema.String,
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    timeoutMs: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ type: Schema.Literal("builtin"), name: Schema.String }),
  Schema.Struct({ type: Schema.Literal("mcp"), serverId: Schema.String, tool: Schema.String })
])
export type ToolHandler = typeof ToolHandler.Type

export const ToolDefinition = Schema.Struct({ ...ToolSpec.fields, handler: Schema.optionalKey(ToolHandler) })
export type ToolDefinition = typeof ToolDefinition.Type

/** What the model is told of a tool. */
export const toolSpec = ({ handler: _, ...tool }: ToolDefinition): ToolSpec => tool

/** Always present in a voice call: hands the caller to a human. The engine ends its part of the call after it. */
export const escalateToHuman: ToolSpec = {
  name: "escalate_to_human",
  description:
    "Hand this conversation to a human colleague. Use it when the caller asks for a person or you cannot help.",
  parameters: {
    type: "object",
    properties: { reason: { type: "string", description: "One sentence: why a human is needed" } },
    required: ["reason"]
  }
}
