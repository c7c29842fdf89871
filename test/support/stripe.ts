/** Organizations that are connected to a simulated Stripe. */
import { Effect } from "effect"
import { start, stripeKey } from "../../simulators/payments/Stripe.ts"
import { startPaymentsWith } from "./payments.ts"

/** Lives as long as the scope. */
export const startStripe = Effect.gen(function* () {
  const stripe = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const payments = yield* startPaymentsWith({ stripe: stripe.url })
  type Tenant = Awaited<ReturnType<typeof payments.tenant>>
  const connectStripe = (as: Tenant, webhookSecret = "whsec_0123456789abcdef") =>
    payments.connectProvider(as, "stripe", { credentials: { secretKey: stripeKey, webhookSecret } })
  return { ...payments, stripe, connectStripe }
})
export type WithStripe = Effect.Success<typeof startStripe>
