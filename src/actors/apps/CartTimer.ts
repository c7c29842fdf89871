/** Tells of abandoned carts. The times are stored with the carts, so a restart loses none; several processes may look at once. */
import { Clock, Effect, Layer } from "effect"
import { periodically } from "../../domain/basics/Periodically.ts"
import { Carts } from "../../domain/business/carts/Cart.ts"

const lookEvery = "15 seconds"
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

/** Needs Carts. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(makeCartRound, (round) =>
    periodically("the timer of carts could not look", { first: lookEvery, every: lookEvery }, round)
  )
)
