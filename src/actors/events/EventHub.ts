/**
 * The live event feed of this process: one fiber reads the log for all subscribers. It reads when it is woken, then again at growing intervals,
 * because an event becomes readable only when older transactions have ended, and at least once a second.
 */
import { Clock, Effect, Layer, Option, Queue, type Scope } from "effect"
import { type BusMessage, ProcessBus } from "../../domain/basics/bus/ProcessBus.ts"
import {
  EventFeed,
  EventLog,
  type FeedEvent,
  isBehind,
  type LoggedEvent,
  type LogPlace,
  type Subscription
} from "../../domain/events/EventFeed.ts"
import { EventWakeUp } from "../../domain/events/EventWakeUp.ts"
import { isPassingType, type PassingEvent } from "../../domain/events/PassingEvent.ts"

export interface EventHubOptions {
  /** Longest time between two reads, in milliseconds. Default 1,000. */
  readonly everyMs?: number
}

/** Shortest time between two reads, however often it is woken, so that events close together are read together. */
const shortestMs = 25
/** The most events of one read. */
const most = 200
/** The most batches kept for a subscriber. A subscriber that is further behind reads the log itself again. */
const waitingParts = 16

/** The most passing events kept for a subscriber; of more, the oldest are dropped. */
const waitingPassing = 512

type Batch = ReadonlyArray<LoggedEvent>

/** One subscriber. `batches`: events it has not taken yet. `missed`: some did not fit. The signal only wakes it. */
interface Waiting {
  batches: Array<Batch>
  missed: boolean
  passing: Array<PassingEvent>
  readonly signal: Queue.Queue<void>
}

/** The subscribers of one organization in this process, and how far the log was read for them. */
interface Tail {
  read: LogPlace
  readonly waiting: Set<Waiting>
}

/** Needs EventLog and EventWakeUp. */
export const layer = (options: EventHubOptions = {}) =>
  Layer.effect(
    EventFeed,
    Effect.gen(function* () {
      const log = yield* EventLog
      const { everyMs = 1_000 } = options
      const wakeUp = yield* EventWakeUp
      const wakeUps = yield* Queue.sliding<void>(1)
      const tails = new Map<string, Tail>()
      const hearers = new Set<(organizations: ReadonlySet<string>) => void>()
      const silence = wakeUp.listen(() => void Queue.offerUnsafe(wakeUps, undefined), { relayed: true })
      yield* Effect.addFinalizer(() => Effect.sync(silence))

      const bus = yield* ProcessBus
      const pass = ({ organizationId, type, at, data }: BusMessage) => {
        const tail = tails.get(organizationId)
        if (tail === undefined || !isPassingType(type)) return
        const event: PassingEvent = { type, createdAt: new Date(at).toISOString(), data }
        for (const one of tail.waiting) {
          if (one.passing.length >= waitingPassing) one.passing.shift()
          one.passing.push(event)
          Queue.offerUnsafe(one.signal, undefined)
        }
      }
      const leave = bus.listen(pass, { relayed: true })
      yield* Effect.addFinalizer(() => Effect.sync(leave))

      const handOut = (tail: Tail, events: Batch) => {
        if (events.length === 0) return
        for (const one of tail.waiting) {
          if (one.batches.length < waitingParts) one.batches.push(events)
          else one.missed = true
          Queue.offerUnsafe(one.signal, undefined)
        }
      }

      const advance = Effect.fnUntraced(function* (organizationId: string) {
        const tail = tails.get(organizationId)
        while (tail !== undefined && tail.waiting.size > 0) {
          const { events, last, full } = yield* log.read(organizationId, tail.read, most)
          tail.read = last
          handOut(tail, events)
          if (!full) return
        }
      })

      /** Organizations whose log could not be read. The head is already past their events, so each look tries them again. */
      const unread = new Set<string>()
      const advanceOrComplain = (organizationId: string) =>
        advance(organizationId).pipe(
          Effect.andThen(Effect.sync(() => void unread.delete(organizationId))),
          Effect.catchCause((cause) => {
            unread.add(organizationId)
            return Effect.logWarning("the event log of an organization could not be read", { organizationId }, cause)
          })
        )

      let head = yield* log.end
      const look = Effect.gen(function* () {
        yield* Effect.forEach([...unread], advanceOrComplain, { discard: true })
        while (true) {
          const { organizations, last, full } = yield* log.news(head, 1_000)
          yield* Effect.forEach(organizations, advanceOrComplain, { discard: true })
          if (organizations.size > 0) for (const hear of hearers) hear(organizations)
          head = last
          if (!full) return
        }
      })
      const lookOrComplain = Effect.catchCause(look, (cause) =>
        Effect.logWarning("the event log could not be read", cause)
      )

      const watch = Effect.gen(function* () {
        let pause = everyMs
        while (true) {
          const woken = yield* Effect.timeoutOption(Queue.take(wakeUps), pause)
          pause = Option.isSome(woken) ? shortestMs : Math.min(everyMs, pause * 2)
          const began = yield* Clock.currentTimeMillis
          yield* lookOrComplain
          const took = (yield* Clock.currentTimeMillis) - began
          if (took < shortestMs) yield* Effect.sleep(shortestMs - took)
        }
      })
      yield* Effect.forkScoped(watch)

      const tailOf = Effect.fnUntraced(function* (organizationId: string) {
        const known = tails.get(organizationId)
        if (known !== undefined) return known
        const tail: Tail = { read: yield* log.end, waiting: new Set() }
        // Another subscriber may have made the tail meanwhile.
        const made = tails.get(organizationId) ?? tail
        tails.set(organizationId, made)
        return made
      })

      const waitIn = (organizationId: string): Effect.Effect<Waiting, never, Scope.Scope> =>
        Effect.acquireRelease(
          Effect.gen(function* () {
            const signal = yield* Queue.sliding<void>(1)
            const tail = yield* tailOf(organizationId)
            const one: Waiting = { batches: [], missed: false, passing: [], signal }
            tail.waiting.add(one)
            tails.set(organizationId, tail)
            return one
          }),
          (one) =>
            Effect.sync(() => {
              const tail = tails.get(organizationId)
              tail?.waiting.delete(one)
              if (tail?.waiting.size === 0) tails.delete(organizationId)
            })
        )

      const subscribe = Effect.fnUntraced(function* (organizationId: string, after: LogPlace | undefined) {
        // First, so that events after the reads below reach the queue.
        const one = yield* waitIn(organizationId)
        let place = after ?? (yield* log.end)
        let behind = true

        const catchUp = Effect.gen(function* () {
          const part = yield* log.read(organizationId, place, most)
          place = part.last
          behind = part.full
          return part.events
        })
        const taken = () => {
          const fresh = (one.batches.shift() ?? []).filter((event) => isBehind(event.place, place))
          place = fresh.at(-1)?.place ?? place
          return fresh
        }
        const next = Effect.fnUntraced(function* (waitMs: number) {
          const until = (yield* Clock.currentTimeMillis) + waitMs
          while (true) {
            if (one.missed) {
              one.batches = []
              one.missed = false
              behind = true
            }
            const logged: Batch = behind ? yield* catchUp : taken()
            const events: ReadonlyArray<FeedEvent> = [...logged, ...one.passing.splice(0)]
            if (events.length > 0) return events
            if (behind || one.batches.length > 0) continue
            const left = until - (yield* Clock.currentTimeMillis)
            if (left <= 0) return []
            yield* Effect.timeoutOption(Queue.take(one.signal), left)
          }
        })
        return { next } satisfies Subscription
      })

      return EventFeed.of({
        subscribe,
        onNews: (hear) =>
          Effect.acquireRelease(
            Effect.sync(() => void hearers.add(hear)),
            () => Effect.sync(() => void hearers.delete(hear))
          )
      })
    })
  )
