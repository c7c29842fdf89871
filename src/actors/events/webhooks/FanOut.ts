/**
 * Turns events into deliveries, for the organizations that have endpoints. It does so at once when the feed reports new events, and looks every
 * 10 seconds at all endpoints that are behind. So a missed notice or a failed attempt is made up for. Every node runs it; an event still
 * becomes one delivery per endpoint.
 */
import { Clock, Effect, Queue } from "effect"
import { EventFeed } from "../../../domain/events/EventFeed.ts"
import { WebhookQueue } from "../../../domain/events/Webhook.ts"
import { Organizations, planRefusal } from "../../../domain/people/organizations/Organization.ts"

const lookEvery = "10 seconds"

/** Needs EventFeed, WebhookQueue and Organizations. Never returns. It runs `made` when there may be new deliveries. */
export const fanOutForEver = Effect.fnUntraced(function* (made: Effect.Effect<void>) {
  const feed = yield* EventFeed
  const queue = yield* WebhookQueue
  const organizations = yield* Organizations
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

  const fanOut = Effect.fnUntraced(function* (organizationId: string) {
    const organization = yield* organizations.find(organizationId)
    // On a plan without webhooks events are skipped, not kept for later.
    const skip = organization === undefined || planRefusal("webhooks", organization) !== undefined
    while (yield* queue.fanOut(organizationId, skip, yield* Clock.currentTimeMillis)) yield* made
    yield* made
  })
  const attempt = (organizationId: string) =>
    Effect.catchCause(fanOut(organizationId), (cause) =>
      Effect.logWarning("events could not be made deliveries", { organizationId }, cause)
    )

  const look = Effect.gen(function* () {
    yield* Queue.take(signal)
    const wanted = everybody ? undefined : [...news]
    everybody = false
    news = new Set()
    yield* Effect.forEach(yield* queue.behind(wanted), attempt, { discard: true, concurrency: 4 })
  })
  const once = Effect.catchCause(look, (cause) =>
    Effect.logWarning("webhooks could not look for events", cause).pipe(
      Effect.andThen(Effect.sleep("1 second")),
      Effect.andThen(lookAtEverybody)
    )
  )
  // The first look finds the events from before the start.
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(lookAtEverybody, Effect.sleep(lookEvery))))
  return yield* Effect.forever(once)
})
