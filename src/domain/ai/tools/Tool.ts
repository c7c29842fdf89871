/** Tools that an agent may call, in the specification's shape, and their handlers. */
import { Schema } from "effect"
import { JsonRecord } from "../../basics/Json.ts"

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
  /** What happens to a running tool when the caller interrupts: `keep` (the default) lets it finish, `cancel` stops it. */
  onInterruption: Schema.optionalKey(Schema.Literals(["keep", "cancel"]))
})
export type ToolSpec = typeof ToolSpec.Type

export const ToolHandler = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("http"),
    url: Schema.String,
    method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    timeoutMs: Schema.optionalKey(Schema.Int),
    /** The server does the work of requests with the same `Idempotency-Key` once. */
    idempotent: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.Struct({ type: Schema.Literal("builtin"), name: Schema.String }),
  Schema.Struct({ type: Schema.Literal("mcp"), serverId: Schema.String, tool: Schema.String })
])
export type ToolHandler = typeof ToolHandler.Type

/** HTTP methods that have the effect of once when they are sent twice (RFC 9110, 9.2.2). */
export const repeatableMethods: ReadonlySet<string> = new Set(["GET", "PUT", "DELETE"])

/** Whether a tool may run again, with the same key, although it is not known whether it ran. */
export const mayRunAgain = (handler: ToolHandler): boolean => {
  switch (handler.type) {
    case "http":
      return handler.idempotent === true || repeatableMethods.has(handler.method)
    case "builtin":
      return handler.name.startsWith("search_")
    case "mcp":
      return false
  }
}

export const ToolDefinition = Schema.Struct({ ...ToolSpec.fields, handler: Schema.optionalKey(ToolHandler) })
export type ToolDefinition = typeof ToolDefinition.Type

/** A tool as it is sent. That of an MCP server needs neither description nor parameters, because the server gives them. */
export const GivenTool = Schema.Struct({
  ...ToolDefinition.fields,
  description: Schema.optionalKey(ToolSpec.fields.description),
  parameters: Schema.optionalKey(ToolSpec.fields.parameters)
})
export type GivenTool = typeof GivenTool.Type

export const toolDefinition = (given: GivenTool): ToolDefinition => ({
  description: "",
  parameters: { type: "object", properties: {} },
  ...given
})

/** A tool as the model is told of it. Its parameters may be nested: another server may have written them. */
export const ModelTool = Schema.Struct({ ...ToolSpec.fields, parameters: JsonRecord })
export type ModelTool = typeof ModelTool.Type

/** What the model is told of a tool that the agent's record describes. */
export const toolSpec = ({ handler: _, ...tool }: ToolDefinition): ToolSpec => tool

/** A tool of every voice call: it hands the caller to a human. Afterwards the engine ends its part of the call. */
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
