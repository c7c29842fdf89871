/** Organizations that are connected to a simulated Stripe. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { start, stripeKey } from "../../simulators/payments/Stripe.ts"
import * as PaymentWorker from "../../src/actors/payments/PaymentWorker.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { startAppsWith } from "./apps.ts"
import { testApps } from "./testApps.ts"

/** Lives as long as the scope. */
export const startStripe = Effect.gen(function* () {
  const stripe = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const apps = yield* startAppsWith({ stripe: stripe.url })
  type Tenant = Awaited<ReturnType<typeof apps.tenant>>
  const connectStripe = async (as: Tenant, webhookSecret = "whsec_0123456789abcdef") => {
    const given = { credentials: { secretKey: stripeKey, webhookSecret } }
    const { status, body } = await apps.call(as, "PUT", "/stripe", given)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.connection as Record<string, unknown>
  }
  /** A node that asks about payments; it stops with the scope. */
  const paymentWorker = Layer.build(
    PaymentWorker.layer({ lookEveryMs: 50, leaseMs: 3_000 }).pipe(
      Layer.provide([
        testApps({ stripe: stripe.url }),
        RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)),
        Layer.succeedContext(apps.stores)
      ])
    )
  )
  const links = (as: Tenant, method: string, path = "", body?: unknown) =>
    apps.call(as, method, `/api/payment-links${path}`, body)
  /** A link that was made. */
  const link = async (as: Tenant, body: object = {}) => {
    const usual = { amount: "19.99", currency: "USD", description: "Order 2041" }
    const made = await links(as, "POST", "", { ...usual, ...body })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    return made.body as Record<string, string | boolean | null>
  }
  /** The types of the events about payments and orders, oldest first. */
  const events = async (as: Tenant) =>
    (
      await apps.rows(
        as,
        "SELECT type FROM events WHERE type LIKE 'payment.%' OR type LIKE 'order.%' ORDER BY position"
      )
    ).map(({ type }) => String(type))
  return { ...apps, stripe, connectStripe, paymentWorker, links, link, events }
})
export type WithStripe = Effect.Success<typeof startStripe>
