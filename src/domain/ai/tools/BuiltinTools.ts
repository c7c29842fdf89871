/**
 * The tools that this service has itself. An agent gets one with `handler: { "type": "builtin", "name": … }`, under any name and description of its
 * own. `wiring/Tools.ts` lists them.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { type ToolDefinition, ToolSpec } from "./Tool.ts"
import { type Arguments, parseArguments } from "./ToolArguments.ts"
import { type ToolAnswer, type ToolContext, toolFailed } from "./ToolRunner.ts"

/** The kinds of agents. */
export const AgentKind = Schema.Literals(["voice", "text"])
export type AgentKind = typeof AgentKind.Type

export interface BuiltinTool {
  /** `name` is the name in handlers. `parameters` are checked before `run`, whatever the agent's own definition says of them. */
  readonly spec: ToolSpec
  /** The kinds of agents that can have it. */
  readonly agents: ReadonlyArray<AgentKind>
  readonly run: (context: ToolContext, input: Arguments) => Effect.Effect<ToolAnswer>
}

/** A built-in tool as people see it who give it to an agent. */
export const ShownBuiltinTool = Schema.Struct({
  name: ToolSpec.fields.name,
  description: ToolSpec.fields.description,
  parameters: ToolSpec.fields.parameters,
  agents: Schema.Array(AgentKind)
}).annotate({
  title: "BuiltinTool",
  examples: [
    {
      name: "find_product",
      description: "Look up what the organization sells.",
      parameters: {
        type: "object",
        properties: { search: { type: "string", description: "A part of the name" } },
        required: ["search"]
      },
      agents: ["voice", "text"]
    }
  ]
})
export type ShownBuiltinTool = typeof ShownBuiltinTool.Type

export const shownBuiltin = ({ spec, agents }: BuiltinTool): ShownBuiltinTool => {
  const { name, description, parameters } = spec
  return { name, description, parameters, agents }
}

export class BuiltinTools extends Context.Service<BuiltinTools, { readonly tools: ReadonlyArray<BuiltinTool> }>()(
  "parley/domain/BuiltinTools"
) {
  static readonly layer = (tools: ReadonlyArray<BuiltinTool>): Layer.Layer<BuiltinTools> =>
    Layer.succeed(BuiltinTools, { tools })
}

/** Runs the built-in tool of this name. Its answer says what is wrong when there is none, or when the arguments do not fit. */
export const runBuiltin = (
  { tools }: BuiltinTools["Service"],
  name: string,
  input: Arguments,
  context: ToolContext
): Effect.Effect<ToolAnswer> => {
  const tool = tools.find(({ spec }) => spec.name === name)
  if (tool === undefined) return Effect.succeed(toolFailed(`There is no built-in tool named "${name}".`))
  const parsed = parseArguments(tool.spec, JSON.stringify(input))
  return parsed._tag === "Invalid" ? Effect.succeed(toolFailed(parsed.problem)) : tool.run(context, parsed.value)
}

/** Why agents of this kind cannot have one of the sent tools, worded to follow "tools"; `undefined` when they can. */
export const builtinProblem = (
  { tools }: BuiltinTools["Service"],
  kind: AgentKind,
  sent: ReadonlyArray<ToolDefinition>
): string | undefined => {
  const known = tools.filter(({ agents }) => agents.includes(kind)).map(({ spec }) => spec.name)
  for (const { name, handler } of sent)
    if (handler?.type === "builtin" && !known.includes(handler.name))
      return `has a handler of "${name}" that names no built-in tool of ${kind} agents: they are ${known.join(", ") || "none"}.`
  return undefined
}
