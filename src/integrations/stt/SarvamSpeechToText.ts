/**
 * Speech-to-text by Sarvam AI over its WebSocket. The provider has no partial results: it sends one transcript when it hears the end of speech or
 * when it is flushed. Transcripts arrive in the order of the speech. A lost socket fails `transcripts`. This file does not open a new socket or
 * replay audio: its caller does.
 */

import { Cause, Effect, Layer, Queue, Redacted, Stream } from "effect"
import { WebSocket } from "ws"
import {
  longestBurstMs,
  type SpeechError,
  SpeechToText,
  type Transcript,
  type TranscriptionOptions
} from "../../domain/ai/providers/Speech.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { type CircuitPolicy, makeCircuit } from "../resilience/Circuit.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { AnswerTimes } from "./AnswerTimes.ts"
import { makeAudioBatcher, messageBytes } from "./AudioBatcher.ts"
import { makeFlushGuard } from "./FlushGuard.ts"
import { parseSarvamMessage } from "./SarvamMessage.ts"
import { connect, sarvamError } from "./SarvamSocket.ts"

export interface SarvamSpeechToTextOptions {
  /** WebSocket base, e.g. `wss://api.sarvam.ai`; `http(s)` is taken as `ws(s)`. */
  readonly baseUrl: string
  readonly key: Redacted.Redacted<string> | undefined
  /** Locked model name → the provider's current name, e.g. `{ "saarika:v2.5": "saaras:v3" }`. */
  readonly models?: Readonly<Record<string, string>>
  readonly connectTimeoutMs?: number
  /** Longest time from a flush to the transcript of speech that the provider has heard; then the stream fails. Default 4 s. */
  readonly overdueMs?: number
  /** Audio beyond this much waiting in the socket is dropped and counted. Default: one and a half times the longest replay, 22 s. */
  readonly maxBufferedBytes?: number
  readonly circuit?: Partial<CircuitPolicy>
}

/** The provider's languages besides English. Every kind of English becomes Indian English. */
const languages = new Set("hi bn kn ml mr od pa ta te gu".split(" ").map((language) => `${language}-IN`))
const languageCode = (language: string) => {
  if (/^en(-|$)/.test(language)) return "en-IN"
  return languages.has(language) ? language : undefined
}

const address = (options: SarvamSpeechToTextOptions, model: string, language: string) => {
  const url = new URL(endpoint(options.baseUrl.replace(/^http/, "ws"), "/speech-to-text/ws"))
  url.search = new URLSearchParams({
    "language-code": language,
    model,
    sample_rate: "8000",
    input_audio_codec: "pcm_s16le",
    vad_signals: "true",
    high_vad_sensitivity: "true",
    flush_signal: "true"
  }).toString()
  return url.toString()
}

/** A transcript comes some 250 ms after the end of its speech, up to a second when the provider is busy. Milliseconds. */
const writtenMs = 1_500
/** A transcript that is owed for longer than this will not come. Milliseconds. */
const owedMs = 4_000
/** Short, because the caller goes on talking meanwhile, and another attempt may reach another machine. Milliseconds. */
const connectWithinMs = 2_000

/** Audio that is sent in one go waits in the socket, over TLS at least. There is room for a replay and the speech right after it. Bytes. */
const mostWaiting = messageBytes(1.5 * longestBurstMs)

const failureOf = (code: string, message: string): SpeechError => {
  const ours = /invalid|auth|unprocessable|not_found|^4(0[0134]|13|22)$/.test(code)
  return sarvamError(ours ? "rejected" : "unavailable", `Speech-to-text error ${code || "without a code"}: ${message}`)
}

const open = traced("Sarvam.open")(function* (
  options: SarvamSpeechToTextOptions,
  times: AnswerTimes,
  { model, language }: TranscriptionOptions
) {
  if (options.key === undefined || Redacted.value(options.key) === "") {
    return yield* sarvamError("rejected", "Sarvam key missing on the engine")
  }
  const spoken = languageCode(language)
  if (spoken === undefined) return yield* sarvamError("rejected", `Sarvam does not transcribe ${language}`)
  const limit = options.maxBufferedBytes ?? mostWaiting
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const queue = yield* Queue.make<Transcript, SpeechError>({ capacity: 64, strategy: "sliding" })
  const url = address(options, options.models?.[model] ?? model, spoken)
  const socket = yield* connect(url, options.key, options.connectTimeoutMs ?? connectWithinMs)

  let dropped = 0
  let unreadable = 0
  const fail = (error: SpeechError) => {
    Queue.failCauseUnsafe(queue, Cause.fail(error))
    socket.terminate()
  }
  const overdueMs = options.overdueMs ?? owedMs
  let signalled = false
  let flushedMs = 0
  const guard = makeFlushGuard({
    nothingMs: () => times.nothingMs,
    writtenMs,
    // A provider that hears the later speech has not missed the earlier audio: that was no speech.
    onNothing: (listens) => {
      if (!signalled) times.unanswered()
      Queue.offerUnsafe(queue, listens ? { _tag: "Final", text: "", language: undefined } : { _tag: "Unanswered" })
    },
    overdueMs,
    onOverdue: () =>
      fail(sarvamError("timeout", `Speech-to-text heard speech and wrote nothing within ${overdueMs} ms`))
  })
  const send = (message: string, always = false) => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!always && socket.bufferedAmount > limit) {
      if (dropped++ === 0) runFork(Effect.logWarning("Speech-to-text is too slow, audio is dropped"))
      return
    }
    socket.send(message)
  }
  socket.on("message", (data, isBinary) => {
    const message = isBinary ? ({ _tag: "Unreadable" } as const) : parseSarvamMessage(data.toString())
    if (message._tag === "Transcript") {
      if (!signalled && flushedMs > 0) times.answeredUnsignalled(performance.now() - flushedMs)
      guard.transcribed((answers) => Queue.offerUnsafe(queue, { ...message.transcript, answers }))
    } else if (message._tag === "Signal") {
      signalled = true
      times.signalled()
      guard.signalled(message.signal)
    } else if (message._tag === "Error") fail(failureOf(message.code, message.message))
    else if (message._tag === "Unreadable" && unreadable++ === 0) {
      runFork(Effect.logWarning("Speech-to-text sent a message that cannot be read"))
    }
  })
  socket.on("close", (code) => fail(sarvamError("unavailable", `Speech-to-text connection lost (code ${code})`)))

  // The socket may have closed between its opening and the listeners above.
  if (socket.readyState !== WebSocket.OPEN) fail(sarvamError("unavailable", "Speech-to-text connection lost"))

  yield* Effect.addFinalizer(() => {
    guard.stop()
    const counts = { droppedMessages: dropped, unreadableMessages: unreadable }
    const report = dropped + unreadable > 0 ? Effect.logInfo("Speech-to-text stream ended", counts) : Effect.void
    return Effect.andThen(report, Queue.shutdown(queue))
  })
  // The guard is told once per message, not per frame, because it reads the clock.
  const audio = makeAudioBatcher((message, ms) => {
    send(message)
    guard.sent(ms)
  })
  return {
    push: audio.push,
    flush: () => {
      audio.flush()
      send('{"type":"flush"}', true)
      flushedMs = performance.now()
      guard.flushed()
    },
    transcripts: Stream.fromQueue(queue)
  }
})

/** A call goes on trying for about 9 s. The circuit must let at least one probe through in that time. Milliseconds. */
const longestOpenMs = 4_000

const make = Effect.fnUntraced(function* (options: SarvamSpeechToTextOptions) {
  const circuit = yield* makeCircuit<SpeechError>({
    provider: "speech-to-text/sarvam",
    reasonOf: (error) => error.reason,
    refuse: (message) => sarvamError("unavailable", message),
    policy: { longestOpenMs, ...options.circuit }
  })
  const times = new AnswerTimes()
  return SpeechToText.of({ open: (transcription) => circuit.guard(open(options, times, transcription)) })
})

/** `SpeechToText` by Sarvam. It connects only when a call opens a stream. */
export const layer = (options: SarvamSpeechToTextOptions): Layer.Layer<SpeechToText> =>
  Layer.effect(SpeechToText, make(options))
