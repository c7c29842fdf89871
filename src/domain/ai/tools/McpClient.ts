/** Port: speaks with external MCP servers. Connections are kept and found by the server's id and revision. */
import { Context, type Effect, Schema } from "effect"
import type { McpServer } from "./McpServer.ts"
import type { McpTool } from "./McpTool.ts"
import type { Arguments } from "./ToolArguments.ts"
import type { ToolAnswer } from "./ToolRunner.ts"

/** The server cannot be asked. `message` is a sentence. */
export class McpUnreachable extends Schema.TaggedError<McpUnreachable>()("McpUnreachable", {
  message: Schema.String,
  /** It refuses our token, or there is none. */
  unauthorized: Schema.Boolean
}) {}

/** The most bytes of a tool's answer that the model is told. */
export const mostMcpResultBytes = 32_768

export class McpClient extends Context.Service<
  McpClient,
  {
    /** Why a server cannot have this URL, as the end of a sentence about it; `undefined` when it can. */
    readonly refusal: (url: string) => string | undefined
    /** Connects anew, and gives what the server offers. */
    readonly test: (
      server: McpServer
    ) => Effect.Effect<
      { readonly transport: McpServer["transport"]; readonly offered: ReadonlyArray<McpTool> },
      McpUnreachable
    >
    /** Runs a tool. It never fails: an error is an answer. Interrupting the effect cancels the request. */
    readonly call: (server: McpServer, tool: string, input: Arguments) => Effect.Effect<ToolAnswer>
    /** Connects in the background to the servers that are not connected, because a call begins that may need them. */
    readonly warm: (organizationId: string, serverIds: ReadonlyArray<string>) => Effect.Effect<void>
    /** Ends the connection: the server was removed or changed. */
    readonly forget: (serverId: string) => Effect.Effect<void>
  }
>()("parley/domain/McpClient") {}
