/**
 * Sarvam's speech-to-text on loopback: the socket, and the interface for recordings. The transcript comes from the received audio only: it recognises the utterances that it was taught
 * (`bank`, `learn`).
 */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import { delay, listen, sendJson } from "../support/Loopback.ts"
import type { Spoken } from "../voice/Voice.ts"
import { Bank } from "./Bank.ts"
import type { SpeechToTextFaults } from "./Faults.ts"
import { errorBody, parameterError } from "./Protocol.ts"
import { transcribeRecording } from "./Recordings.ts"
import { serve } from "./Session.ts"
import type { SpeechToTextStats } from "./Stats.ts"

export interface SpeechToTextOptions {
  /** Utterances the recogniser knows. A `Bank` may be shared between simulators. */
  readonly bank?: Bank | Iterable<Spoken>
  /** When given, other keys are refused with 403. */
  readonly apiKey?: string
  /** Silence after speech that causes a transcript without a flush. Default 600 ms. */
  readonly trailingSilenceMs?: number
  /** Streams without a message for this long are closed. Default 60 s. */
  readonly idleMs?: number
  /** Called for every transcript when it is sent. `clockMs`: monotonic milliseconds. */
  readonly onTranscript?: (text: string, clockMs: number) => void
  readonly port?: number
}

export interface SpeechToTextSimulator {
  readonly url: string
  /** The base URL for the adapter, without the path. */
  readonly wsUrl: string
  readonly port: number
  readonly bank: Bank
  /** Teaches the recogniser an utterance. */
  readonly learn: (spoken: Spoken) => void
  readonly faults: SpeechToTextFaults
  readonly stats: SpeechToTextStats
  readonly close: () => Promise<void>
}

const refuse = (socket: Duplex, status: number, message: string, code: string) => {
  const body = errorBody(message, code)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** Starts the simulator on 127.0.0.1, on a free port unless one is given. */
export const start = async (options: SpeechToTextOptions = {}): Promise<SpeechToTextSimulator> => {
  const bank = options.bank instanceof Bank ? options.bank : new Bank(options.bank)
  const sockets = new Set<WebSocket>()
  const waiting = new Set<Duplex>()
  const stats: SpeechToTextStats = {
    connections: 0,
    open: 0,
    refused: 0,
    messages: 0,
    audioSamples: 0,
    flushes: 0,
    recordings: 0,
    slowestMs: 0,
    transcripts: []
  }
  const faults: SpeechToTextFaults = {
    latencyMs: 30,
    failNext: 0,
    failRecordings: 0,
    status: 503,
    hang: false,
    unsignalled: false,
    silent: false,
    garbage: null,
    errorNext: 0,
    dropSockets: () => {
      for (const socket of sockets) socket.terminate()
    },
    pauseReading: (paused) => {
      for (const socket of sockets) paused ? socket.pause() : socket.resume()
    }
  }
  const loopback = await listen(async (request, response) => {
    if (request.method !== "POST" || request.url !== "/speech-to-text")
      return sendJson(response, 404, { error: { message: "Not found", code: "not_found_error" } })
    if (faults.hang) return
    const key = request.headers["api-subscription-key"]
    if (!key || (options.apiKey !== undefined && key !== options.apiKey))
      return sendJson(response, 403, {
        error: { message: "Invalid or missing API key", code: "invalid_api_key_error" }
      })
    if (faults.failRecordings > 0) {
      faults.failRecordings--
      if (faults.status === 0) return void response.destroy()
      return sendJson(response, faults.status, { error: { message: "Planned", code: "internal_server_error" } })
    }
    await delay(faults.latencyMs)
    await transcribeRecording(request, response, bank, stats)
  }, options.port)
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })

  const refusal = (request: IncomingMessage, url: URL): readonly [number, string, string] | undefined => {
    const key = request.headers["api-subscription-key"]
    if (url.pathname !== "/speech-to-text/ws") return [404, "Not found", "not_found_error"]
    if (!key || (options.apiKey !== undefined && key !== options.apiKey)) {
      return [403, "Invalid or missing API key", "invalid_api_key_error"]
    }
    const wrong = parameterError(url.searchParams)
    return wrong === undefined ? undefined : [400, wrong, "invalid_request_error"]
  }

  loopback.server.on("upgrade", (request, socket, head) => {
    const url = new URL(request.url ?? "/", "http://loopback")
    socket.on("error", () => socket.destroy())
    waiting.add(socket)
    socket.once("close", () => waiting.delete(socket))
    if (faults.hang) return
    if (faults.failNext > 0) {
      faults.failNext--
      stats.refused++
      return faults.status === 0 ? socket.destroy() : refuse(socket, faults.status, "Planned", "internal_server_error")
    }
    const no = refusal(request, url)
    if (no) {
      stats.refused++
      return refuse(socket, ...no)
    }
    server.handleUpgrade(request, socket, head, (client) => {
      stats.connections++
      stats.open++
      sockets.add(client)
      client.once("close", () => {
        sockets.delete(client)
        stats.open--
      })
      serve({
        socket: client,
        bank,
        faults,
        stats,
        language: url.searchParams.get("language-code") ?? "unknown",
        signals: url.searchParams.get("vad_signals") === "true",
        flushes: url.searchParams.get("flush_signal") === "true",
        trailingSilenceMs: options.trailingSilenceMs ?? 600,
        idleMs: options.idleMs ?? 60_000,
        onTranscript: options.onTranscript
      })
    })
  })

  const close = async () => {
    faults.dropSockets()
    for (const socket of waiting) socket.destroy()
    await loopback.close()
  }
  return {
    url: loopback.url,
    wsUrl: loopback.url.replace("http", "ws"),
    port: loopback.port,
    bank,
    learn: (spoken) => bank.learn(spoken),
    faults,
    stats,
    close
  }
}
