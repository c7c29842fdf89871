/** An MCP server that breaks the protocol on demand. It is written by hand, because the protocol's library would not let it. */
import type { ServerResponse } from "node:http"
import { type Handler, listen, readBody, sendJson } from "../support/Loopback.ts"

/** What goes wrong; `none`: nothing. Faults of calls leave the handshake and the list as they are. */
export type Fault =
  | "none"
  | "hangs"
  | "not_mcp"
  | "redirects"
  | "refuses"
  | "bad_list"
  | "endless_list"
  | "huge_list"
  | "call_hangs"
  | "call_streams"
  | "call_floods"
  | "call_has_wrong_id"
  | "call_is_huge"
  | "call_breaks_off"
  | "call_is_no_json"
  | "call_is_no_result"

const tool = { name: "look_up", description: "Looks something up.", inputSchema: { type: "object", properties: {} } }

interface Message {
  readonly id?: number | string
  readonly method?: string
}

const page = (cursor: string) => ({ tools: [{ ...tool, name: `tool_${cursor}` }], nextCursor: `${cursor}x` })

const lists: Partial<Record<Fault, () => unknown>> = {
  bad_list: () => ({ tools: [{ ...tool, inputSchema: "a schema that is none" }] }),
  endless_list: () => page(String(Math.random())),
  huge_list: () => ({
    tools: Array.from({ length: 5_000 }, (_, n) => ({ ...tool, name: `tool_${n}`, description: "x".repeat(1_000) }))
  })
}

/** Writes events until the client goes away. */
const streamFor = (response: ServerResponse, event: string, everyMs: number) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const timer = setInterval(() => response.write(event), everyMs)
  response.on("close", () => clearInterval(timer))
}

const progress = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data: "…" }
})

const calls: Partial<Record<Fault, (response: ServerResponse, id: Message["id"]) => void>> = {
  call_hangs: () => undefined,
  call_streams: (response) => streamFor(response, `event: message\ndata: ${progress}\n\n`, 10),
  call_floods: (response) => streamFor(response, "x".repeat(256 * 1_024), 1),
  call_has_wrong_id: (response) =>
    sendJson(response, 200, {
      jsonrpc: "2.0",
      id: 999_999,
      result: { content: [{ type: "text", text: "of another" }] }
    }),
  call_is_huge: (response, id) =>
    sendJson(response, 200, { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "é".repeat(300_000) }] } }),
  call_breaks_off: (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
    response.write('{"jsonrpc":"2.0"')
    setTimeout(() => response.destroy(), 20)
  },
  call_is_no_json: (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("<html>")
  },
  call_is_no_result: (response, id) => sendJson(response, 200, { jsonrpc: "2.0", id, result: { content: "text" } })
}

export const start = async () => {
  const state = { fault: "none" as Fault, calls: 0, redirect: "http://127.0.0.1:9/mcp", open: 0 }

  const answer = (response: ServerResponse, { id, method }: Message) => {
    const reply = (result: unknown) => sendJson(response, 200, { jsonrpc: "2.0", id, result })
    switch (method) {
      case "initialize":
        return reply({
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "faulty", version: "1" }
        })
      case "tools/list":
        return reply(lists[state.fault]?.() ?? { tools: [tool] })
      case "tools/call": {
        state.calls++
        const wrong = calls[state.fault]
        return wrong === undefined ? reply({ content: [{ type: "text", text: "found" }] }) : wrong(response, id)
      }
      default:
        return sendJson(response, 200, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })
    }
  }

  const handle: Handler = async (request, response) => {
    state.open++
    response.on("close", () => state.open--)
    if (request.method !== "POST") return sendJson(response, 405, { error: "Method not allowed" })
    const message = JSON.parse(await readBody(request)) as Message
    switch (state.fault) {
      case "hangs":
        return
      case "not_mcp":
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>")
        return
      case "redirects":
        response.writeHead(307, { location: state.redirect }).end()
        return
      case "refuses":
        response.writeHead(401).end()
        return
      default:
        if (message.id === undefined) response.writeHead(202).end()
        else answer(response, message)
    }
  }

  const loopback = await listen(handle)
  return { url: `${loopback.url}/mcp`, state, close: loopback.close }
}
