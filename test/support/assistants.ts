/** Clients of the MCP server: the SDKs' own, over each transport. */

import * as Second from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect } from "effect"
import { root } from "./imports.ts"

export const mcpTransports = ["http 2025", "http 2026", "sse", "stdio"] as const
export type McpTransport = (typeof mcpTransports)[number]

export const testClient = { name: "test-assistant", version: "1.2.3" }

type Params = Record<string, unknown>

/** What the tests use of a client, whichever SDK it is of. */
export interface McpClient {
  readonly ask: (method: string, params?: Params) => Promise<Params>
  readonly call: (name: string, args?: Params) => Promise<Params>
  readonly close: () => Promise<void>
  readonly closed: Promise<void>
}

const first = (transport: Transport): Effect.Effect<McpClient, Error> =>
  Effect.tryPromise({
    try: async () => {
      const client = new Client(testClient)
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve
      })
      await client.connect(transport)
      const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js")
      const ask = (method: string, params: Params = {}) =>
        client.request({ method, params }, ResultSchema.loose()) as Promise<Params>
      return {
        ask,
        call: (name: string, args: Params = {}) => ask("tools/call", { name, arguments: args }),
        close: () => client.close(),
        closed
      }
    },
    catch: (cause) => cause as Error
  })

const second = (url: URL, headers: Record<string, string>): Effect.Effect<McpClient, Error> =>
  Effect.tryPromise({
    try: async () => {
      const client = new Second.Client(testClient, { versionNegotiation: { mode: "auto" } })
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve
      })
      await client.connect(new Second.StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      const known: Record<string, (params: Params) => Promise<unknown>> = {
        "tools/list": () => client.listTools(),
        "tools/call": (params) => client.callTool(params as never),
        "resources/list": () => client.listResources(),
        "resources/templates/list": () => client.listResourceTemplates(),
        "resources/read": (params) => client.readResource(params as never),
        "prompts/list": () => client.listPrompts(),
        "prompts/get": (params) => client.getPrompt(params as never),
        "completion/complete": (params) => client.complete(params as never)
      }
      const ask = async (method: string, params: Params = {}) => {
        const { _meta, resultType, ttlMs, cacheScope, ...result } = (await known[method](params)) as Params
        return result
      }
      return {
        ask,
        call: (name: string, args: Params = {}) => ask("tools/call", { name, arguments: args }),
        close: () => client.close(),
        closed
      }
    },
    catch: (cause) => cause as Error
  })

export interface McpAddress {
  readonly base: string
  readonly key: string
  /** Of the address, e.g. `?readonly=1`. */
  readonly query?: string
}

const connected = (transport: McpTransport, { base, key, query = "" }: McpAddress) => {
  const headers = { authorization: `Bearer ${key}` }
  const requestInit = { headers }
  switch (transport) {
    case "http 2025":
      return first(new StreamableHTTPClientTransport(new URL(`${base}/api/mcp${query}`), { requestInit }) as Transport)
    case "http 2026":
      return second(new URL(`${base}/api/mcp${query}`), headers)
    case "sse":
      return first(new SSEClientTransport(new URL(`${base}/api/mcp/sse${query}`), { requestInit }))
    case "stdio":
      return first(
        new StdioClientTransport({
          command: process.execPath,
          args: ["src/main.ts", "mcp", "--url", base],
          cwd: root,
          env: { ...process.env, PARLEY_API_KEY: key } as Record<string, string>
        })
      )
  }
}

/** A client that is connected, until the scope ends. */
export const mcpClient = (transport: McpTransport, address: McpAddress) =>
  Effect.acquireRelease(connected(transport, address), (client) => Effect.promise(() => client.close()))
