import * as Uws from "uWebSockets.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { WebSocket } from "ws"
import { type StreamRefused as Refused, StreamRefused, type StreamStart } from "../../src/actors/ActorSystem.ts"
import type { Line } from "../../src/actors/call/Line.ts"
import * as MediaSocket from "../../src/http/MediaSocket.ts"

/** One call, `call_1` with token `good`, that remembers what came. */
class Streams {
  readonly starts: Array<StreamStart> = []
  readonly heard: Array<string> = []
  line: Line | undefined
  closed = 0

  readonly connect = (start: StreamStart, line: Line) => {
    this.starts.push(start)
    const refusal = (reason: Refused["reason"]) => new StreamRefused({ callId: start.callId, reason })
    if (start.callId !== "call_1") return refusal("unknown_call")
    if (start.token !== "good") return refusal("bad_token")
    if (start.callSid !== "CA1") return refusal("foreign_call")
    this.line = line
    return {
      callId: start.callId,
      media: (payload: Uint8Array, at: number) => void this.heard.push(`media ${payload.length} at ${at}`),
      mark: (name: string) => void this.heard.push(`mark ${name}`),
      closed: () => void this.closed++
    }
  }
}

const listen = (startDeadlineMs?: number) =>
  Effect.gen(function* () {
    const streams = new Streams()
    const logs = { count: 0 }
    const app = Uws.App()
    const log = () => void logs.count++
    if (startDeadlineMs === undefined) MediaSocket.register(app, streams, log)
    else MediaSocket.register(app, streams, log, startDeadlineMs)
    const port = yield* Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<number>((resolve, reject) =>
            app.listen("127.0.0.1", 0, (socket) =>
              socket === false ? reject(new Error("cannot listen")) : resolve(Uws.us_socket_local_port(socket))
            )
          )
      ),
      () => Effect.sync(() => app.close())
    )
    return { streams, logs, url: `ws://127.0.0.1:${port}${MediaSocket.mediaPath}` }
  })

const connect = (url: string, headers: Record<string, string> = { "x-twilio-signature": "signed" }) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<WebSocket>((resolve, reject) => {
          const socket = new WebSocket(url, { headers })
          socket.once("open", () => resolve(socket))
          socket.once("error", reject)
        })
    ),
    (socket) => Effect.sync(() => socket.terminate())
  )

const closeCode = (socket: WebSocket) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve) => {
        socket.on("error", () => undefined)
        socket.once("close", (code) => resolve(code))
      })
  ).pipe(Effect.timeout("5 seconds"))

const until = Effect.fnUntraced(function* (what: string, holds: () => boolean) {
  for (let waited = 0; waited < 3_000; waited += 5) {
    if (holds()) return
    yield* Effect.sleep(5)
  }
  assert.fail(`never came: ${what}`)
})

const startOf = (changes: { callId?: string; token?: string; callSid?: string; encoding?: string } = {}) =>
  JSON.stringify({
    event: "start",
    sequenceNumber: "1",
    streamSid: "MZ1",
    start: {
      accountSid: "AC1",
      streamSid: "MZ1",
      callSid: changes.callSid ?? "CA1",
      tracks: ["inbound"],
      mediaFormat: { encoding: changes.encoding ?? "audio/x-mulaw", sampleRate: 8000, channels: 1 },
      customParameters: { callId: changes.callId ?? "call_1", token: changes.token ?? "good" }
    }
  })
const connected = JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" })
const media = (timestamp: unknown, payload: unknown = Buffer.alloc(160).toString("base64")) =>
  JSON.stringify({ event: "media", streamSid: "MZ1", media: { track: "inbound", chunk: "1", timestamp, payload } })
const mark = JSON.stringify({ event: "mark", streamSid: "MZ1", mark: { name: "g0:1" } })
const stop = JSON.stringify({ event: "stop", streamSid: "MZ1", stop: { accountSid: "AC1", callSid: "CA1" } })

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
      assert.strictEqual(logs.count, 1)
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
        assert.strictEqual(logs.count, 1)
      })
    )

  it.live("closes on a giant frame, and the call hears that its line is gone", () =>
    Effect.gen(function* () {
      const { url, streams } = yield* listen()
      const socket = yield* connect(url)
      socket.send(startOf())
      yield* until("start", () => streams.line !== undefined)
      socket.send("x".repeat(200_000))
      // uWebSockets.js drops the connection without a close frame, which the other side sees as 1006.
      assert.include([1006, 1009], yield* closeCode(socket))
      yield* until("closed", () => streams.closed === 1)
    })
  )

  it.live("does not wait for ever for a start, and does not close a stream that has started", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen(100)
      const [silent, started] = [yield* connect(url), yield* connect(url)]
      silent.send(connected)
      started.send(startOf())
      assert.strictEqual(yield* closeCode(silent), 1008)
      yield* Effect.sleep(150)
      assert.strictEqual(started.readyState, WebSocket.OPEN)
      assert.strictEqual(streams.closed, 0)
      assert.strictEqual(logs.count, 1)
    })
  )

  it.live("brings media, marks and the stop to the call, and the call's words to the provider", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen()
      const socket = yield* connect(url)
      const received: Array<string> = []
      socket.on("message", (data) => received.push(data.toString()))
      for (const each of [connected, startOf(), media("20"), mark, media("40", ""), '{"event":"dtmf"}', stop])
        socket.send(each)
      yield* until("stop", () => streams.closed === 1)
      assert.deepStrictEqual(streams.heard, ["media 160 at 20", "mark g0:1", "media 0 at 40"])
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
      assert.strictEqual(logs.count, 0)
    })
  )

  it.live("ignores nonsense in mid-call, and says so once", () =>
    Effect.gen(function* () {
      const { url, streams, logs } = yield* listen()
      const socket = yield* connect(url)
      const nonsense: ReadonlyArray<string | Buffer> = [
        Buffer.from([1]),
        "{",
        "null",
        "7",
        '{"event":"media"}',
        '{"event":"media","media":null}',
        media(20),
        media("soon"),
        media("-20"),
        media("1.5"),
        media("9".repeat(40)),
        media("20", 5),
        '{"event":"mark","mark":{}}',
        '{"event":"unheard of"}',
        startOf()
      ]
      for (const each of [startOf(), ...nonsense, media("60")]) socket.send(each)
      yield* until("the media after the nonsense", () => streams.heard.length > 0)
      assert.deepStrictEqual(streams.heard, ["media 160 at 60"])
      assert.lengthOf(streams.starts, 1)
      assert.strictEqual(logs.count, 1)
      assert.strictEqual(streams.closed, 0)
    })
  )

  it.live("tells the call when the connection is lost without a stop", () =>
    Effect.gen(function* () {
      const { url, streams } = yield* listen()
      const socket = yield* connect(url)
      socket.send(startOf())
      yield* until("start", () => streams.line !== undefined)
      socket.terminate()
      yield* until("closed", () => streams.closed === 1)
      streams.line?.send("nobody hears this")
    })
  )
})
