/**
 * Runs a tool of an MCP server for an agent. It never fails: an error is an answer for the model. What was approved decides, also in calls that began
 * before the server changed.
 */
import { Effect } from "effect"
import { McpClient } from "./McpClient.ts"
import { McpServers } from "./McpServer.ts"
import { mcpParameters } from "./McpTool.ts"
import type { ToolHandler } from "./Tool.ts"
import { type Arguments, parseArguments } from "./ToolArguments.ts"
import { type ToolAnswer, toolFailed } from "./ToolRunner.ts"

/** Needs its ports; the function it returns needs nothing. */
export const makeRunMcpTool = Effect.gen(function* () {
  const servers = yield* McpServers
  const client = yield* McpClient
  return Effect.fnUntraced(function* (
    organizationId: string,
    { serverId, tool: name }: Extract<ToolHandler, { readonly type: "mcp" }>,
    input: Arguments
  ): Effect.fn.Return<ToolAnswer> {
    const server = yield* servers.find(organizationId, serverId)
    if (server === undefined) return toolFailed("The server of this tool was removed.")
    const approved = server.approved.find((tool) => tool.name === name)
    if (approved === undefined) return toolFailed("This tool is no longer approved.")
    const parsed = parseArguments({ parameters: mcpParameters(approved) }, JSON.stringify(input))
    return parsed._tag === "Invalid" ? toolFailed(parsed.problem) : yield* client.call(server, name, parsed.value)
  })
})
