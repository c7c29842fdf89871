/**
 * Notifies devices of events, in two steps that do not wait for each other. First, events become notifications: one node at a time does it per
 * organization, and none is lost when that node dies. Second, notifications go to the push service: a worker claims each for a while.
 */
import { Clock, Effect, FiberSet, Layer } from "effect"
import { Pushes } from "../../../domain/events/Push.ts"
import { makePushDelivery } from "./PushDelivery.ts"

const lookEvery = "1 second"
const eventsAtOnce = 200
const organizationsAtOnce = 100
const mostUnderWay = 32
/** Longer than a request to the push service may take. */
const leaseMs = 60_000

/** Makes notifications of one batch of events for each waiting organization. Returns how many events it took. */
export const makeTakeEvents = Effect.map(Pushes, (pushes) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let taken = 0
    for (const organizationId of yield* pushes.waiting(organizationsAtOnce)) {
      const more = pushes.take(organizationId, now, eventsAtOnce)
      taken += yield* more.pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("events could not be told to devices", { organizationId }, cause), 0)
        )
      )
    }
    return taken
  })
)

/** Needs Pushes and PushService. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const pushes = yield* Pushes
    const takeEvents = yield* makeTakeEvents
    const deliver = yield* makePushDelivery
    const running = yield* FiberSet.make()

    const sendDue = Effect.gen(function* () {
      const free = mostUnderWay - (yield* FiberSet.size(running))
      if (free <= 0) return 0
      const due = yield* pushes.claim(yield* Clock.currentTimeMillis, leaseMs, free)
      yield* Effect.forEach(due, (notification) => FiberSet.run(running, deliver(notification)), { discard: true })
      return due.length
    })

    /** Repeats `work` for ever: soon while there was something to do, else after `lookEvery`. */
    const keep = (what: string, work: Effect.Effect<number>) =>
      work.pipe(
        Effect.catchCause((cause) => Effect.as(Effect.logWarning(what, cause), 0)),
        Effect.flatMap((done) => (done > 0 ? Effect.sleep("50 millis") : Effect.sleep(lookEvery))),
        Effect.forever,
        Effect.forkScoped
      )
    yield* keep("the worker of notifications could not look at events", takeEvents)
    yield* keep("the worker of notifications could not look for them", sendDue)
  })
)
