/** An OpenAI-compatible `/v1/embeddings`, as strict as the hosted one about keys, models, inputs and dimensions. */
import { z } from "zod"
import {
  type HttpFaults,
  httpFaults,
  listen,
  onlyConnecting,
  readBody,
  sendJson,
  spoiled
} from "../support/Loopback.ts"
import { vectorOf } from "./Meanings.ts"

export interface EmbeddingsOptions {
  /** When given, other keys are refused with 401. */
  readonly apiKey?: string
  readonly port?: number
}

export interface EmbeddingsFaults extends HttpFaults {
  /** Answers 200 with one vector too few. */
  short: boolean
  /** Answers with numbers although base64 was asked for, as some servers do. */
  numbers: boolean
}

export interface EmbeddingsSimulator {
  /** Base URL including `/v1`. */
  readonly url: string
  readonly port: number
  readonly faults: EmbeddingsFaults
  /** The last 10,000 texts, oldest first. */
  readonly texts: Array<string>
  readonly stats: { requests: number; tokens: number }
  readonly close: () => Promise<void>
}

/** A model that it has. */
export const simulatedModel = "text-embedding-3-small"

/** The models, with their dimensions. */
const models: Readonly<Record<string, number>> = { [simulatedModel]: 1_536, "text-embedding-3-large": 3_072 }

const mostTokens = 8_192
const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

const Request = z.strictObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2_048)]),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.int().min(1).optional(),
  user: z.string().optional()
})

const problem = (message: string, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param: null, code }
})

export const start = async (options: EmbeddingsOptions = {}): Promise<EmbeddingsSimulator> => {
  const faults: EmbeddingsFaults = { ...httpFaults(), short: false, numbers: false }
  const texts: Array<string> = []
  const stats = { requests: 0, tokens: 0 }

  const parsed = (body: string): z.infer<typeof Request> | undefined => {
    try {
      return Request.safeParse(JSON.parse(body)).data
    } catch {
      // Text that is no JSON is no request.
      return undefined
    }
  }

  const server = await listen(async (request, response) => {
    if (onlyConnecting(request, response)) return
    const body = await readBody(request)
    if (request.method !== "POST" || request.url !== "/v1/embeddings")
      return sendJson(response, 404, problem(`Invalid URL (${request.method} ${request.url})`))
    stats.requests++
    const planned = (status: number) => ({ error: { message: `planned failure ${status}`, type: "server_error" } })
    if (await spoiled(faults, response, planned)) return
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`)
      return sendJson(response, 401, problem("Incorrect API key provided", "invalid_api_key"))
    if (!request.headers["content-type"]?.startsWith("application/json"))
      return sendJson(response, 400, problem("We could not parse the JSON body of your request."))
    const asked = parsed(body)
    if (asked === undefined) return sendJson(response, 400, problem("'$.input' is invalid."))
    const own = models[asked.model]
    if (own === undefined)
      return sendJson(response, 404, problem(`The model \`${asked.model}\` does not exist`, "model_not_found"))
    const { dimensions = own } = asked
    if (dimensions > own)
      return sendJson(response, 400, problem(`Invalid value for 'dimensions' = ${dimensions}. Must be <= ${own}.`))
    const inputs = typeof asked.input === "string" ? [asked.input] : asked.input
    if (inputs.some((text) => tokensOf(text) > mostTokens))
      return sendJson(response, 400, problem(`This model's maximum context length is ${mostTokens} tokens`))
    const tokens = inputs.reduce((sum, text) => sum + tokensOf(text), 0)
    stats.tokens += tokens
    texts.push(...inputs)
    texts.splice(0, texts.length - 10_000)
    const data = inputs.slice(faults.short ? 1 : 0).map((text, index) => {
      const vector = vectorOf(text, dimensions)
      const embedding =
        asked.encoding_format === "base64" && !faults.numbers
          ? Buffer.from(vector.buffer).toString("base64")
          : [...vector]
      return { object: "embedding", index, embedding }
    })
    const usage = { prompt_tokens: tokens, total_tokens: tokens }
    sendJson(response, 200, { object: "list", data, model: asked.model, usage })
  }, options.port)
  return { url: `${server.url}/v1`, port: server.port, faults, texts, stats, close: server.close }
}
