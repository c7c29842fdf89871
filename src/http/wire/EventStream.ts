/**
 * Writes events as server-sent events. A stream holds only the part of the log that it is writing: a slow client catches up from the log, and a
 * client that does not read is disconnected. The stream ends when its caller may no longer read, and when the server closes.
 */
import { Clock, Effect, type Fiber, Stream } from "effect"
import type { FeedEvent, LoggedEvent, Subscription } from "../../domain/events/EventFeed.ts"

export interface EventStreamOptions {
  /** The longest time without output, in milliseconds; after it a comment is sent. Default 15,000. */
  readonly heartbeatMs?: number
  /** The time between two checks of the caller's right to read, in milliseconds. Default 15,000. */
  readonly checkMs?: number
  /** A client that reads nothing for this many milliseconds is disconnected. Default 30,000. */
  readonly stallMs?: number
}

export interface EventSource {
  readonly subscription: Subscription
  readonly wanted: (event: FeedEvent) => boolean
  /** Gives whether the caller's key or session is still valid. */
  readonly mayRead: Effect.Effect<boolean>
  readonly closing: Effect.Effect<void>
  /** A text that is sent first, as an event `gap` without an id. */
  readonly note: string | undefined
}

const heartbeat = ": heartbeat\n\n"
/** Sets how long a client waits before it reconnects, in milliseconds. */
const preamble = "retry: 2000\n\n"

/** One event in the format of server-sent events; `data` becomes one line of JSON. */
const field = (event: string, data: unknown, id?: string) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const loggedText = ({ place: _, ...shown }: LoggedEvent) => field(shown.type, shown, shown.id)

/** The texts of events, cached because the same event goes to many streams. */
const written = new WeakMap<FeedEvent, string>()

const textOf = (event: FeedEvent): string => {
  const known = written.get(event)
  if (known !== undefined) return known
  const text = "place" in event ? loggedText(event) : field(event.type, event)
  written.set(event, text)
  return text
}

/**
 * Interrupts `writer`, the fiber that writes, when the client has read nothing for `stallMs` since `handedOut`, when it got the last part; undefined while
 * it waits for the next one. To be asked every `stallMs / 4`.
 */
export const dropStalled = Effect.fnUntraced(function* (
  writer: Fiber.Fiber<unknown, unknown>,
  handedOut: number | undefined,
  stallMs: number
) {
  if (handedOut === undefined || (yield* Clock.currentTimeMillis) - handedOut < stallMs) return
  yield* Effect.logInfo("a client that does not read its events is disconnected")
  writer.interruptUnsafe()
})

/** The last piece when the server closes: no text. */
const closed = { text: "", last: true }

/** The body of an answer that streams the events of `source`. */
export const eventStream = (source: EventSource, options: EventStreamOptions = {}): Stream.Stream<Uint8Array> => {
  const { heartbeatMs = 15_000, checkMs = 15_000, stallMs = 30_000 } = options
  const { subscription, wanted, mayRead, closing, note } = source
  const body = Effect.gen(function* () {
    let handedOut: number | undefined
    let checked = yield* Clock.currentTimeMillis
    const writer = yield* Effect.fiber
    const look = Effect.suspend(() => dropStalled(writer, handedOut, stallMs))
    yield* Effect.forkScoped(Effect.forever(Effect.delay(look, stallMs / 4)))

    const due = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - checked < checkMs) return true
      checked = now
      return yield* mayRead
    })
    /** The next piece of text, and whether it is the last one. */
    const piece = Effect.gen(function* () {
      handedOut = undefined
      const began = yield* Clock.currentTimeMillis
      while (yield* due) {
        const left = heartbeatMs - ((yield* Clock.currentTimeMillis) - began)
        const events = yield* subscription.next(Math.max(0, Math.min(left, checkMs)))
        const text = events.filter(wanted).map(textOf).join("")
        const now = yield* Clock.currentTimeMillis
        if (text === "" && now - began < heartbeatMs) continue
        handedOut = now
        return { text: text === "" ? heartbeat : text, last: false }
      }
      return { text: field("end", { message: "This key or session is not good any more." }), last: true }
    })
    const head = note === undefined ? preamble : preamble + field("gap", { message: note })
    return Stream.concat(
      Stream.make(head),
      Stream.fromEffectRepeat(Effect.raceFirst(piece, Effect.as(closing, closed))).pipe(
        Stream.takeUntil(({ last }) => last),
        Stream.map(({ text }) => text),
        Stream.filter((text) => text !== "")
      )
    )
  })
  return Stream.encodeText(Stream.unwrap(body))
}
