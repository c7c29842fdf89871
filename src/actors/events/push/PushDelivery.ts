/**
 * Delivers one notification to one device: it is sent, postponed, or given up. A notification may be sent twice; the second one then replaces
 * the first on the screen.
 */
import { Clock, Effect, Metric, Random } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { Pushes, type PushNotification, PushService, pushBackOff, pushLifetimeMs } from "../../../domain/events/Push.ts"

const pushed = Metric.counter("parley_push_total", {
  description: "Notifications to devices, by what became of them",
  incremental: true
})
const count = (outcome: "sent" | "device_gone" | "refused" | "too_late" | "postponed") =>
  Metric.update(Metric.withAttributes(pushed, { outcome }), 1)

/** Takes Pushes and PushService once. Returns a function that delivers one notification. */
export const makePushDelivery = Effect.gen(function* () {
  const pushes = yield* Pushes
  const service = yield* PushService

  const later = Effect.fnUntraced(function* (notification: PushNotification, retryAfterMs: number | null) {
    const now = yield* Clock.currentTimeMillis
    const dueAt = now + pushBackOff(notification.attempts, retryAfterMs, yield* Random.next)
    if (dueAt - notification.createdAt > pushLifetimeMs) {
      yield* count("too_late")
      return yield* pushes.done(notification)
    }
    yield* count("postponed")
    yield* pushes.postpone(notification, dueAt)
  })

  return traced("Push.deliver")((notification: PushNotification) =>
    service.send(notification).pipe(
      Effect.andThen(count("sent")),
      Effect.andThen(pushes.done(notification)),
      Effect.catchTags({
        DeviceGone: () => Effect.andThen(count("device_gone"), pushes.forgetDevice(notification)),
        PushRefused: ({ message }) =>
          Effect.andThen(
            Effect.logWarning("a notification was refused", { message, eventId: notification.eventId }),
            Effect.andThen(count("refused"), pushes.done(notification))
          ),
        PushUnavailable: ({ message, retryAfterMs }) =>
          Effect.andThen(
            Effect.logWarning("the push service does not take a notification now", { message }),
            later(notification, retryAfterMs)
          )
      })
    )
  )
})
