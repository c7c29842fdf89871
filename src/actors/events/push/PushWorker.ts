/**
 * Tells devices what happened. Two steps that do not wait for each other: events become notifications (one node at a time per organization,
 * and none is lost when that node dies), and notifications go to the push service (each is one worker's for a while).
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

/** Looks at what happened until nothing is left; gives how many events that were. */
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

    /** Again at once while there was something to do, else after a while. */
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
