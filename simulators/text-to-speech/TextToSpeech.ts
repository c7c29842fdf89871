/**
 * Three text-to-speech providers on one loopback port, each with its own paths and protocol. The audio is real speech, mu-law 8 kHz. A log keeps the
 * synthesized audio, so that a test can compare it with what a caller heard.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { encode } from "../../src/audio/frames/Mulaw.ts"
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
import { speak } from "../voice/Voice.ts"
import { wavHeader } from "../voice/WavHeader.ts"
import { deepgramDialect } from "./DeepgramDialect.ts"
import { type Dialect, isRefusal, type Order, type Provider, variantOf } from "./Dialects.ts"
import { elevenLabsDialect } from "./ElevenLabsDialect.ts"
import { sarvamDialect } from "./SarvamDialect.ts"

export interface TextToSpeechOptions {
  /** When given, other keys are refused in each provider's form. A request without a key is always refused. */
  readonly apiKey?: string
  /** Time from the request to the first byte, when the speech is in the cache. Default 60 ms. */
  readonly firstByteMs?: number
  /** How many times faster than real time the audio comes. Default 20. */
  readonly speed?: number
  readonly port?: number
}

/** `json_as_audio`: an error whose content type is that of audio. `header`: a WAV header, and nothing after it. */
export type BodyWithoutSpeech = "nothing" | "json" | "json_as_audio" | "page" | "header"

/** Change the fields at any time. */
export interface TextToSpeechFaults extends HttpFaults {
  /** Bytes of audio after which the response goes quiet for ever; null: never. */
  stallAfterBytes: number | null
  /** Bytes of audio after which the connection is cut; null: never. */
  dropAfterBytes: number | null
  /** Puts a WAV header before the audio, which no client asked for. */
  wavHeader: boolean
  /** How many of the next answers have status 200 and no speech in their body, but `body`. */
  withoutSpeechNext: number
  body: BodyWithoutSpeech
  /** Refuses `bulbul:v2` as the live provider does. */
  bulbulV2Deprecated: boolean
}

export interface Synthesized {
  readonly provider: Provider
  readonly text: string
  readonly voice: string
  readonly language: string
  /** All of the audio, whether or not it was sent. */
  readonly mulaw: Uint8Array
  /** How much of it has been sent. */
  sentBytes: number
  outcome: "sending" | "sent" | "aborted"
}

export interface TextToSpeechSimulator {
  /** Base URL of all three providers. */
  readonly url: string
  readonly wsUrl: string
  readonly port: number
  readonly faults: TextToSpeechFaults
  /** The last 1,000 requests that were spoken, oldest first. */
  readonly synthesized: Array<Synthesized>
  readonly stats: { connections: number; requests: number; completed: number; aborted: number; refused: number }
  readonly close: () => Promise<void>
}

const rememberedRequests = 1_000
const chunkBytes = 1_600

const parse = (text: string): Record<string, unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Resolves when the reader has room again, or is gone. */
const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once("drain", resolve).once("close", resolve)
  })

/** Starts the simulator on 127.0.0.1, on a free port unless one is given. */
export const start = async (options: TextToSpeechOptions = {}): Promise<TextToSpeechSimulator> => {
  const faults: TextToSpeechFaults = {
    ...httpFaults(),
    stallAfterBytes: null,
    dropAfterBytes: null,
    wavHeader: false,
    withoutSpeechNext: 0,
    body: "nothing",
    bulbulV2Deprecated: false
  }
  const stats = { connections: 0, requests: 0, completed: 0, aborted: 0, refused: 0 }
  const synthesized: Array<Synthesized> = []
  const dialects = [sarvamDialect(() => faults.bulbulV2Deprecated), deepgramDialect, elevenLabsDialect]
  const chunkMs = chunkBytes / 8 / (options.speed ?? 20)

  const sendWithoutSpeech = (response: ServerResponse, { contentType }: Order) => {
    const error = JSON.stringify({ error: { message: "Planned failure" } })
    const bodies: Record<BodyWithoutSpeech, readonly [string, string | Uint8Array]> = {
      nothing: [contentType, ""],
      json: ["application/json", error],
      json_as_audio: [contentType, ` ${error}`],
      page: ["text/html", "<!doctype html><title>Planned failure</title>"],
      header: [contentType, wavHeader("mulaw", 0)]
    }
    const [type, body] = bodies[faults.body]
    response.writeHead(200, { "content-type": type })
    // In two pieces, since a reader may not judge by the first one alone.
    if (body.length > 1) response.write(body.slice(0, 1))
    setTimeout(() => response.end(body.slice(1)), 5)
  }

  const send = async (response: ServerResponse, order: Order, entry: Synthesized) => {
    response.writeHead(200, { "content-type": order.contentType, "x-request-id": `simulated-${stats.requests}` })
    if (faults.wavHeader) response.write(wavHeader("mulaw", entry.mulaw.length))
    for (let at = 0; at < entry.mulaw.length && !response.destroyed; at += chunkBytes) {
      const end = Math.min(
        at + chunkBytes,
        faults.dropAfterBytes ?? at + chunkBytes,
        faults.stallAfterBytes ?? at + chunkBytes
      )
      const chunk = entry.mulaw.subarray(at, Math.max(at, end))
      entry.sentBytes += chunk.length
      if (chunk.length > 0 && !response.write(chunk)) await drained(response)
      if (entry.sentBytes >= (faults.dropAfterBytes ?? Number.POSITIVE_INFINITY)) return response.destroy()
      if (entry.sentBytes >= (faults.stallAfterBytes ?? Number.POSITIVE_INFINITY)) return
      if (at + chunkBytes < entry.mulaw.length) await delay(chunkMs)
    }
    if (response.destroyed) return
    entry.outcome = "sent"
    stats.completed++
    response.end()
  }

  const serve = async (dialect: Dialect, request: IncomingMessage, response: ServerResponse, url: URL) => {
    const arrived = performance.now()
    const refuse = (status: number, body: unknown) => {
      stats.refused++
      sendJson(response, status, body)
    }
    const body = parse(await readBody(request))
    const key = dialect.key(request)
    if (!key || (options.apiKey !== undefined && key !== options.apiKey)) {
      return refuse(dialect.badKey.status, dialect.badKey.body)
    }
    if (await spoiled(faults, response, dialect.failure)) return
    const order = dialect.read(url, body ?? {})
    if (isRefusal(order)) return refuse(order.status, order.body)
    if (faults.withoutSpeechNext > 0) {
      faults.withoutSpeechNext--
      return sendWithoutSpeech(response, order)
    }
    const spoken = await speak(order.text, order.language, { voice: variantOf(order.voice) })
    const entry: Synthesized = {
      provider: dialect.provider,
      text: order.text,
      voice: order.voice,
      language: order.language,
      mulaw: encode(spoken.samples),
      sentBytes: 0,
      outcome: "sending"
    }
    synthesized.push(entry)
    if (synthesized.length > rememberedRequests) synthesized.shift()
    const abandoned = () => {
      if (entry.outcome !== "sending") return
      entry.outcome = "aborted"
      stats.aborted++
    }
    if (response.destroyed) return abandoned()
    response.once("close", abandoned)
    await delay(Math.max(0, (options.firstByteMs ?? 60) - (performance.now() - arrived)))
    await send(response, order, entry)
  }

  const loopback = await listen(async (request, response) => {
    if (onlyConnecting(request, response)) return
    stats.requests++
    const url = new URL(request.url ?? "/", "http://loopback")
    const dialect = dialects.find((it) => it.matches(url.pathname))
    if (dialect && request.method === "POST") return serve(dialect, request, response, url)
    stats.refused++
    sendJson(response, 404, { error: { message: "Not found", code: "not_found_error" } })
  }, options.port)
  loopback.server.on("connection", () => stats.connections++)
  return {
    url: loopback.url,
    wsUrl: loopback.url.replace("http", "ws"),
    port: loopback.port,
    faults,
    synthesized,
    stats,
    close: loopback.close
  }
}
