/**
 * Events as server-sent events. A stream holds no more than the part of the log it is just writing: who reads slowly catches up from the
 * log, who does not read at all is disconnected. It ends when its caller may not read any more, and when the server closes.
 */
import { Clock, Effect, type Fiber, Stream } from "effect"
import type { LoggedEvent, Subscription } from "../../domain/events/EventFeed.ts"

export interface EventStreamOptions {
  /** A comment comes so often at least, in milliseconds. Default 15,000. */
  readonly heartbeatMs?: number
  /** The caller's right to read is looked at so often. Default 15,000. */
  readonly checkMs?: number
  /** A client that takes nothing for so long is disconnected. Default 30,000. */
  readonly stallMs?: number
}

export interface EventSource {
  readonly subscription: Subscription
  readonly wanted: (event: LoggedEvent) => boolean
  /** Is the caller's key or session still good? */
  readonly mayRead: Effect.Effect<boolean>
  readonly closing: Effect.Effect<void>
  /** Sent first, as an event without an id. */
  readonly note: string | undefined
}

const heartbeat = ": heartbeat\n\n"
/** How long a client waits before it connects again, in milliseconds. */
const preamble = "retry: 2000\n\n"

/** One event of the format; `data` is one line. */
const field = (event: string, data: unknown, id?: string) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The same event goes to many streams. */
const written = new WeakMap<LoggedEvent, string>()

const textOf = (event: LoggedEvent): string => {
  const known = written.get(event)
  if (known !== undefined) return known
  const { place: _, ...shown } = event
  const text = field(event.type, shown, event.id)
  written.set(event, text)
  return text
}

/** Ends `writer`, the fiber that writes, when nothing was taken for too long. `since` is when the client got its last part; undefined: it waits. */
const dropStalled = Effect.fnUntraced(function* (
  writer: Fiber.Fiber<unknown, unknown>,
  since: () => number | undefined,
  stallMs: number
) {
  while (true) {
    yield* Effect.sleep(stallMs / 4)
    const last = since()
    if (last === undefined || (yield* Clock.currentTimeMillis) - last < stallMs) continue
    yield* Effect.logInfo("a client that does not read its events is disconnected")
    writer.interruptUnsafe()
  }
})

/** Nothing more is said when the server closes. */
const closed = { text: "", last: true }

/** The body of an answer. */
export const eventStream = (source: EventSource, options: EventStreamOptions = {}): Stream.Stream<Uint8Array> => {
  const { heartbeatMs = 15_000, checkMs = 15_000, stallMs = 30_000 } = options
  const { subscription, wanted, mayRead, closing, note } = source
  const body = Effect.gen(function* () {
    let handedOut: number | undefined
    let checked = yield* Clock.currentTimeMillis
    yield* Effect.forkScoped(dropStalled(yield* Effect.fiber, () => handedOut, stallMs))

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
