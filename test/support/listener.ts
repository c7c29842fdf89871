/** A person who listens to a call over its WebSocket, and talks in it: 20 ms at a time, silence too, as a browser does. */
import { Effect, type Scope } from "effect"
import { WebSocket } from "ws"
import { decode, encode, frameBytes, silence } from "../../simulators/telephone/Mulaw.ts"
import { Ticker } from "../../simulators/telephone/Ticker.ts"
import { eventually } from "./eventually.ts"

/** Louder than this is speech. */
const loud = 1_000

export interface TestListener {
  readonly opened: Effect.Effect<void>
  /** Everything heard so far, mu-law. */
  readonly heard: () => Buffer
  /** When the first loud sound came after this time, by `performance.now`; undefined when none did. */
  readonly firstLoudAfter: (at: number) => number | undefined
  /** Begins to send the microphone. */
  readonly openMicrophone: Effect.Effect<void, never, Scope.Scope>
  readonly say: (samples: Int16Array) => Promise<void>
  /** The connection breaks. */
  readonly breakOff: Effect.Effect<void>
  /** The code with which the socket was closed; undefined while it is open. */
  readonly closed: () => number | undefined
}

export const testListener = Effect.fnUntraced(function* (
  url: string
): Effect.fn.Return<TestListener, never, Scope.Scope> {
  const socket = yield* Effect.acquireRelease(
    Effect.sync(() => new WebSocket(url)),
    (open) => Effect.sync(() => open.terminate())
  )
  let code: number | undefined
  const pieces: Array<{ readonly at: number; readonly audio: Buffer }> = []
  socket.on("close", (given) => {
    code = given
  })
  socket.on("error", () => {})
  socket.on("message", (data: Buffer) => void pieces.push({ at: performance.now(), audio: data }))
  let speech: Uint8Array = new Uint8Array(0)
  let at = 0
  const tick = () => {
    const frame = new Uint8Array(frameBytes).fill(silence)
    frame.set(speech.subarray(at, at + frameBytes))
    at += frameBytes
    if (socket.readyState === WebSocket.OPEN) socket.send(frame)
  }
  const until = (what: string, holds: () => boolean) =>
    eventually(
      what,
      Effect.sync(() => (holds() ? true : undefined))
    ).pipe(Effect.asVoid)
  return {
    opened: until("the listener hears the call", () => pieces.length > 0),
    heard: () => Buffer.concat(pieces.map(({ audio }) => audio)),
    firstLoudAfter: (from) =>
      pieces.find(({ at, audio }) => at > from && decode(audio).some((sample) => Math.abs(sample) > loud))?.at,
    openMicrophone: Effect.gen(function* () {
      const ticker = new Ticker()
      yield* Effect.acquireRelease(
        Effect.sync(() => ticker.add(tick)),
        () => Effect.sync(() => ticker.close())
      )
    }),
    say: (samples) => {
      speech = encode(samples)
      at = 0
      return Effect.runPromise(until("the person has spoken", () => at >= speech.length))
    },
    breakOff: Effect.sync(() => socket.terminate()),
    closed: () => code
  }
})
