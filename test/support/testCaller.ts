/** A caller without a telephone: a WebSocket to the address of a test call, as a browser opens one, that speaks 20 ms at a time and hears in real time. */
import { Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { encode, frameBytes, silence } from "../../simulators/telephone/Mulaw.ts"
import { PlayoutBuffer } from "../../simulators/telephone/PlayoutBuffer.ts"
import { Ticker } from "../../simulators/telephone/Ticker.ts"
import { eventually } from "./eventually.ts"

/** Who hears nothing for so many ticks of 20 ms knows that the agent has finished. */
const quietTicks = 35

export interface TestCaller {
  readonly say: (samples: Int16Array) => Effect.Effect<void>
  /** Resolves when the agent has spoken and is silent again. */
  readonly hearOut: Effect.Effect<void>
  readonly hangUp: Effect.Effect<void>
  /** The code with which the socket was closed; undefined while it is open. */
  readonly closed: () => number | undefined
}

/** Connects to `url` without any header and says what a browser says. Hangs up with the scope. */
export const testCaller = Effect.fnUntraced(function* (url: string): Effect.fn.Return<TestCaller, never, Scope.Scope> {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(url)),
    (open) => Effect.sync(() => open.terminate())
  )
  let code: number | undefined
  socket.on("close", (given) => {
    code = given
  })
  socket.on("error", () => {})
  const send = (message: object) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))
  const playout = new PlayoutBuffer((name) => send({ event: "mark", mark: { name } }))
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString())
    if (message.event === "media") playout.media(Buffer.from(message.media.payload, "base64"))
    else if (message.event === "mark") playout.mark(message.mark.name)
    else playout.clear()
  })
  socket.on("open", () => send({ event: "start" }))

  let speech: Uint8Array = new Uint8Array(0)
  let at = 0
  let frames = 0
  let quiet = 0
  let heard = false
  const heardFrame = new Uint8Array(frameBytes)
  const tick = () => {
    if (playout.tick(heardFrame, 0)) {
      quiet = 0
      heard = true
    } else quiet++
    const frame = new Uint8Array(frameBytes).fill(silence)
    frame.set(speech.subarray(at, at + frameBytes))
    at += frameBytes
    send({
      event: "media",
      media: { timestamp: String(frames++ * 20), payload: Buffer.from(frame).toString("base64") }
    })
  }
  const ticker = new Ticker()
  yield* Effect.acquireRelease(
    Effect.sync(() => ticker.add(tick)),
    () => Effect.sync(() => ticker.close())
  )

  const hearOut = Effect.suspend(() => {
    heard = false
    return eventually(
      "the agent has spoken and is silent",
      Effect.sync(() => (heard && quiet >= quietTicks ? true : undefined))
    ).pipe(Effect.asVoid)
  })
  return {
    say: (samples) =>
      Effect.suspend(() => {
        speech = encode(samples)
        at = 0
        return eventually(
          "the caller has spoken",
          Effect.sync(() => (at >= speech.length ? true : undefined))
        ).pipe(Effect.asVoid)
      }),
    hearOut,
    hangUp: Effect.sync(() => socket.close()),
    closed: () => code
  }
})
