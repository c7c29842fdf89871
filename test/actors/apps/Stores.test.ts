/** A store is connected as a person does it, and its webhooks come over the network as the vendor sends them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Shopify from "../../../simulators/store/Shopify.ts"
import * as WooCommerce from "../../../simulators/store/WooCommerce.ts"
import { makeCartRound } from "../../../src/actors/apps/CartTimer.ts"
import { startAppsWith } from "../../support/apps.ts"
import { eventually } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import {
  json,
  shopifyCheckout,
  shopifyCustomer,
  shopifyOrder,
  shopifyProduct,
  wooOrder
} from "../../support/storeEvents.ts"

playsInRealTime()

const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000).toISOString()

const opened = <A extends { readonly close: () => Promise<void> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

describe("a connected store", () => {
  it.live("of Shopify registers its webhooks, fills the modules, and makes abandoned carts known", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const shop = yield* opened(() => Shopify.start())
        shop.lists.set("products", [shopifyProduct({ id: 0, minute: 1 })])
        shop.lists.set("customers", [shopifyCustomer({ id: 1, minute: 0 })])
        shop.lists.set(
          "orders",
          Array.from({ length: 120 }, (_, id) => shopifyOrder({ id: 100 + id, minute: 0 }))
        )
        const apps = yield* startAppsWith({ shopify: shop.url })
        yield* apps.worker
        const as = yield* Effect.promise(() => apps.tenant())
        const answer = yield* Effect.promise(() =>
          apps.call(as, "PUT", "/shopify", {
            settings: { shop: Shopify.shopDomain },
            credentials: Shopify.shopifyApp
          })
        )
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        const webhookUrl = String((answer.body.connection as Record<string, unknown>).webhookUrl)
        assert.isTrue(shop.subscriptions.every(({ uri }) => uri === webhookUrl))
        assert.include(
          shop.subscriptions.map(({ topic }) => topic),
          "CHECKOUTS_UPDATE"
        )
        const send = ({ body, headers }: Shopify.Delivery) =>
          Effect.promise(async () => {
            const response = await fetch(apps.world.base + new URL(webhookUrl).pathname, {
              method: "POST",
              body,
              headers
            })
            return response.status
          })
        const paid = Shopify.deliveryOf("orders/paid", json(shopifyOrder({ id: 1, minute: 4, status: "paid" })))
        assert.strictEqual(yield* send(paid), 200)
        assert.strictEqual(yield* send(paid), 200)
        assert.strictEqual(
          yield* send(Shopify.deliveryOf("orders/create", json(shopifyOrder({ id: 1, minute: 2 })))),
          200
        )
        assert.strictEqual(
          yield* send(
            Shopify.deliveryOf(
              "checkouts/update",
              json({ ...shopifyCheckout({ id: 2, minute: 1 }), updated_at: twoHoursAgo })
            )
          ),
          200
        )
        assert.strictEqual(yield* send({ ...paid, body: paid.body.replace("59.98", "0.01") }), 401)
        const orders = () => apps.rows(as, "SELECT number, status, total, contact_id FROM orders ORDER BY number")
        yield* eventually("the order and the cart are there", async () => {
          const [order] = await orders()
          assert.deepInclude(order, { number: "1001", status: "paid" })
          assert.isNotNull(order.contactId)
          return (
            (await apps.rows(as, "SELECT 1 FROM carts WHERE version IS NOT NULL AND recovery_url IS NOT NULL"))
              .length === 1
          )
        })
        yield* Effect.promise(() => apps.run(Effect.flatten(makeCartRound)))
        assert.lengthOf(
          yield* Effect.promise(() => apps.rows(as, "SELECT 1 FROM events WHERE type = 'cart.abandoned'")),
          1
        )
        // The modules are those of a higher plan; what the store tells is stored all the same.
        const refused = yield* Effect.promise(() => apps.call(as, "GET", "/api/orders"))
        assert.strictEqual(refused.status, 403)
        const filled = yield* Effect.promise(() => apps.call(as, "POST", "/shopify/backfill/start"))
        assert.strictEqual(filled.status, 200, JSON.stringify(filled.body))
        yield* eventually("all pages are in", async () => (await orders()).length === 121, 60)
        assert.lengthOf(yield* Effect.promise(() => apps.rows(as, "SELECT 1 FROM products")), 1)
      })
    )
  )

  it.live("of WooCommerce learns a secret for its webhooks, and is connected with keys that may only read too", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const store = yield* opened(() => WooCommerce.start())
        const apps = yield* startAppsWith()
        yield* apps.worker
        const as = yield* Effect.promise(() => apps.tenant())
        const connect = (url: string) =>
          Effect.promise(() =>
            apps.call(as, "PUT", "/woocommerce", { settings: { url }, credentials: WooCommerce.wooKeys })
          )
        const answer = yield* connect(store.url)
        assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        const webhookUrl = String((answer.body.connection as Record<string, unknown>).webhookUrl)
        assert.isAbove(store.webhooks.length, 5)
        const [{ secret }] = store.webhooks
        const { body, headers } = WooCommerce.deliveryOf(
          "order.updated",
          JSON.stringify(wooOrder({ id: 727, minute: 1, status: "processing" })),
          { secret }
        )
        const response = yield* Effect.promise(() =>
          fetch(apps.world.base + new URL(webhookUrl).pathname, { method: "POST", body, headers })
        )
        assert.strictEqual(response.status, 200)
        yield* eventually("the order is there", async () => {
          const [order] = await apps.rows(as, "SELECT number, status, total::int FROM orders")
          assert.deepInclude(order, { number: "727", status: "paid", total: 2_935 })
          return true
        })
        const shy = yield* opened(() => WooCommerce.start({ mayWrite: false }))
        const again = yield* connect(shy.url)
        assert.strictEqual(again.status, 200, JSON.stringify(again.body))
        assert.lengthOf(shy.webhooks, 0)
      })
    )
  )
})
