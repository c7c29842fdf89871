/**
 * Webhooks of all payment providers and stores over HTTP, changed at random: forged ones change nothing and are refused; those that are signed, whatever they
 * say, are answered, and no link asks for another amount or is paid by less than it asks for.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import * as PayPal from "../../../../simulators/payments/PayPal.ts"
import * as Razorpay from "../../../../simulators/payments/Razorpay.ts"
import * as Stripe from "../../../../simulators/payments/Stripe.ts"
import * as Shopify from "../../../../simulators/store/Shopify.ts"
import * as WooCommerce from "../../../../simulators/store/WooCommerce.ts"
import { publicBaseUrl } from "../../../http/world.ts"
import { eventually } from "../../../support/eventually.ts"
import { startPaymentsWith } from "../../../support/payments.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { json, shopifyOrder, wooOrder } from "../../../support/storeEvents.ts"

playsInRealTime()

const [stripeSecret, razorpaySecret] = ["whsec_0123456789abcdef", "a-secret-of-ours"]

/** A webhook that tells something true, and how its provider signs any body. */
interface Hook {
  readonly url: string
  readonly body: string
  readonly signed: (body: string) => Readonly<Record<string, string>>
}

const opened = <A extends { readonly close: () => Promise<unknown> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

/** An organization with every provider connected, a link at each payment provider that is 19.99, and an order of each store. */
const stage = Effect.gen(function* () {
  const at = { base: "" }
  const stripe = yield* opened(() => Stripe.start())
  const razorpay = yield* opened(() => Razorpay.start())
  const paypal = yield* opened(() => PayPal.start((url) => url.replace(publicBaseUrl, at.base)))
  const shop = yield* opened(() => Shopify.start())
  const store = yield* opened(() => WooCommerce.start())
  const world = yield* startPaymentsWith({
    ...{ stripe: stripe.url, razorpay: razorpay.url, shopify: shop.url },
    ...{ paypal: paypal.url, payPalRoots: [paypal.chain.root.pem] }
  })
  at.base = world.world.base
  yield* world.worker
  paypal.telling.on = false
  const hooks = yield* Effect.promise(async () => {
    const us = await world.tenant({ plan: "PREMIUM" })
    const connect = async (provider: string, given: object) =>
      world.hookOf(await world.connectProvider(us, provider, given))
    const urls = {
      stripe: await connect("stripe", { credentials: { secretKey: Stripe.stripeKey, webhookSecret: stripeSecret } }),
      razorpay: await connect("razorpay", {
        credentials: { ...Razorpay.razorpayKey, webhookSecret: razorpaySecret }
      }),
      paypal: await connect("paypal", { credentials: PayPal.payPalClient, settings: { sandbox: true } }),
      shopify: await connect("shopify", {
        settings: { shop: Shopify.shopDomain },
        credentials: Shopify.shopifyApp
      }),
      woocommerce: await connect("woocommerce", {
        settings: { url: store.url },
        credentials: WooCommerce.wooKeys
      })
    }
    const linkAt = (provider: string, currency = "USD") => world.link(us, { provider, currency })
    await fetch(String((await linkAt("stripe")).url), { method: "POST" })
    const [linkId] = stripe.records.links.keys()
    await linkAt("razorpay", "INR")
    const [{ id: razorpayId }] = razorpay.records.links.values()
    const paidEvent = razorpay.records.pay(razorpayId).find(([event]) => event === "payment_link.paid")
    assert.isDefined(paidEvent)
    const paypalUrl = String((await linkAt("paypal")).url).replace(publicBaseUrl, at.base)
    const go = async (url: string, method: string) =>
      String((await fetch(url, { method, redirect: "manual" })).headers.get("location")).replace(publicBaseUrl, at.base)
    await fetch(await go(await go(paypalUrl, "POST"), "GET"))
    const [{ id: order }] = paypal.records.orders.values()
    const [{ id: webhookId }] = paypal.records.webhooks.values()
    const [{ secret: wooSecret }] = store.webhooks
    const made: Readonly<Record<string, Hook>> = {
      stripe: {
        url: urls.stripe,
        body: stripe.eventOf("checkout.session.completed", stripe.records.sessionsOf(linkId)[0]),
        signed: (body) => ({ "stripe-signature": Stripe.stripeSignature(body, stripeSecret) })
      },
      razorpay: {
        url: urls.razorpay,
        body: razorpay.eventOf(paidEvent),
        signed: (body) => ({
          "x-razorpay-signature": Razorpay.razorpaySignature(body, razorpaySecret),
          "x-razorpay-event-id": randomUUID()
        })
      },
      paypal: {
        url: urls.paypal,
        body: paypal.eventOf(paypal.records.refund(paypal.records.captureOf(order).id, 500)[0]),
        signed: (body) => paypal.signed(body, webhookId)
      },
      shopify: {
        url: urls.shopify,
        body: json(shopifyOrder({ id: 1, minute: 4, status: "paid" })),
        signed: (body) => Shopify.deliveryOf("orders/paid", body).headers
      },
      woocommerce: {
        url: urls.woocommerce,
        body: JSON.stringify(wooOrder({ id: 727, minute: 1, status: "processing" })),
        signed: (body) => WooCommerce.deliveryOf("order.updated", body, { secret: wooSecret }).headers
      }
    }
    return { us, made }
  })
  const { us, made } = hooks
  const post = async ({ url }: Hook, body: string, headers: Readonly<Record<string, string>>) => {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers }
    })
    return { status: response.status, text: await response.text() }
  }
  const settled = eventually(
    "everything is read",
    async () => (await world.rows(us, "SELECT 1 FROM app_arrivals WHERE due_at IS NOT NULL")).length === 0,
    120
  )
  const links = () =>
    world.rows(
      us,
      "SELECT provider, amount::int, currency, paid_amount::int, refunded::int, dispute, status FROM payment_links ORDER BY provider"
    )
  const orders = () => world.rows(us, "SELECT external_id, status, total::int, lines FROM orders ORDER BY external_id")
  return { hooks: Object.entries(made), post, settled, links, orders }
})

const header = fc.stringMatching(/^[!-~]{0,40}$/)
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "0.01",
    "-1",
    "1e9",
    "NaN",
    1.005,
    -1,
    2 ** 60,
    99_999_999_999,
    true,
    "\u0000",
    []
  ),
  fc.jsonValue({ maxDepth: 2 })
)

/** Every place of a value, as what holds it and its name there. */
const placesOf = (value: unknown): ReadonlyArray<readonly [object, string]> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [[value, name] as const, ...placesOf(inner)])

/** The body with something else, or nothing, in one place. */
const changed = (body: string, { place, value, gone }: { place: number; value: unknown; gone: boolean }): string => {
  const whole: { id: unknown } = JSON.parse(body)
  // A provider whose events have an id in the body tells another event.
  if (/^(evt_|WH-)/.test(String(whole.id))) whole.id += randomUUID()
  const places = placesOf(whole)
  const [holder, name] = places[place % places.length]
  if (gone) Reflect.deleteProperty(holder, name)
  else Reflect.set(holder, name, value)
  return JSON.stringify(whole)
}

describe("a webhook of a payment provider or store that is changed at random", () => {
  it.live(
    "is refused when it is forged and changes nothing, and is answered when it is signed, whatever it says",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { hooks, post, settled, links, orders } = yield* stage
          for (const [name, hook] of hooks)
            assert.strictEqual(
              (yield* Effect.promise(() => post(hook, hook.body, hook.signed(hook.body)))).status,
              200,
              name
            )
          yield* settled
          const before = yield* Effect.promise(async () => [await links(), await orders()])
          assert.deepStrictEqual(
            before[0].map(({ provider, paidAmount, refunded }) => [provider, paidAmount, refunded]),
            [
              ["paypal", 1_999, 500],
              ["razorpay", 1_999, 0],
              ["stripe", 1_999, 0]
            ]
          )
          assert.deepStrictEqual(
            before[1].map(({ externalId, total }) => [externalId, total]),
            [
              ["727", 2_935],
              ["820982911946154001", 5_998]
            ]
          )

          for (const [name, hook] of hooks) {
            const good = hook.signed(hook.body)
            const forged = fc.record({ at: fc.nat(), to: fc.string({ maxLength: 3 }), header: fc.nat(), value: header })
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(forged, async ({ at, to, header, value }) => {
                  const place = at % hook.body.length
                  const body = hook.body.slice(0, place) + to + hook.body.slice(place + 1)
                  fc.pre(body !== hook.body)
                  const answer = await post(hook, body, good)
                  assert.include([400, 401, 413], answer.status, `${name}: ${answer.text}`)
                  const names = Object.keys(good)
                  const spoiled = await post(hook, hook.body, { ...good, [names[header % names.length]]: value })
                  assert.isBelow(spoiled.status, 500, `${name}: ${spoiled.text}`)
                }),
                { numRuns: 30 }
              )
            )
          }
          yield* settled
          assert.deepStrictEqual(yield* Effect.promise(async () => [await links(), await orders()]), before)

          const mutation = fc.record({ place: fc.nat(), value: strange, gone: fc.boolean() })
          for (const [name, hook] of hooks)
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(mutation, async (what) => {
                  const body = changed(hook.body, what)
                  const answer = await post(hook, body, hook.signed(body))
                  assert.isBelow(answer.status, 500, `${name}: ${body} was answered ${answer.text}`)
                }),
                { numRuns: 40 }
              )
            )
          yield* settled
          for (const { amount, currency, paidAmount, provider } of yield* Effect.promise(links)) {
            assert.deepStrictEqual([amount, currency], [1_999, provider === "razorpay" ? "INR" : "USD"])
            assert.isAtLeast(Number(paidAmount), 1_999)
          }
        })
      ),
    600_000
  )
})
