/**
 * The streams of this process, and the calls that each watches. A request to watch may come to another process than the stream: it gets here over the bus.
 * Engines are told again and again which calls are watched, while the stream is open.
 */
import { Clock, Effect } from "effect"
import { makeBusRequest, takeBusRequests } from "../../../domain/basics/bus/BusRequest.ts"
import { ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import { tellWatched, watchMs } from "../../../domain/voice/engine/CallWatch.ts"

const requestType = "stream.watch"

interface WatchingStream {
  readonly organizationId: string
  /** Who reads it: nobody else changes what it watches. */
  readonly reader: string
  calls: ReadonlySet<string>
}

const textsIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : []

/** Lives as long as the scope. */
export const makeWatchedStreams = Effect.gen(function* () {
  const bus = yield* ProcessBus
  const streams = new Map<string, WatchingStream>()

  const watch = yield* makeBusRequest(requestType)
  const clock = yield* Clock.Clock
  const tell = ({ organizationId, calls }: WatchingStream) => {
    if (calls.size > 0) tellWatched(bus, organizationId, [...calls], clock.currentTimeMillisUnsafe())
  }
  yield* takeBusRequests(requestType, (organizationId, { streamId, reader, calls }) => {
    const stream = typeof streamId === "string" ? streams.get(streamId) : undefined
    if (stream === undefined || stream.organizationId !== organizationId || stream.reader !== reader) return false
    stream.calls = new Set(textsIn(calls))
    tell(stream)
    return true
  })
  const renew = Effect.sync(() => {
    for (const stream of streams.values()) tell(stream)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(renew, watchMs / 2)))

  return {
    /** A stream begins. `close` must follow. */
    open: (id: string, organizationId: string, reader: string): void =>
      void streams.set(id, { organizationId, reader, calls: new Set() }),
    close: (id: string): void => void streams.delete(id),
    watches: (id: string, callId: unknown): boolean =>
      typeof callId === "string" && streams.get(id)?.calls.has(callId) === true,
    /** Replaces the calls that a stream watches, whichever process has it. False: there is no such stream of this reader. */
    watch: (organizationId: string, reader: string, streamId: string, calls: ReadonlyArray<string>) =>
      watch(organizationId, { streamId, reader, calls: [...calls] })
  }
})
