/** The media socket alone, without an engine behind it: one call, which records what it receives. */
// Before the library, which other files of this process use too.
import "../../src/http/server/HeaderLimit.ts"
import * as Uws from "uWebSockets.js"
import { Effect, Logger } from "effect"
import { WebSocket } from "ws"
import type { Line } from "../../src/actors/voice/sound/Line.ts"
import { StreamRefused, type StreamStart } from "../../src/actors/voice/sound/StreamRefused.ts"
import { hostOf } from "../../src/http/media-stream/EngineStreams.ts"
import * as MediaSocket from "../../src/http/media-stream/MediaSocket.ts"

/** One call, `call_1` with token `good`, that records what it receives. */
export class Streams {
  readonly starts: Array<StreamStart> = []
  readonly heard: Array<string> = []
  line: Line | undefined
  closed = 0

  readonly connect = (start: StreamStart, line: Line) => {
    this.starts.push(start)
    const refusal = (reason: StreamRefused["reason"]) => new StreamRefused({ callId: start.callId, reason })
    if (start.callId !== "call_1") return refusal("unknown_call")
    if (start.token !== "good") return refusal("bad_token")
    if (start.callSid !== "CA1") return refusal("foreign_call")
    this.line = line
    return {
      callId: start.callId,
      media: (payload: Uint8Array, at: number) => void this.heard.push(`media ${payload.length} at ${at}`),
      mark: (name: string) => void this.heard.push(`mark ${name}`),
      dtmf: (digit: string) => void this.heard.push(`dtmf ${digit}`),
      closed: () => void this.closed++
    }
  }
}

const refuseUpgrade = (res: Uws.HttpResponse, status: number) => void res.writeStatus(`${status} Refused`).end()

/** Listens until the scope ends. */
export const listen = (startDeadlineMs?: number) =>
  Effect.gen(function* () {
    const streams = new Streams()
    const logs: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void logs.push(line))])
    const app = Uws.App()
    const run = (effect: Effect.Effect<void>) => Effect.runSync(Effect.provide(effect, logger))
    const host = hostOf(streams, run)
    if (startDeadlineMs === undefined) MediaSocket.register(app, refuseUpgrade, host)
    else MediaSocket.register(app, refuseUpgrade, host, startDeadlineMs)
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

/** Connects as the provider does. */
export const connect = (url: string, headers: Record<string, string> = { "x-twilio-signature": "signed" }) =>
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

/** The first message of a stream. */
export const startOf = (changes: { callId?: string; token?: string; callSid?: string; encoding?: string } = {}) =>
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
