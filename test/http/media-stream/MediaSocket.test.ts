import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Metric } from "effect"
import { WebSocket } from "ws"
import type { IgnoredReason } from "../../../src/http/media-stream/IgnoredMedia.ts"
import { mediaIgnored } from "../../../src/http/media-stream/IgnoredMetric.ts"
import { eventually } from "../../support/eventually.ts"
import { connect, listen, startOf } from "../../support/mediaSocket.ts"

const closeCode = (socket: WebSocket) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve) => {
        socket.on("error", () => undefined)
        socket.once("close", (code) => resolve(code))
      })
  ).pipe(Effect.timeout("5 seconds"))

const connected = JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" })
const media = (timestamp: unknown, payload: unknown = Buffer.alloc(160).toString("base64")) =>
  JSON.stringify({ event: "media", streamSid: "MZ1", media: { track: "inbound", chunk: "1", timestamp, payload } })
const mark = JSON.stringify({ event: "mark", streamSid: "MZ1", mark: { name: "g0:1" } })
const key = (digit: unknown) =>
  JSON.stringify({ event: "dtmf", streamSid: "MZ1", dtmf: { track: "inbound_track", digit } })
const stop = JSON.stringify({ event: "stop", streamSid: "MZ1", stop: { accountSid: "AC1", callSid: "CA1" } })

const ignoredSoFar = (reason: IgnoredReason) =>
  Effect.map(Metric.value(Metric.withAttributes(mediaIgnored, { reason })), ({ count }) => Number(count))

describe("the media socket", () => {
  it.live("does not open for an upgrade without a signature", () =>
    Effect.gen(function* () {
      const { url, logs } = yield* listen()
      const status = yield* Effect.promise(
        () =>
          new Promise<number | undefined>((resolve) => {
            const socket = new WebSocket(url)
            socket.on("error", () => undefined)
            socket.on("unexpected-response", (request, response) => {
              resolve(response.statusCode)
              request.destroy()
            })
            socket.on("open", () => resolve(undefined))
          })
      )
      assert.strictEqual(status, 403)
      assert.lengthOf(logs, 1)
    })
  )

  it.live("refuses a stream that sends more than the provider does before its start", () =>
    Effect.gen(function* () {
      const { url, streams } = yield* listen()
      const floods = [
        Array.from({ length: 6 }, () => connected),
        [JSON.stringify({ event: "connected", filler: "x".repeat(9_000) })]
      ]
      for (const flood of floods) {
        const socket = yield* connect(url)
        const closing = yield* Effect.forkChild(closeCode(socket), { startImmediately: true })
        for (const each of flood) socket.send(each)
        assert.strictEqual(yield* Fiber.join(closing), 1008)
      }
      assert.lengthOf(streams.starts, 0)
    })
  )

  it.live("logs a bounded number of refusals", () =>
    Effect.gen(function* () {
      const { url, logs } = yield* listen()
      for (let n = 0; n < 30; n++) {
        const socket = yield* connect(url)
        const closing = yield* Effect.forkChild(closeCode(socket), { startImmediately: true })
        socket.send("{")
        yield* Fiber.join(closing)
      }
      assert.lengthOf(logs, 20)
    })
  )

  const refusals: ReadonlyArray<readonly [string, number, string | Buffer]> = [
    ["binary frames", 1003, Buffer.from([1, 2, 3])],
    ["malformed JSON", 1007, '{"event":'],
    ["JSON that is no message", 1007, "[1]"],
    ["media before the start", 1008, media("0")],
    ["a start without its parts", 1008, '{"event":"start"}'],
    ["another encoding", 1008, startOf({ encoding: "audio/l16" })],
    ["a wrong token", 1008, startOf({ token: "bad" })],
    ["an unknown call", 1008, startOf({ callId: "call_2" })],
    ["a foreign call", 1008, startOf({ callSid: "CA2" })]
  ]
  for (const [what, code, message] of refusals)
    it.live(`refuses ${what} with ${code}, logged once, whatever comes after it`, () =>
      Effect.gen(function* () {
        const { url, streams, logs } = yield* listen()
        const socket = yield* connect(url)
        const closing = yield* Effect.forkChild(closeCode(socket), { startImmediately: true })
        for (const each of [connected, message, message, startOf(), media("0")]) socket.send(each)
        assert.strictEqual(yield* Fiber.join(closing), code)
        assert.isUndefined(streams.line)
        assert.lengthOf(logs, 1)
      })
    )

  const tooBig = [
    [64 * 1_024 + 1, 1009],
    // uWebSockets.js drops the connection without a close frame, which the client sees as 1006.
    [200_000, 1006]
  ] as const
  for (const [bytes, code] of tooBig)
    it.live(`closes on a message of ${bytes} bytes with ${code}, and tells the call that its line is gone`, () =>
      Effect.gen(function* () {
        const { url, streams } = yield* listen()
        const socket = yield* connect(url)
        const closing = yield* Effect.forkChild(closeCode(socket), { startImmediately: true })
        socket.send(startOf())
        yield* eventually("start", () => streams.line !== undefined)
        socket.send("x".repeat(bytes))
        assert.strictEqual(yield* Fiber.join(closing), code)
        yield* eventually("closed", () => streams.closed === 1)
      })
    )

  it.live("closes when no start comes in time, and does not close a stream that has started", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen(100)
      const [silent, started] = [yield* connect(url), yield* connect(url)]
      silent.send(connected)
      started.send(startOf())
      assert.strictEqual(yield* closeCode(silent), 1008)
      yield* Effect.sleep(150)
      assert.strictEqual(started.readyState, WebSocket.OPEN)
      assert.strictEqual(streams.closed, 0)
      assert.lengthOf(logs, 1)
    })
  )

  it.live("passes media, marks and the stop to the call, and the call's audio to the provider", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen()
      const socket = yield* connect(url)
      const received: Array<string> = []
      socket.on("message", (data) => received.push(data.toString()))
      const pressed = [..."0123456789*#ABCD"].map(key)
      for (const each of [connected, startOf(), media("20"), mark, media("40", ""), ...pressed, stop]) socket.send(each)
      yield* eventually("stop", () => streams.closed === 1)
      const keys = "0123456789*#ABCD"
      assert.deepStrictEqual(streams.heard, [
        "media 160 at 20",
        "mark g0:1",
        "media 0 at 40",
        ...[...keys].map((digit) => `dtmf ${digit}`)
      ])
      assert.deepStrictEqual(streams.starts, [
        {
          streamSid: "MZ1",
          accountSid: "AC1",
          callSid: "CA1",
          callId: "call_1",
          token: "good",
          upgradeSignature: "signed"
        }
      ])
      streams.line?.send('{"event":"clear"}')
      streams.line?.close()
      assert.strictEqual(yield* closeCode(socket), 1000)
      assert.deepStrictEqual(received, ['{"event":"clear"}'])
      // Both are no-ops on a closed line.
      streams.line?.send("late")
      streams.line?.close()
      assert.lengthOf(logs, 0)
    })
  )

  const nonsense: ReadonlyArray<readonly [IgnoredReason, ReadonlyArray<string | Buffer>]> = [
    ["binary_frame", [Buffer.from([1]), Buffer.alloc(160)]],
    ["malformed_json", ["{", "null", "7", '"media"', "[]"]],
    [
      "malformed_media",
      [
        '{"event":"media"}',
        '{"event":"media","media":null}',
        '{"event":"media","media":{"timestamp":"20"}}',
        media(20),
        media("soon"),
        media("-20"),
        media("1.5"),
        media("9".repeat(10)),
        media("20", 5),
        media("20", "A".repeat(60_000))
      ]
    ],
    ["malformed_mark", ['{"event":"mark"}', '{"event":"mark","mark":{}}', mark.replace("g0:1", "g".repeat(50_000))]],
    ["malformed_dtmf", ['{"event":"dtmf"}', key(1), key(""), key("12"), key("a"), key("E"), key("1".repeat(50_000))]],
    ["repeated_start", [startOf(), startOf({ callId: "call_2" })]],
    [
      "foreign_stream",
      [
        stop.replace("MZ1", "MZ2"),
        '{"event":"stop"}',
        '{"event":"stop","streamSid":null}',
        '{"event":"stop","streamSid":7}'
      ]
    ],
    ["unknown_event", ['{"event":"unheard of"}', '{"event":7}', connected]]
  ]
  for (const [reason, messages] of nonsense)
    it.live(`ignores ${reason} in mid-call with one log line, counts every case, and the call goes on`, () =>
      Effect.gen(function* () {
        const { url, streams, logs } = yield* listen()
        const before = yield* ignoredSoFar(reason)
        const socket = yield* connect(url)
        for (const each of [startOf(), ...messages, ...messages, media("60")]) socket.send(each)
        yield* eventually("the media after the nonsense", () => streams.heard.length > 0)
        assert.deepStrictEqual(streams.heard, ["media 160 at 60"])
        assert.lengthOf(streams.starts, 1)
        assert.lengthOf(logs, 1)
        assert.include(logs[0], reason)
        assert.include(logs[0], "call_1")
        assert.strictEqual(streams.closed, 0)
        socket.close()
        yield* eventually("closed", () => streams.closed === 1)
        assert.strictEqual((yield* ignoredSoFar(reason)) - before, 2 * messages.length)
      })
    )

  it.live("ignores what comes after the provider's stop", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen()
      const before = yield* ignoredSoFar("after_stop")
      const socket = yield* connect(url)
      for (const each of [startOf(), media("20"), stop, media("40"), mark, key("1"), stop]) socket.send(each)
      socket.close()
      yield* eventually("closed", () => streams.closed === 2)
      assert.deepStrictEqual(streams.heard, ["media 160 at 20"])
      assert.lengthOf(logs, 1)
      assert.strictEqual((yield* ignoredSoFar("after_stop")) - before, 4)
    })
  )

  it.live("does not pass 10,000 keys on to a call, and still passes the caller's audio on", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen()
      const before = yield* ignoredSoFar("too_many_keys")
      const socket = yield* connect(url)
      socket.send(startOf())
      for (let pressed = 0; pressed < 10_000; pressed++) socket.send(key("5"))
      socket.send(media("60"))
      yield* eventually("the media after the keys", () => streams.heard.at(-1) === "media 160 at 60")
      const taken = streams.heard.length - 1
      // 20 for each second of the flood.
      assert.isAtLeast(taken, 20)
      assert.isAtMost(taken, 100)
      assert.lengthOf(logs, 1)
      socket.close()
      yield* eventually("closed", () => streams.closed === 1)
      assert.strictEqual((yield* ignoredSoFar("too_many_keys")) - before, 10_000 - taken)
    })
  )

  it.live("tells the call when the connection is lost without a stop", () =>
    Effect.gen(function* () {
      const { url, streams } = yield* listen()
      const socket = yield* connect(url)
      socket.send(startOf())
      yield* eventually("start", () => streams.line !== undefined)
      socket.terminate()
      yield* eventually("closed", () => streams.closed === 1)
      streams.line?.send("nobody hears this")
    })
  )
})
