/** For tests whose agents have no tools of MCP servers. */
import { Layer } from "effect"
import { McpClient } from "../../src/domain/ai/tools/McpClient.ts"
import { McpServers } from "../../src/domain/ai/tools/McpServer.ts"

export const noMcp = Layer.merge(Layer.mock(McpServers, {}), Layer.mock(McpClient, { refusal: () => undefined }))
