/**
 * Takes messages from the outbox and hands them to the channel, many at a time. The outbox gives the messages of one conversation one after the
 * other. Any number of processes may run it.
 */
import { Effect, Layer } from "effect"
import { PersistedQueue } from "effect/persistence"
import { type DeliveryRules, deliveryDefaults, placesOf } from "../../../domain/messaging/sending/DeliveryRules.ts"
import { QueuedMessage } from "../../../domain/messaging/sending/Outbox.ts"
import { makeDeliver } from "./Deliver.ts"

/** Messages under way at a time in this process, over all organizations: enough for eight that send at their full pace. */
const takersOf = (rules: DeliveryRules) => Math.max(256, 8 * placesOf(rules))

/** Needs the PersistedQueueFactory over the outbox, and what `makeDeliver` needs; runs for the life of the scope. */
export const layer = (options: Partial<DeliveryRules> = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const queue = yield* PersistedQueue.make({ name: "outbox", schema: QueuedMessage })
      const rules = { ...deliveryDefaults, ...options }
      const deliver = yield* makeDeliver(rules)
      const takeOne = queue
        .take((queued, { attempts }) => deliver({ ...queued, attempt: attempts }))
        .pipe(
          // The message is back in the queue.
          Effect.catchTag("Postponed", () => Effect.void),
          Effect.catchTag("PersistedQueueError", (error) => Effect.logWarning("the outbox gave no message", error)),
          Effect.catchDefect((defect) => Effect.logError("delivering a message broke", defect))
        )
      yield* Effect.forEach(Array.from({ length: takersOf(rules) }), () => Effect.forkScoped(Effect.forever(takeOne)), {
        discard: true
      })
    })
  )
