/** Organizations with payment providers, which are simulated. */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import * as PaymentWorker from "../../src/actors/payments/PaymentWorker.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { startAppsWith } from "./apps.ts"
import { testApps } from "./testApps.ts"

/** Lives as long as the scope. */
export const startPaymentsWith = Effect.fnUntraced(function* (providers: Parameters<typeof testApps>[0]) {
  const apps = yield* startAppsWith(providers)
  type Tenant = Awaited<ReturnType<typeof apps.tenant>>
  /** Connects a provider, and gives the connection as it is shown. */
  const connectProvider = async (as: Tenant, provider: string, given: object) => {
    const { status, body } = await apps.call(as, "PUT", `/${provider}`, given)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.connection as Record<string, unknown>
  }
  /** Where the webhooks of a connection are taken. */
  const hookOf = ({ webhookUrl }: Record<string, unknown>) => apps.world.base + new URL(String(webhookUrl)).pathname
  /** A node that asks about payments; it stops with the scope. */
  const paymentWorker = Layer.build(
    PaymentWorker.layer({ lookEveryMs: 50, leaseMs: 3_000 }).pipe(
      Layer.provide([
        testApps(providers),
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
  /** The state of a link, as far as a payment changes it. */
  const state = async (as: Tenant, id: unknown) => {
    const { status, paidAmount, refundedAmount, dispute, failureReason } = (await links(as, "GET", `/${id}`)).body
    return { status, paidAmount, refundedAmount, dispute, failureReason } as Record<string, string | null>
  }
  return { ...apps, connectProvider, hookOf, paymentWorker, links, link, events, state }
})
export type WithPayments = Effect.Success<ReturnType<typeof startPaymentsWith>>
