/** An OpenAI-compatible `/v1/chat/completions` that plays a script word by word, with the pace and the failures of a model. */
import type { ServerResponse } from "node:http"
import {
  delay,
  type HttpFaults,
  httpFaults,
  listen,
  onlyConnecting,
  readBody,
  sendJson,
  spoiled
} from "../support/Loopback.ts"
import { brokenRule, type ChatRequest } from "./Messages.ts"
import { reportOf } from "./Report.ts"
import { type Answer, respond, type Script } from "./Script.ts"
import { seen } from "./Sight.ts"

export interface LanguageModelOptions {
  readonly script?: Script
  /** Said when no rule matches. */
  readonly defaultReply?: string
  /** Answers requests to report a call; the script answers when it gives `undefined`. */
  readonly report?: (request: ChatRequest) => Answer | undefined
  /** Milliseconds from the request to the first word; 80 by default. */
  readonly firstTokenMs?: number
  /** Milliseconds between words; 5 by default. */
  readonly perTokenMs?: number
  /** Sent as `reasoning` deltas before the answer, as some models do. */
  readonly reasoning?: string
  /** When given, other models are refused with 404 `model_not_found`. */
  readonly models?: ReadonlyArray<string>
  /** The models that take pictures; none by default. */
  readonly pictureModels?: ReadonlyArray<string>
  /** When given, other keys are refused with 401. */
  readonly apiKey?: string
  readonly port?: number
}

export interface LanguageModelFaults extends HttpFaults {
  /** `code` of the errors made by `failNext`, e.g. `tool_use_failed`, `rate_limit_exceeded`. */
  code: string | null
  /** After this many words the stream: is cut (`drop`), goes quiet for ever (`stall`), or carries an error (`error`). */
  midStream: { after: number; how: "drop" | "stall" | "error" } | null
  /** Only answers of these models fail by `failNext`; null: all. */
  onlyModel: string | null
}

export interface LanguageModelSimulator {
  /** Base URL including `/v1`. */
  readonly url: string
  readonly port: number
  readonly faults: LanguageModelFaults
  /** The last 1,000 well-formed requests, oldest first. */
  readonly requests: Array<ChatRequest>
  /** `aborted`: streams whose reader went away before the end. `refused`: answered 4xx by the simulator's own checks. */
  readonly stats: { connections: number; requests: number; completed: number; aborted: number; refused: number }
  readonly close: () => Promise<void>
}

const errorBody = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code }
})

const deltasOf = (answer: Answer, callId: string): Array<object> => {
  const words = (text: string) => (text.match(/\s*\S+\s*/gu) ?? []).map((content) => ({ content }))
  if (answer._tag === "Reply") return words(answer.text)
  const half = Math.ceil(answer.arguments.length / 2)
  const part = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })
  return [
    ...words(answer.first ?? ""),
    { tool_calls: [{ index: 0, id: callId, type: "function", function: { name: answer.name, arguments: "" } }] },
    part(answer.arguments.slice(0, half)),
    part(answer.arguments.slice(half))
  ]
}

const completion = (id: string, model: string, answer: Answer, callId: string) => ({
  id,
  object: "chat.completion",
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [
    {
      index: 0,
      message:
        answer._tag === "Reply"
          ? { role: "assistant", content: answer.text }
          : {
              role: "assistant",
              content: answer.first ?? null,
              tool_calls: [
                { id: callId, type: "function", function: { name: answer.name, arguments: answer.arguments } }
              ]
            },
      finish_reason: answer._tag === "Reply" ? "stop" : "tool_calls"
    }
  ],
  usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
})

export const start = async (options: LanguageModelOptions = {}): Promise<LanguageModelSimulator> => {
  const faults: LanguageModelFaults = { ...httpFaults(), code: null, midStream: null, onlyModel: null }
  const stats = { connections: 0, requests: 0, completed: 0, aborted: 0, refused: 0 }
  const requests: Array<ChatRequest> = []
  const firstTokenMs = options.firstTokenMs ?? 80
  const perTokenMs = options.perTokenMs ?? 5

  const stream = async (response: ServerResponse, chat: ChatRequest, answer: Answer, id: string, callId: string) => {
    const created = Math.floor(Date.now() / 1000)
    const base = { id, object: "chat.completion.chunk", created, model: chat.model }
    const event = (body: object) => response.write(`data: ${JSON.stringify(body)}\n\n`)
    const chunk = (delta: object, finish: string | null = null) =>
      event({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" })
    response.flushHeaders()
    await delay(firstTokenMs)
    chunk({ role: "assistant", content: answer._tag === "Reply" ? "" : null })
    if (options.reasoning !== undefined) chunk({ reasoning: options.reasoning })
    for (const [index, delta] of deltasOf(answer, callId).entries()) {
      if (response.destroyed) return
      const fault = faults.midStream
      if (fault !== null && index >= fault.after) {
        if (fault.how === "drop") {
          // Destroying at once would also lose the words already written.
          await delay(20)
          response.destroy()
          return
        }
        if (fault.how === "stall") return
        event(errorBody("the model stopped", "server_error", "internal_error"))
        response.end()
        return
      }
      if (index > 0) await delay(perTokenMs)
      if (index % 16 === 15) response.write(": keep-alive\n\n")
      chunk(delta)
    }
    chunk({}, answer._tag === "Reply" ? "stop" : "tool_calls")
    if (chat.stream_options?.include_usage) {
      event({ ...base, choices: [], usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } })
    }
    if (response.destroyed) return
    stats.completed++
    response.end("data: [DONE]\n\n")
  }

  const server = await listen(async (request, response) => {
    if (onlyConnecting(request, response)) return
    const text = await readBody(request)
    stats.requests++
    response.once("close", () => {
      if (!response.writableFinished && response.headersSent) stats.aborted++
    })
    const refuse = (status: number, message: string, code: string | null) => {
      stats.refused++
      sendJson(response, status, errorBody(message, "invalid_request_error", code))
    }
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      return refuse(404, `Unknown request URL: ${request.method} ${request.url}`, "unknown_url")
    }
    const key = request.headers.authorization
    if (!key?.startsWith("Bearer ") || (options.apiKey !== undefined && key !== `Bearer ${options.apiKey}`)) {
      return refuse(401, "Invalid API Key", "invalid_api_key")
    }
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return refuse(400, "the body is not JSON", null)
    }
    const chat = await seen(json, (model) => options.pictureModels?.includes(model) === true)
    if (typeof chat === "string") return refuse(400, chat, null)
    const broken = brokenRule(chat.messages)
    if (broken !== undefined) return refuse(400, broken, null)
    if (chat.reasoning_effort !== undefined && !chat.model.includes("gpt-oss")) {
      return refuse(400, "`reasoning_effort` is not supported with this model", null)
    }
    if (options.models !== undefined && !options.models.includes(chat.model)) {
      return refuse(404, `The model \`${chat.model}\` does not exist`, "model_not_found")
    }
    requests.push(chat)
    if (requests.length > 1_000) requests.shift()
    const planned = faults.onlyModel === null || faults.onlyModel === chat.model
    if (
      planned &&
      (await spoiled(faults, response, (status) => errorBody(`planned failure ${status}`, "error", faults.code)))
    ) {
      return
    }
    const answer =
      (options.report ?? reportOf)(chat) ??
      respond(options.script ?? [], options.defaultReply ?? "I see. What else can I do for you?", chat)
    const id = `chatcmpl-${stats.requests}`
    const callId = `call_${stats.requests}`
    if (chat.stream) return stream(response, chat, answer, id, callId)
    await delay(firstTokenMs)
    stats.completed++
    sendJson(response, 200, completion(id, chat.model, answer, callId))
  }, options.port)
  server.server.on("connection", () => stats.connections++)
  return { url: `${server.url}/v1`, port: server.port, faults, requests, stats, close: server.close }
}
