/** Tells of abandoned carts, and reminds of them. The times are stored with the carts, so a restart loses none; several processes may look at once. */
import { Clock, type Duration, Effect, Layer } from "effect"
import { makeRemindOfCart } from "../../domain/apps/stores/RemindOfCart.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { Carts } from "../../domain/business/carts/Cart.ts"

const organizationsAtOnce = 100
/** Carts of one organization in one transaction. */
const cartsAtOnce = 100

/** Makes an effect that tells of all carts whose time is over. Needs Carts. */
export const makeCartRound = Effect.map(Carts, (carts) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const organizationId of yield* carts.due(now, organizationsAtOnce))
      while ((yield* carts.abandon(organizationId, now, cartsAtOnce)) === cartsAtOnce);
  })
)

/** A reminder takes less than this. Milliseconds. */
const leaseMs = 120_000

/** Makes an effect that sends all reminders that are due. Needs what `makeRemindOfCart` needs. */
export const makeReminderRound = Effect.gen(function* () {
  const carts = yield* Carts
  const remind = yield* makeRemindOfCart
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const organizationId of yield* carts.toRemind(now, organizationsAtOnce))
      for (const cart of yield* carts.claimReminders(organizationId, now, leaseMs, cartsAtOnce)) yield* remind(cart)
  })
})

export interface CartTimerOptions {
  /** How often it looks. Default 15 seconds. */
  readonly lookEvery?: Duration.Input
}

/** Needs Carts and what `makeRemindOfCart` needs. */
export const layer = ({ lookEvery = "15 seconds" }: CartTimerOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const [round, reminders] = [yield* makeCartRound, yield* makeReminderRound]
      const both = Effect.andThen(round, reminders)
      yield* periodically("the timer of carts could not look", { first: lookEvery, every: lookEvery }, both)
    })
  )
