/**
 * An event stream that stays open. It is never silent for longer than `pingMs`, ends when it is told to, and is cut when its client reads nothing: it holds
 * one piece of text at a time.
 */
import { type Cause, Clock, Effect, Queue, Stream } from "effect"
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
  /** The texts to send. The stream ends with those that are in it when it is ended. Pings go into it, too. */
  readonly texts: Queue.Queue<string, Cause.Done>
  /** Asked whenever a ping is due: false ends the stream. */
  readonly goesOn: Effect.Effect<boolean>
  /** The stream ends when one of them completes; what waits then is not sent. */
  readonly ends: ReadonlyArray<Effect.Effect<void>>
}

const ping = ": ping\n\n"

/** A queue for the texts of a stream. One that is full takes no more. */
export const liveTexts = (capacity = 1) => Queue.dropping<string, Cause.Done>(capacity)

/** The stream. Thousands are open at once, so it has no more fibers beside its own than one for the time and one for each of `ends`. */
export const liveText = (source: LiveSource, options: LiveStreamOptions = {}): Stream.Stream<Uint8Array> => {
  const { pingMs = 15_000, stallMs = 30_000 } = options
  const { head, texts, goesOn, ends } = source
  const body = Effect.gen(function* () {
    const writer = yield* Effect.fiber
    let handedOut: number | undefined
    const step = Math.min(pingMs, stallMs / 4)
    let looks = 0
    yield* Queue.offer(texts, head)
    const endNow = Effect.andThen(Queue.clear(texts), Queue.end(texts))
    for (const end of ends) yield* Effect.forkScoped(Effect.andThen(end, endNow))
    const look = Effect.gen(function* () {
      yield* dropStalled(writer, handedOut, stallMs)
      if (++looks % Math.round(pingMs / step) !== 0) return
      yield* (yield* goesOn) ? Queue.offer(texts, ping) : Queue.end(texts)
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(look, step)))
    const next = Effect.gen(function* () {
      handedOut = undefined
      const text = yield* Queue.take(texts)
      handedOut = yield* Clock.currentTimeMillis
      return text
    })
    return Stream.fromEffectRepeat(next)
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
