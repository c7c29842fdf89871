import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope, Stream } from "effect"
import { WebSocketServer } from "ws"
import { type SpeechToTextOptions, start } from "../../../simulators/speech-to-text/SpeechToText.ts"
import { type Spoken, speak } from "../../../simulators/voice/Voice.ts"
import {
  longestBurstMs,
  type SpeechError,
  SpeechToText,
  type Transcription
} from "../../../src/domain/ai/providers/Speech.ts"
import { layer, type SarvamSpeechToTextOptions } from "../../../src/integrations/stt/SarvamSpeechToText.ts"
import { certificate, privateKey } from "../../support/certificate.ts"
import { eventually } from "../../support/eventually.ts"

const asked = { model: "saarika:v2.5", language: "en-US" }

const simulator = (options: SpeechToTextOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => start({ apiKey: "secret", ...options })),
    (it) => Effect.promise(() => it.close())
  )

const open = (baseUrl: string, more: Partial<SarvamSpeechToTextOptions> = {}, options = asked) =>
  Effect.flatMap(SpeechToText, (it) => it.open(options)).pipe(
    Effect.provide(layer({ baseUrl, key: Redacted.make("secret"), ...more }))
  )

const failure = (baseUrl: string, more: Partial<SarvamSpeechToTextOptions> = {}, options = asked) =>
  Effect.flip(open(baseUrl, more, options))

type Stats = Effect.Success<ReturnType<typeof simulator>>["stats"]

/** Waits until the provider has begun to hear this many samples, as it has in a call long before a flush. */
const heard = (stats: Stats, samples: number, before = 0) =>
  eventually("it is heard", () => stats.audioSamples >= before + samples / 2)

/** Sends speech as fast as possible, and flushes. */
const said = Effect.fnUntraced(function* (stream: Transcription, stats: Stats, samples: Int16Array) {
  const before = stats.audioSamples
  stream.push(samples)
  yield* heard(stats, samples.length, before)
  stream.flush()
})

/** Counts the bytes it receives over TLS, and sends nothing. */
const secureServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = createSecureServer({ cert: certificate, key: privateKey })
    const received = { samples: 0, flushes: 0 }
    new WebSocketServer({ server }).on("connection", (socket) =>
      socket.on("message", (data) => {
        const { audio } = JSON.parse(data.toString())
        if (audio === undefined) received.flushes++
        else received.samples += Buffer.from(audio.data, "base64").length / 2
      })
    )
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const { port } = server.address() as AddressInfo
    return { server, received, url: `https://127.0.0.1:${port}` }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

const next = (stream: Transcription) => stream.transcripts.pipe(Stream.take(1), Stream.runCollect)
/** The next two answers, which may come at the same moment. */
const nextTwo = (stream: Transcription) => stream.transcripts.pipe(Stream.take(2), Stream.runCollect)

/** The next answer; undefined for a flush without a transcript. */
const nextText = (stream: Transcription) =>
  Effect.map(next(stream), ([it]) => (it._tag === "Unanswered" ? undefined : it.text))

const lost = (stream: Transcription): Effect.Effect<SpeechError> =>
  stream.transcripts.pipe(Stream.runDrain, Effect.andThen(Effect.die("the stream ended without an error")), Effect.flip)

describe("speech-to-text by Sarvam", () => {
  let known: ReadonlyArray<Spoken> = []
  beforeAll(async () => {
    known = await Promise.all([speak("Where is my order?", "en-US"), speak("No thank you.", "en-US", { voice: "f2" })])
  })

  it.live("transcribes speech sentence by sentence, from frames of any size", () =>
    Effect.gen(function* () {
      const { wsUrl, stats } = yield* simulator({ bank: known })
      const stream = yield* open(wsUrl)
      const buffer = new Int16Array(160)
      for (let at = 0; at < known[0].samples.length; at += 160) {
        buffer.fill(0)
        buffer.set(known[0].samples.subarray(at, at + 160))
        // The frame path reuses its buffer, so the adapter must have copied it.
        stream.push(buffer)
      }
      yield* heard(stats, known[0].samples.length)
      stream.flush()
      assert.deepEqual(
        [...(yield* next(stream))],
        [{ _tag: "Final", text: "Where is my order?", language: "en-IN", answers: 1 }]
      )
      yield* said(stream, stats, known[1].samples)
      assert.deepEqual(
        [...(yield* next(stream))],
        [{ _tag: "Final", text: "No thank you.", language: "en-IN", answers: 1 }]
      )
    }).pipe(Effect.scoped)
  )

  it.live("passes an empty transcript on, so that the call does not wait for it", () =>
    Effect.gen(function* () {
      const { wsUrl, stats } = yield* simulator({ bank: [] })
      const stream = yield* open(wsUrl)
      yield* said(stream, stats, known[0].samples)
      assert.strictEqual(yield* nextText(stream), "")
    }).pipe(Effect.scoped)
  )

  it.live(
    "reports a flush without a transcript: the provider heard no speech before it, or had transcribed it already",
    () =>
      Effect.gen(function* () {
        const { wsUrl } = yield* simulator({ bank: known, trailingSilenceMs: 200 })
        const stream = yield* open(wsUrl)
        stream.push(new Int16Array(1_600))
        stream.flush()
        assert.isUndefined(yield* nextText(stream))
        stream.push(known[1].samples)
        stream.push(new Int16Array(4_000))
        assert.strictEqual(yield* nextText(stream), "No thank you.")
        stream.flush()
        assert.isUndefined(yield* nextText(stream))
      }).pipe(Effect.scoped)
  )

  it.live("answers every flush, also one that comes before the previous one is answered", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator({ bank: known })
      const stream = yield* open(wsUrl)
      faults.latencyMs = 400
      yield* said(stream, stats, known[0].samples)
      yield* Effect.sleep("50 millis")
      yield* said(stream, stats, known[1].samples)
      assert.strictEqual(yield* nextText(stream), "Where is my order?")
      assert.strictEqual(yield* nextText(stream), "No thank you.")
      stream.push(new Int16Array(1_600))
      stream.flush()
      yield* Effect.sleep("50 millis")
      stream.flush()
      assert.deepEqual([...(yield* nextTwo(stream))], [{ _tag: "Unanswered" }, { _tag: "Unanswered" }])
      yield* said(stream, stats, known[0].samples)
      yield* Effect.sleep("50 millis")
      stream.flush()
      // When the first flush is answered, the second has waited long enough.
      assert.deepEqual(
        [...(yield* nextTwo(stream))],
        [{ _tag: "Final", text: "Where is my order?", language: "en-IN", answers: 1 }, { _tag: "Unanswered" }]
      )
    }).pipe(Effect.scoped)
  )

  it.live("waits as long as a provider that signals no activity takes, and learns how long that is", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator({ bank: known })
      faults.unsignalled = true
      faults.latencyMs = 900
      const stream = yield* open(wsUrl)
      yield* said(stream, stats, known[0].samples)
      assert.strictEqual(yield* nextText(stream), "Where is my order?")
      yield* said(stream, stats, known[1].samples)
      assert.strictEqual(yield* nextText(stream), "No thank you.")
      stream.flush()
      assert.isUndefined(yield* nextText(stream))
    }).pipe(Effect.scoped)
  )

  it.live("asks for the live model that the fixed public name maps to", () =>
    Effect.gen(function* () {
      const { wsUrl, stats } = yield* simulator()
      yield* open(wsUrl, { models: { "saarika:v2.5": "saaras:v3" } })
      assert.strictEqual(stats.connections, 1)
      const refused = yield* failure(wsUrl, { models: { "saarika:v2.5": "gone:v1" } })
      assert.strictEqual(refused.reason, "rejected")
    }).pipe(Effect.scoped)
  )

  it.live("tells a wrong key, a missing key and an unknown language apart from temporary trouble", () =>
    Effect.gen(function* () {
      const { wsUrl, faults } = yield* simulator()
      assert.strictEqual((yield* failure(wsUrl, { key: Redacted.make("wrong") })).reason, "rejected")
      const missing = yield* failure(wsUrl, { key: undefined })
      assert.strictEqual(missing.message, "Sarvam key missing on the engine")
      assert.strictEqual((yield* failure(wsUrl, {}, { ...asked, language: "fr-FR" })).reason, "rejected")
      faults.failNext = 2
      assert.strictEqual((yield* failure(wsUrl)).reason, "unavailable")
      faults.status = 0
      assert.strictEqual((yield* failure(wsUrl)).reason, "unavailable")
      faults.hang = true
      assert.strictEqual((yield* failure(wsUrl, { connectTimeoutMs: 100 })).reason, "timeout")
      assert.strictEqual((yield* failure("ws://127.0.0.1:1")).reason, "unavailable")
    }).pipe(Effect.scoped)
  )

  it.live("drops a connection that did not open in time, while the call goes on", () =>
    Effect.gen(function* () {
      const sockets = new Set<Socket>()
      const silent = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined).resume()
        socket.once("close", () => sockets.delete(socket))
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening))),
        () => Effect.sync(() => silent.close())
      )
      const url = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`
      for (let attempt = 0; attempt < 3; attempt++)
        assert.strictEqual((yield* failure(url, { connectTimeoutMs: 100 })).reason, "timeout")
      yield* eventually("the connections are closed", () => sockets.size === 0)
    }).pipe(Effect.scoped)
  )

  it.live("fails the stream when the socket is lost, after the transcripts that arrived before", () =>
    Effect.gen(function* () {
      let written = 0
      const { wsUrl, faults, stats } = yield* simulator({ bank: known, onTranscript: () => written++ })
      const stream = yield* open(wsUrl)
      yield* said(stream, stats, known[0].samples)
      yield* eventually("a transcript", () => written === 1)
      faults.dropSockets()
      yield* Effect.sleep("50 millis")
      assert.strictEqual([...(yield* next(stream))].length, 1)
      assert.strictEqual((yield* lost(stream)).reason, "unavailable")
      // The audio goes nowhere, and nothing throws.
      stream.push(known[0].samples)
      stream.flush()
    }).pipe(Effect.scoped)
  )

  it.live("survives garbage and fails on each kind of error message", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator({ bank: known })
      for (const garbage of ["", "{", "[]", "null", '{"type":"data"}', '{"type":"data","data":{"transcript":7}}']) {
        faults.garbage = garbage
        const stream = yield* open(wsUrl)
        yield* said(stream, stats, known[1].samples)
        assert.strictEqual(yield* nextText(stream), "No thank you.")
      }
      faults.garbage = null
      faults.errorNext = 3
      for (let i = 0; i < 3; i++) {
        const stream = yield* open(wsUrl)
        yield* said(stream, stats, known[1].samples)
        const error = yield* lost(stream)
        assert.strictEqual(error.reason, "unavailable")
        assert.match(error.message, /Planned failure/)
      }
    }).pipe(Effect.scoped)
  )

  it.live("fails the stream when the provider has heard speech and never transcribes it", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator({ bank: known })
      const stream = yield* open(wsUrl, { overdueMs: 200 })
      const before = stats.audioSamples
      stream.push(known[0].samples)
      yield* heard(stats, known[0].samples.length, before)
      yield* Effect.sleep("50 millis")
      faults.silent = true
      stream.flush()
      assert.strictEqual((yield* lost(stream)).reason, "timeout")
    }).pipe(Effect.scoped)
  )

  it.live("drops audio instead of buffering it without limit when the provider stops reading", () =>
    Effect.gen(function* () {
      const { wsUrl, faults, stats } = yield* simulator()
      const stream = yield* open(wsUrl, { maxBufferedBytes: 16_384 })
      faults.pauseReading(true)
      // Far more than the kernel buffers on loopback.
      const minute = new Int16Array(60 * 8_000).fill(100)
      for (let i = 0; i < 15; i++) {
        stream.push(minute)
        yield* Effect.sleep("5 millis")
      }
      faults.pauseReading(false)
      yield* Effect.sleep("300 millis")
      assert.isBelow(stats.audioSamples, 15 * minute.length)
    }).pipe(Effect.scoped)
  )

  it.live("sends a whole replay over TLS, where a burst waits in the socket", () =>
    Effect.gen(function* () {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const { url, received } = yield* secureServer
      const stream = yield* open(url)
      const replay = new Int16Array(longestBurstMs * 8).fill(100)
      stream.push(replay)
      stream.flush()
      yield* eventually("the flush has come", () => received.flushes === 1)
      assert.strictEqual(received.samples, replay.length)
    }).pipe(Effect.scoped)
  )

  it.live("waits for the transcript of a burst, also when the provider takes a while to hear it", () =>
    Effect.gen(function* () {
      const signal = (signal_type: string) => ({ type: "events", data: { signal_type } })
      const slow = yield* Effect.acquireRelease(
        Effect.sync(() => new WebSocketServer({ port: 0, host: "127.0.0.1" })),
        (server) => Effect.sync(() => server.close())
      )
      slow.on("connection", (socket) =>
        socket.on("message", (data) => {
          if (JSON.parse(data.toString()).type !== "flush") return
          const say = (atMs: number, message: object) => setTimeout(() => socket.send(JSON.stringify(message)), atMs)
          say(100, signal("START_SPEECH"))
          say(700, signal("END_SPEECH"))
          say(900, { type: "data", data: { transcript: "Where is my order?", language_code: "en-IN" } })
        })
      )
      yield* eventually("it listens", () => slow.address() !== null)
      const stream = yield* open(`ws://127.0.0.1:${(slow.address() as AddressInfo).port}`)
      stream.push(new Int16Array(4_000 * 8).fill(100))
      stream.flush()
      assert.deepEqual(
        [...(yield* next(stream))],
        [{ _tag: "Final", text: "Where is my order?", language: "en-IN", answers: 1 }]
      )
    }).pipe(Effect.scoped)
  )

  it.live("closes the socket with its scope", () =>
    Effect.gen(function* () {
      const { wsUrl, stats } = yield* simulator()
      const scope = yield* Scope.make()
      yield* open(wsUrl).pipe(Scope.provide(scope))
      assert.strictEqual(stats.open, 1)
      yield* Scope.close(scope, Exit.void)
      yield* eventually("the socket is closed", () => stats.open === 0)
    }).pipe(Effect.scoped)
  )
})
