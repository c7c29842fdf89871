/**
 * An external MCP server, made of the protocol's own library: `sessions` (Streamable HTTP up to 2025-11-25), `sse` (the event stream of 2024-11-05) or
 * `stateless` (2026-07-28). It is strict: the library refuses what the protocol does not allow.
 */
import { randomUUID } from "node:crypto"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { createMcpHandler, Server as StatelessServer } from "@modelcontextprotocol/server"
import { type Handler, listen, readBody, sendJson } from "../support/Loopback.ts"

export interface SimulatedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown }
  readonly run: (input: Readonly<Record<string, unknown>>) => CallToolResult | Promise<CallToolResult>
}

export interface McpServerOptions {
  readonly kind?: "sessions" | "sse" | "stateless"
  /** The Bearer token that every request must have; none by default. */
  readonly token?: string
  readonly tools: ReadonlyArray<SimulatedTool>
}

const info = { name: "simulated-server", version: "1.0.0" }
const capabilities = { tools: { listChanged: true } }

export const text = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })

export const start = async ({ kind = "sessions", token, tools: first }: McpServerOptions) => {
  let tools = first
  const called: Array<{ readonly name: string; readonly input: Readonly<Record<string, unknown>> }> = []
  const state = { token, sessions: 0 }

  const list = () => ({ tools: tools.map(({ run: _, ...tool }) => tool) })
  const call = async ({ params }: { params: { name: string; arguments?: Record<string, unknown> | undefined } }) => {
    const { name, arguments: input = {} } = params
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) return { ...text(`There is no tool ${name}.`), isError: true }
    called.push({ name, input })
    return tool.run(input)
  }

  /** Transports of the sessions, by their ids. */
  const sessions = new Map<
    string,
    { readonly server: Server; readonly transport: SSEServerTransport | StreamableHTTPServerTransport }
  >()
  const newServer = () => {
    const server = new Server(info, { capabilities })
    server.setRequestHandler(ListToolsRequestSchema, list)
    server.setRequestHandler(CallToolRequestSchema, call)
    return server
  }

  const streamable: Handler = async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]))?.transport
    if (known instanceof StreamableHTTPServerTransport) return known.handleRequest(request, response)
    if (request.headers["mcp-session-id"] !== undefined)
      return sendJson(response, 404, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32001, message: "Session not found" }
      })
    const server = newServer()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        state.sessions++
        sessions.set(id, { server, transport })
      },
      onsessionclosed: (id) => void sessions.delete(id)
    })
    await server.connect(transport as Parameters<Server["connect"]>[0])
    return transport.handleRequest(request, response)
  }

  const eventStream: Handler = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    if (request.method === "GET" && pathname === "/mcp") {
      const transport = new SSEServerTransport("/messages", response)
      const server = newServer()
      sessions.set(transport.sessionId, { server, transport })
      state.sessions++
      response.on("close", () => sessions.delete(transport.sessionId))
      return server.connect(transport)
    }
    const known = sessions.get(searchParams.get("sessionId") ?? "")?.transport
    if (request.method === "POST" && pathname === "/messages" && known instanceof SSEServerTransport)
      return known.handlePostMessage(request, response)
    sendJson(response, pathname === "/mcp" ? 405 : 404, { error: "Not here" })
  }

  const handler = createMcpHandler(
    () => {
      const server = new StatelessServer(info, { capabilities })
      server.setRequestHandler("tools/list", list)
      server.setRequestHandler("tools/call", call)
      return server
    },
    { legacy: "reject" }
  )
  const stateless: Handler = async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    const body = request.method === "POST" ? await readBody(request) : undefined
    const gone = new AbortController()
    response.on("close", () => gone.abort())
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? "/", "http://localhost"), {
        method: request.method ?? "GET",
        headers,
        signal: gone.signal,
        ...(body === undefined ? {} : { body })
      })
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk)
    response.end()
  }

  const serve = { sessions: streamable, sse: eventStream, stateless }[kind]
  const loopback = await listen((request, response) => {
    if (state.token !== undefined && request.headers.authorization !== `Bearer ${state.token}`) {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end()
      return Promise.resolve()
    }
    return serve(request, response)
  })

  return {
    url: `${loopback.url}/mcp`,
    /** Tools that were called, with their arguments. */
    called,
    state,
    /** How many sessions are open. */
    open: () => sessions.size,
    /** Offers other tools, and says so to everybody who is connected. */
    offer: async (next: ReadonlyArray<SimulatedTool>) => {
      tools = next
      handler.notify.toolsChanged()
      await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()))
    },
    /** Forgets all sessions, as after a restart. */
    forget: () => sessions.clear(),
    close: async () => {
      await handler.close()
      await loopback.close()
    }
  }
}
export type SimulatedMcp = Awaited<ReturnType<typeof start>>
