/**
 * The tools of MCP servers that an agent has at present: those that its record names, that a person has approved, and that the server offers unchanged.
 * They are looked up for each call, so that a change of a server reaches no new call before it is approved.
 */
import { Effect } from "effect"
import { type McpServer, McpServers, usableMcpTool } from "./McpServer.ts"
import { type McpTool, mcpParameters } from "./McpTool.ts"
import { type ModelTool, type ToolDefinition, type ToolHandler, toolSpec } from "./Tool.ts"
import { maxSpecBytes } from "./ToolRules.ts"

type McpHandler = Extract<ToolHandler, { readonly type: "mcp" }>
type McpDefinition = ToolDefinition & { readonly handler: McpHandler }

/** By the name that the agent gives the tool. */
export type ForeignTools = ReadonlyMap<string, McpTool>

const isMcp = (tool: ToolDefinition): tool is McpDefinition => tool.handler?.type === "mcp"

/** The ids of the servers whose tools the record names. */
export const serversOf = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<string> => [
  ...new Set(tools.filter(isMcp).map(({ handler }) => handler.serverId))
]

const modelTool = (tool: McpDefinition, foreign: McpTool): ModelTool => {
  const { handler: _, description, ...rest } = tool
  return {
    ...rest,
    description: description === "" ? foreign.description : description,
    parameters: mcpParameters(foreign)
  }
}

/** What the model is told of an agent's tools. Those of MCP servers that the agent does not have are left out. */
export const modelTools = (tools: ReadonlyArray<ToolDefinition>, foreign: ForeignTools): ReadonlyArray<ModelTool> =>
  tools.flatMap((tool) => {
    if (!isMcp(tool)) return [toolSpec(tool)]
    const found = foreign.get(tool.name)
    return found === undefined ? [] : [modelTool(tool, found)]
  })

/** The tools of MCP servers that an agent has, and why it does not have the others: sentences about "tools". */
export interface FoundTools {
  readonly tools: ForeignTools
  readonly missing: ReadonlyMap<string, string>
}

const bytesOf = (tool: ModelTool): number => Buffer.byteLength(JSON.stringify(tool))

/** Pure. */
export const foundTools = (tools: ReadonlyArray<ToolDefinition>, servers: ReadonlyArray<McpServer>): FoundTools => {
  const found = new Map<string, McpTool>()
  const missing = new Map<string, string>()
  let bytes = modelTools(tools, found).reduce((sum, tool) => sum + bytesOf(tool), 0)
  for (const tool of tools.filter(isMcp)) {
    const { serverId, tool: name } = tool.handler
    const server = servers.find(({ id }) => id === serverId)
    const usable = server === undefined ? undefined : usableMcpTool(server, name)
    if (server === undefined) missing.set(tool.name, `has a handler of "${tool.name}" with an unknown serverId.`)
    else if (usable === undefined)
      missing.set(
        tool.name,
        `has a handler of "${tool.name}" whose tool "${name}" is not approved at the MCP server "${server.name}": approve it first.`
      )
    else {
      bytes += bytesOf(modelTool(tool, usable))
      if (bytes <= maxSpecBytes) found.set(tool.name, usable)
      else
        missing.set(
          tool.name,
          `has too much to tell the model with "${tool.name}": ${maxSpecBytes} bytes as JSON are possible.`
        )
    }
  }
  return { tools: found, missing }
}

const none: FoundTools = { tools: new Map(), missing: new Map() }

/** Needs McpServers; the function it returns needs nothing, and asks the database only for agents with tools of MCP servers. */
export const makeForeignTools = Effect.map(
  McpServers,
  (servers) =>
    (organizationId: string, tools: ReadonlyArray<ToolDefinition>): Effect.Effect<FoundTools> =>
      tools.some(isMcp)
        ? Effect.map(servers.list(organizationId), (all) => foundTools(tools, all))
        : Effect.succeed(none)
)
