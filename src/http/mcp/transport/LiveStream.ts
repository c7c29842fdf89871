/**
 * An event stream that stays open. It is never silent for longer than `pingMs`, ends when it is told to, and is cut when its client reads nothing: it holds
 * one piece of text at a time.
 */
import { Clock, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { dropStalled } from "../../wire/EventStream.ts"

export interface LiveStreamOptions {
  /** The longest time without output, milliseconds. */
  readonly pingMs?: number
  /** A client that reads nothing for this long is disconnected, milliseconds. */
  readonly stallMs?: number
}

export interface LiveSource {
  /** Sent at once. */
  readonly head: string
  /** The next piece of text. It may be interrupted without losing one. */
  readonly next: Effect.Effect<string>
  /** Asked whenever a ping is due: false ends the stream. */
  readonly goesOn: Effect.Effect<boolean>
  /** Ends the stream when it completes. */
  readonly over: Effect.Effect<void>
}

const ping = ": ping\n\n"
const end = { text: "", last: true }

export const liveText = (source: LiveSource, options: LiveStreamOptions = {}): Stream.Stream<Uint8Array> => {
  const { pingMs = 15_000, stallMs = 30_000 } = options
  const { head, next, goesOn, over } = source
  const body = Effect.gen(function* () {
    let handedOut: number | undefined
    yield* Effect.forkScoped(dropStalled(yield* Effect.fiber, () => handedOut, stallMs))
    const due = Effect.map(Effect.andThen(Effect.sleep(pingMs), goesOn), (on) =>
      on ? { text: ping, last: false } : end
    )
    const piece = Effect.raceAllFirst([Effect.map(next, (text) => ({ text, last: false })), due, Effect.as(over, end)])
    const timed = Effect.gen(function* () {
      handedOut = undefined
      const found = yield* piece
      handedOut = yield* Clock.currentTimeMillis
      return found
    })
    return Stream.concat(
      Stream.make(head),
      Stream.fromEffectRepeat(timed).pipe(
        Stream.takeUntil(({ last }) => last),
        Stream.map(({ text }) => text)
      )
    ).pipe(Stream.filter((text) => text !== ""))
  })
  return Stream.encodeText(Stream.unwrap(body))
}

export const eventStreamHeaders = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" }

export const liveResponse = (
  stream: Stream.Stream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(stream, {
    contentType: "text/event-stream",
    headers: { ...eventStreamHeaders, ...headers }
  })
