/** An assistant over HTTP+SSE, as small as it can be: the generator holds hundreds of them. */
import { type Agent, get, type IncomingMessage, request } from "node:http"

export interface McpAddress {
  readonly baseUrl: string
  readonly key: string
  readonly agent: Agent
}

const initialize = {
  protocolVersion: "2024-11-05",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" }
}

/** Posts JSON and gives the status and the body. */
export const post = (
  { baseUrl, key, agent }: McpAddress,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<{ readonly status: number; readonly text: string; readonly headers: IncomingMessage["headers"] }> =>
  new Promise((done, fail) => {
    const text = JSON.stringify(body)
    const sent = request(
      baseUrl + path,
      {
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
          ...headers
        }
      },
      (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (chunk: string) => {
          text += chunk
        })
        answer.on("end", () => done({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
        answer.on("error", fail)
      }
    )
    sent.on("error", fail)
    sent.end(text)
  })

/** A session with its stream open. */
export interface SseSession {
  /** Resolves with the result's text when the answer came over the stream; rejects when it is an error. */
  readonly ask: (method: string, params: unknown) => Promise<string>
  /** Posts a request, and waits for no answer. Gives the status. */
  readonly say: (method: string, params: unknown) => Promise<number>
  /** Reads nothing from now on. */
  readonly stall: () => void
  readonly close: () => void
}

export const openSse = async (address: McpAddress): Promise<SseSession> => {
  const waiting = new Map<number, { readonly done: (text: string) => void; readonly fail: (cause: Error) => void }>()
  let next = 1
  let heard = ""
  let opened: (messages: string) => void = () => undefined
  const messages = new Promise<string>((done) => {
    opened = done
  })
  const read = (event: string) => {
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? ""
    if (event.startsWith("event: endpoint")) return opened(data)
    if (!event.startsWith("event: message")) return
    const id = Number(/"id":(\d+)/.exec(data)?.[1])
    const asked = waiting.get(id)
    waiting.delete(id)
    if (/"error":\{|"isError":true/.test(data)) asked?.fail(new Error(data.slice(0, 200)))
    else asked?.done(data)
  }
  const stream = await new Promise<IncomingMessage>((done, fail) => {
    const sent = get(
      `${address.baseUrl}/api/mcp/sse`,
      { headers: { authorization: `Bearer ${address.key}`, accept: "text/event-stream" } },
      (answer) =>
        answer.statusCode === 200 ? done(answer) : fail(new Error(`the stream answers ${answer.statusCode}`))
    )
    sent.on("error", fail)
  })
  stream.setEncoding("utf8")
  stream.on("data", (chunk: string) => {
    heard += chunk
    const events = heard.split("\n\n")
    heard = events.pop() ?? ""
    for (const event of events) read(event)
  })
  const lost = () => {
    for (const { fail } of waiting.values()) fail(new Error("the stream ended"))
    waiting.clear()
  }
  stream.on("close", lost).on("error", lost)
  const path = await messages
  const say = async (method: string, params: unknown) =>
    (await post(address, path, { jsonrpc: "2.0", id: next++, method, params })).status
  const ask = (method: string, params: unknown) =>
    new Promise<string>((done, fail) => {
      const id = next++
      waiting.set(id, { done, fail })
      post(address, path, { jsonrpc: "2.0", id, method, params }).then(({ status, text }) => {
        if (status === 202) return
        waiting.delete(id)
        fail(new Error(`a post answered ${status}: ${text.slice(0, 200)}`))
      }, fail)
    })
  await ask("initialize", initialize)
  await post(address, path, { jsonrpc: "2.0", method: "notifications/initialized" })
  return { ask, say, stall: () => void stream.pause(), close: () => void stream.destroy() }
}
