/**
 * Lets a reader of the event log follow it for every organization: at once when the feed reports new events, and every 10 seconds for all organizations
 * that are behind. So a missed notice or a failed attempt is made up for. Every node runs it; the reader keeps its place in the database.
 */
import { Clock, Effect, Queue } from "effect"
import { EventFeed } from "./EventFeed.ts"

const lookEvery = "10 seconds"

export interface LogReader {
  /** For the log of the process: `webhooks`. */
  readonly what: string
  /** Those of these organizations (`undefined`: of all) that have events which the reader was not given yet. */
  readonly behind: (organizations: ReadonlyArray<string> | undefined) => Effect.Effect<ReadonlyArray<string>>
  /** Takes the next events of an organization. True: there may be more. */
  readonly read: (organizationId: string, now: number) => Effect.Effect<boolean>
  /** Runs after each step that may have made work. */
  readonly made: Effect.Effect<void>
}

/** Needs EventFeed. Never returns. */
export const followLog = Effect.fnUntraced(function* ({ what, behind, read, made }: LogReader) {
  const feed = yield* EventFeed
  const signal = yield* Queue.sliding<void>(1)
  const wake = () => void Queue.offerUnsafe(signal, undefined)
  let news = new Set<string>()
  let everybody = false
  const lookAtEverybody = Effect.sync(() => {
    everybody = true
    wake()
  })
  yield* feed.onNews((told) => {
    for (const organizationId of told) news.add(organizationId)
    wake()
  })

  const readAll = Effect.fnUntraced(function* (organizationId: string) {
    while (yield* read(organizationId, yield* Clock.currentTimeMillis)) yield* made
    yield* made
  })
  const attempt = (organizationId: string) =>
    Effect.catchCause(readAll(organizationId), (cause) =>
      Effect.logWarning(`events could not be given to ${what}`, { organizationId }, cause)
    )

  const look = Effect.gen(function* () {
    yield* Queue.take(signal)
    const wanted = everybody ? undefined : [...news]
    everybody = false
    news = new Set()
    yield* Effect.forEach(yield* behind(wanted), attempt, { discard: true, concurrency: 4 })
  })
  const once = Effect.catchCause(look, (cause) =>
    Effect.logWarning(`${what} could not look for events`, cause).pipe(
      Effect.andThen(Effect.sleep("1 second")),
      Effect.andThen(lookAtEverybody)
    )
  )
  // The first look finds the events from before the start.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(lookAtEverybody, Effect.sleep(lookEvery))))
  return yield* Effect.forever(once)
})
