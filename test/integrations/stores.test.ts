import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import "@shopify/shopify-api/adapters/node"
import { ApiVersion, shopifyApi } from "@shopify/shopify-api"
import { Effect } from "effect"
import fc from "fast-check"
import * as ShopifyStore from "../../simulators/store/Shopify.ts"
import * as WooStore from "../../simulators/store/WooCommerce.ts"
import type { AppInbound } from "../../src/domain/apps/AppInbound.ts"
import type { AppSession } from "../../src/domain/apps/AppSession.ts"
import { isSignedBody } from "../../src/integrations/secrets/SignedBody.ts"
import * as Shopify from "../../src/integrations/shopify/Shopify.ts"
import * as WooCommerce from "../../src/integrations/woocommerce/WooCommerce.ts"
import { json, shopifyCheckout, shopifyOrder, shopifyProduct, wooOrder } from "../support/storeEvents.ts"

/** Base64 of the HMAC-SHA256 of the body with the secret, computed apart from this code by the rules of both vendors. */
const vectors = [
  {
    secret: "shpss_0123456789abcdef",
    body: '{"id":820982911946154508,"email":"jon@example.com"}',
    signature: "ne+Twf3BMrJ3AMcsdK/cwASHZl8vw1iJXvr4ORLXiaU="
  },
  {
    secret: "woo-webhook-secret",
    body: '{"id":727,"status":"processing"}',
    signature: "GStrN/7xMHXCkSpO+IdiecICbxMHdTeZCJfm0Avt7CY="
  }
]

const now = Date.parse("2026-11-25T10:00:00Z")
const nobody = () => Effect.die(new Error("Nobody is to be asked"))
const shopify: AppSession = {
  organizationId: "org_1",
  settings: { shop: ShopifyStore.shopDomain },
  credentials: { ...ShopifyStore.shopifyApp, currency: "USD" },
  ask: nobody,
  fetch: nobody
}
const woocommerce: AppSession = {
  organizationId: "org_1",
  settings: { url: "https://store.example" },
  credentials: { ...WooStore.wooKeys, webhookSecret: "woo-webhook-secret", currency: "USD" },
  ask: nobody,
  fetch: nobody
}
const inboundOf = (inbound: AppInbound | undefined): AppInbound => {
  assert.isDefined(inbound)
  return inbound
}
const shops = inboundOf(Shopify.make().inbound)
const stores = inboundOf(WooCommerce.make().inbound)
const url = "https://parley.example/api/integrations/shopify/webhooks/t"
const sent = ({ body, headers }: ShopifyStore.Delivery) => ({ body: new TextEncoder().encode(body), headers, url })

/** What a delivery of the shop becomes. */
const told = Effect.fnUntraced(function* (topic: string, body: string) {
  const { arrivals } = yield* shops.verify(shopify, sent(ShopifyStore.deliveryOf(topic, body)), now)
  return (yield* Effect.forEach(arrivals, (arrival) => shops.read(shopify, arrival, now))).flat()
})

describe("a webhook of a store", () => {
  it("is signed by the rules of both vendors", () => {
    for (const { secret, body, signature } of vectors) {
      assert.isTrue(isSignedBody(["old", secret], Buffer.from(body), signature))
      assert.isFalse(isSignedBody([secret], Buffer.from(`${body} `), signature))
    }
  })

  it.effect("of Shopify is taken with the right signature only, and one of another shop is not", () =>
    Effect.gen(function* () {
      const good = ShopifyStore.deliveryOf("orders/create", json(shopifyOrder({ id: 18, minute: 0 })), { id: "w1" })
      const { arrivals } = yield* shops.verify(shopify, sent(good), now)
      assert.deepInclude(arrivals[0], { id: "w1", topic: "orders/create", lane: "order 820982911946154018" })
      const refusals = [
        { ...good, body: good.body.replace("59.98", "0.98") },
        ShopifyStore.deliveryOf("orders/create", good.body, { secret: "another" }),
        { ...good, headers: { ...good.headers, "x-shopify-shop-domain": "other.myshopify.com" } },
        { ...good, headers: { "x-shopify-topic": "orders/create" } }
      ]
      for (const refused of refusals) {
        const error = yield* Effect.flip(shops.verify(shopify, sent(refused), now))
        assert.deepInclude(error, { _tag: "AppRejection", status: 401 })
      }
    })
  )

  it.effect("of Shopify keeps every digit of ids and amounts", () =>
    Effect.gen(function* () {
      const [order] = yield* told("orders/paid", json(shopifyOrder({ id: 18, minute: 3, status: "paid" })))
      assert.deepInclude(order, {
        _tag: "order",
        externalId: "820982911946154018",
        number: "1018",
        status: "paid",
        total: 5_998,
        subtotal: 5_998,
        checkoutExternalId: "token-18"
      })
      const [cart] = yield* told("checkouts/update", json(shopifyCheckout({ id: 2, minute: 7 })))
      assert.deepInclude(cart, { _tag: "checkout", externalId: "token-2", total: 1_700, completedAt: null })
      const [product] = yield* told("products/update", json(shopifyProduct({ id: 0, minute: 1 })))
      assert.deepInclude(product, {
        externalId: "632910392/808950810",
        description: "Hardcover,\n320 pages & maps.",
        price: { amount: 2_150, currency: "USD" },
        stock: 9
      })
    })
  )

  it.effect("of WooCommerce is taken with the right signature only, and its unsigned ping has no effect", () =>
    Effect.gen(function* () {
      const good = WooStore.deliveryOf("order.updated", JSON.stringify(wooOrder({ id: 727, minute: 1 })), {
        secret: "woo-webhook-secret"
      })
      const { arrivals } = yield* stores.verify(woocommerce, sent(good), now)
      const records = yield* stores.read(woocommerce, arrivals[0], now)
      assert.deepInclude(records[0], { _tag: "order", total: 2_935, subtotal: 1_800, tax: 135, status: "pending" })
      assert.deepInclude(records[1], { _tag: "checkout", externalId: "727", completedAt: null })
      assert.strictEqual(records[0]._tag === "order" ? records[0].buyer?.phone : undefined, "+14155550126")
      const forged = { ...good, body: good.body.replace("29.35", "0.35") }
      assert.deepInclude(yield* Effect.flip(stores.verify(woocommerce, sent(forged), now)), { status: 401 })
      const ping = { body: "webhook_id=142", headers: { "content-type": "application/x-www-form-urlencoded" } }
      assert.deepStrictEqual(yield* stores.verify(woocommerce, sent(ping), now), { arrivals: [] })
      const more = { ...ping, body: "webhook_id=142&order=1" }
      assert.deepInclude(yield* Effect.flip(stores.verify(woocommerce, sent(more), now)), { status: 401 })
    })
  )

  it("with any signed body is refused or read, never broken, and never with another amount", async () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(null, "", "0.1", "-1", "1e9", "NaN", 1.005, -1, 2 ** 60, "12.345", "99999999999999999"),
        fc.string(),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("any"), { maxKeys: 3 })
      )
    })).any
    const changed = (whole: object) =>
      fc.tuple(fc.constantFrom(...Object.keys(whole)), value).map(([key, given]) => ({ ...whole, [key]: given }))
    const kinds = [
      ["orders/updated", changed(shopifyOrder({ id: 3, minute: 1 }))],
      ["checkouts/update", changed(shopifyCheckout({ id: 3, minute: 1 }))],
      ["products/update", changed(shopifyProduct({ id: 3, minute: 1 }))],
      ["orders/create", value]
    ] as const
    for (const [topic, bodies] of kinds)
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const text = json(body)
          const exit = await Effect.runPromise(
            Effect.match(told(topic, text), {
              onFailure: ({ _tag }) => ({ _tag, records: [] }),
              onSuccess: (records) => ({ _tag: "Read" as const, records })
            })
          )
          const given = Reflect.get(Object(body), "total_price")
          for (const record of exit.records)
            if (record._tag === "order" || record._tag === "checkout")
              assert.strictEqual(record.total, Math.round(Number(given ?? 0) * 100))
        }),
        { numRuns: 150 }
      )
    const woo = changed(wooOrder({ id: 3, minute: 1 }))
    await fc.assert(
      fc.asyncProperty(woo, async (body) => {
        const arrival = { id: "1", topic: "order.updated", lane: "order 3", at: null, payload: JSON.stringify(body) }
        const records = await Effect.runPromise(
          Effect.match(stores.read(woocommerce, arrival, now), { onFailure: () => [], onSuccess: (all) => all })
        )
        for (const record of records)
          if (record._tag === "order") assert.strictEqual(record.total, Math.round(Number(body.total) * 100))
      }),
      { numRuns: 300 }
    )
  })
})

describe("the version of Shopify's interface", () => {
  it("is told of in the last 90 days before it ends", () => {
    const { notice } = Shopify.make()
    const endsAt = Date.parse("2027-10-01T00:00:00Z")
    assert.isUndefined(notice?.(endsAt - 91 * 86_400_000))
    assert.match(notice?.(endsAt - 89 * 86_400_000) ?? "", /Shopify ends version 2026-10 of its API on 2027-10-01/)
  })
})

describe("a delivery of the simulated Shopify", () => {
  it("is valid for Shopify's own library, and not when a byte differs", async () => {
    const { clientId: apiKey = "", clientSecret: apiSecretKey = "" } = ShopifyStore.shopifyApp
    const app = { apiKey, apiSecretKey, scopes: [], hostName: "app.example.test", isEmbeddedApp: false }
    const library = shopifyApi({ ...app, apiVersion: ApiVersion.October26 })
    const { body, headers } = ShopifyStore.deliveryOf("orders/paid", json(shopifyOrder({ id: 1, minute: 4 })))
    const rawRequest = Object.assign(new IncomingMessage(new Socket()), { headers, method: "POST", url: "/" })
    const valid = async (rawBody: string) => (await library.webhooks.validate({ rawBody, rawRequest })).valid
    assert.deepStrictEqual([await valid(body), await valid(`${body} `)], [true, false])
  })
})
