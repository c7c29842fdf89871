/** An OpenAI-compatible `/v1/moderations` that flags texts containing given words. */
import { z } from "zod"
import { look } from "../support/Look.ts"
import {
  type HttpFaults,
  httpFaults,
  listen,
  onlyConnecting,
  readBody,
  sendJson,
  spoiled
} from "../support/Loopback.ts"

export const categories = [
  "harassment",
  "harassment/threatening",
  "hate",
  "hate/threatening",
  "illicit",
  "illicit/violent",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic"
] as const
export type Category = (typeof categories)[number]

export interface ModerationOptions {
  /** Words or phrases to flag: whole words, in any case. A list means `violence`; a record gives the category of each. */
  readonly flagWords?: ReadonlyArray<string> | Readonly<Record<string, Category>>
  /** Refuses pictures, as filters do that judge texts only. Otherwise a picture is judged as its words: "a red picture". */
  readonly textsOnly?: boolean
  /** When given, other keys are refused with 401. */
  readonly apiKey?: string
  readonly port?: number
}

export interface ModerationFaults extends HttpFaults {
  /** Answers 200 with something that is not a moderation result. */
  malformed: boolean
}

export interface ModerationSimulator {
  /** Base URL including `/v1`. */
  readonly url: string
  readonly port: number
  readonly faults: ModerationFaults
  /** The last 1,000 texts that were judged, oldest first. */
  readonly texts: Array<string>
  readonly stats: { connections: number; requests: number; flagged: number }
  readonly close: () => Promise<void>
}

const Picture = z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) })
const Request = z.object({
  model: z.string().optional(),
  input: z.union([z.string(), z.array(z.string()), z.array(Picture).length(1)])
})

const errorBody = (status: number) => ({
  error: { message: `planned failure ${status}`, type: "server_error", code: null, param: null }
})

const normalise = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ")} `

export const start = async (options: ModerationOptions = {}): Promise<ModerationSimulator> => {
  const faults: ModerationFaults = { ...httpFaults(), malformed: false }
  const stats = { connections: 0, requests: 0, flagged: 0 }
  const texts: Array<string> = []
  const words = Array.isArray(options.flagWords)
    ? options.flagWords.map((word): [string, Category] => [word, "violence"])
    : (Object.entries(options.flagWords ?? {}) as Array<[string, Category]>)

  const judge = (text: string) => {
    texts.push(text)
    if (texts.length > 1_000) texts.shift()
    const padded = normalise(text)
    const hit = new Set(words.filter(([word]) => padded.includes(normalise(word))).map(([, category]) => category))
    if (hit.size > 0) stats.flagged++
    return {
      flagged: hit.size > 0,
      categories: Object.fromEntries(categories.map((name) => [name, hit.has(name)])),
      category_scores: Object.fromEntries(categories.map((name) => [name, hit.has(name) ? 0.98 : 0.001])),
      category_applied_input_types: Object.fromEntries(categories.map((name) => [name, ["text"]]))
    }
  }

  const server = await listen(async (request, response) => {
    if (onlyConnecting(request, response)) return
    const body = await readBody(request)
    if (request.method !== "POST" || request.url !== "/v1/moderations") {
      return sendJson(response, 404, { error: { message: `Unknown request URL: ${request.url}`, type: "not_found" } })
    }
    stats.requests++
    if (await spoiled(faults, response, errorBody)) return
    const key = request.headers.authorization
    if (!key?.startsWith("Bearer ") || (options.apiKey !== undefined && key !== `Bearer ${options.apiKey}`)) {
      return sendJson(response, 401, {
        error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" }
      })
    }
    if (faults.malformed) return sendJson(response, 200, { id: "modr-1", results: [{ flagged: "perhaps" }] })
    let json: unknown
    try {
      json = JSON.parse(body)
    } catch {
      // Reported below: text that is no JSON is no request.
    }
    const parsed = Request.safeParse(json)
    if (!parsed.success) {
      return sendJson(response, 400, {
        error: { message: "Invalid request: `input` is missing or not text", type: "invalid_request_error" }
      })
    }
    const inputs: Array<string> = []
    for (const input of typeof parsed.data.input === "string" ? [parsed.data.input] : parsed.data.input) {
      const sight = typeof input === "string" ? undefined : await look(input.image_url.url)
      if (typeof input !== "string" && (options.textsOnly === true || sight === undefined))
        return sendJson(response, 400, {
          error: { message: "Invalid request: the image cannot be judged", type: "invalid_request_error" }
        })
      inputs.push(typeof input === "string" ? input : `a ${sight?.colour} picture`)
    }
    sendJson(response, 200, {
      id: `modr-${stats.requests}`,
      model: parsed.data.model ?? "omni-moderation-latest",
      results: inputs.map(judge)
    })
  }, options.port)
  server.server.on("connection", () => stats.connections++)
  return { url: `${server.url}/v1`, port: server.port, faults, texts, stats, close: server.close }
}
