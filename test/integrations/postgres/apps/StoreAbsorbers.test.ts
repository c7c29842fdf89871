/** What stores tell, in the modules and as contacts: the same state whatever the order in which it comes, and however often. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ShopifyStore from "../../../../simulators/store/Shopify.ts"
import { AppConnections } from "../../../../src/domain/apps/AppConnection.ts"
import type { AppRecord } from "../../../../src/domain/apps/AppRecord.ts"
import { makeAbsorbRecords } from "../../../../src/domain/apps/incoming/AbsorbRecords.ts"
import { exactJson } from "../../../../src/domain/basics/Json.ts"
import { Carts } from "../../../../src/domain/business/carts/Cart.ts"
import { tenant as asTenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { type ShopifyKind, shopifyRecords } from "../../../../src/integrations/shopify/ShopifyRecords.ts"
import { eventsOf } from "../../../support/conversations.ts"
import { json, shopifyCheckout, shopifyCustomer, shopifyOrder, shopifyProduct } from "../../../support/storeEvents.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

/** A number that looks like chance and is the same each time. */
const chance = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const shuffled = <A>(items: ReadonlyArray<A>, seed: number): ReadonlyArray<A> => {
  const next = chance(seed)
  return items
    .map((item) => ({ item, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

const statuses = ["pending", "paid", "refunded"]

/** Everything that happens in a shop, in order. */
const happening = (orders: number): ReadonlyArray<readonly [ShopifyKind, object]> => {
  const next = chance(7)
  const events: Array<readonly [ShopifyKind, object]> = []
  for (let id = 0; id < 3; id++) events.push(["customer", shopifyCustomer({ id, minute: 1 })])
  for (let id = 0; id < orders; id++) {
    events.push(["checkout", shopifyCheckout({ id, minute: 1 })], ["checkout", shopifyCheckout({ id, minute: 2 })])
    if (id % 10 === 0) events.push(["product", shopifyProduct({ id, minute: id % 7 })])
    if (id % 5 === 0) continue
    // Two states of an order may have one time, to the second.
    for (const [index, status] of statuses.entries())
      if (index <= id % 3)
        events.push([
          "order",
          shopifyOrder({
            ...{ id, minute: 5 + Math.floor(next() * 2), status, silent: id % 4 === 0 },
            cents: 1_000 + index
          })
        ])
  }
  for (let id = 0; id < 3; id++) events.push(["customer", shopifyCustomer({ id, minute: 9 })])
  return events
}

const readAll = (events: ReadonlyArray<readonly [ShopifyKind, object]>) =>
  Effect.map(
    Effect.forEach(events, ([kind, event]) => shopifyRecords(kind, exactJson(json(event)), "USD")),
    (records) => records.flat()
  )

const shop = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const connections = yield* AppConnections
  yield* connections.save(
    organizationId,
    "shopify",
    {
      settings: { shop: ShopifyStore.shopDomain },
      credentials: { ...ShopifyStore.shopifyApp },
      account: { id: ShopifyStore.shopDomain, name: "Maple Books" },
      webhookToken: null
    },
    1_790_000_000_000
  )
  const from = yield* connections.find(organizationId, "shopify")
  assert.isDefined(from)
  const absorb = yield* makeAbsorbRecords
  const sql = yield* SqlClient.SqlClient
  const rows = (statement: string) => asTenant(organizationId)(sql.unsafe<Record<string, unknown>>(statement))
  const state = Effect.gen(function* () {
    const orders =
      yield* rows(`SELECT o.external_id, o.number, o.status, o.subtotal, (SELECT jsonb_agg(l.value || jsonb_build_object('productId', (SELECT p.external_id
          FROM products p WHERE p.id = l.value->>'productId')) ORDER BY l.ordinality) FROM jsonb_array_elements(o.lines) WITH ORDINALITY l) AS lines, o.tax, o.total, o.placed_at, o.paid_at, o.source_at,
      c.phone FROM orders o LEFT JOIN contacts c ON c.id = o.contact_id ORDER BY o.external_id`)
    const carts =
      yield* rows(`SELECT k.external_id, k.total, k.changed_at, k.order_total, o.external_id AS of, c.phone, k.due_at
      FROM carts k LEFT JOIN orders o ON o.id = k.order_id LEFT JOIN contacts c ON c.id = k.contact_id ORDER BY k.external_id`)
    const products = yield* rows(
      "SELECT external_id, name, sku, price_amount, stock, description FROM products ORDER BY external_id"
    )
    const contacts = yield* rows("SELECT phone, name, email FROM contacts ORDER BY phone")
    return { orders, carts, products, contacts }
  })
  const take = (records: ReadonlyArray<AppRecord>) =>
    Effect.gen(function* () {
      const { broken } = yield* absorb(from, records, 1_790_000_000_000)
      assert.strictEqual(broken, 0)
    })
  return { organizationId, take, state, rows }
})

const provided = Effect.provide(testStores)

/** With `STORE_EVENTS` as many as that (CONTRIBUTING.md). */
const eventCount = Number(process.env.STORE_EVENTS ?? 1_000)

describe("the records of a store", () => {
  it.live(
    "end in the same orders, carts, products and contacts in any order, and twice as in order once",
    () =>
      Effect.gen(function* () {
        const events = happening(Math.ceil((eventCount * 280) / 1_000))
        assert.isAtLeast(events.length, eventCount)
        const records = yield* readAll(events)
        const [inOrder, mixed] = [yield* shop, yield* shop]
        yield* inOrder.take(records)
        yield* mixed.take(shuffled([...records, ...records], 42))
        const [wanted, found] = [yield* inOrder.state, yield* mixed.state]
        assert.isAbove(wanted.orders.length, eventCount / 7)
        assert.lengthOf(wanted.contacts, 3)
        assert.deepStrictEqual(found, wanted)
        assert.isTrue(wanted.orders.every(({ phone }) => phone !== null))
        // The product came before some orders and after others.
        const products = wanted.orders.map(
          ({ lines }) => (lines as ReadonlyArray<{ readonly productId: string | null }>)[0].productId
        )
        assert.deepStrictEqual(new Set(products), new Set(["632910392/808950810"]))
      }).pipe(provided),
    300 * eventCount
  )

  it.live(
    "name the products of an order's lines, also of those that come after it, and leave lines that people have changed",
    () =>
      Effect.gen(function* () {
        const { take, rows } = yield* shop
        const order = (id: number, name: string, minute = 1) => {
          const made = shopifyOrder({ id, minute })
          const [line] = made.line_items
          const second = { ...line, id: 2, variant_id: 808950811, title: name }
          return ["order", { ...made, line_items: [line, second] }] as const
        }
        const lines = Effect.map(
          rows(`SELECT o.number, l.value->>'name' AS name, p.external_id FROM orders o, jsonb_array_elements(o.lines) WITH ORDINALITY l
          LEFT JOIN products p ON p.id = l.value->>'productId' ORDER BY o.number, l.ordinality`),
          (found) => found.map(({ number, name, externalId }) => [number, name, externalId])
        )
        yield* take(yield* readAll([order(1, "Atlas of Stars")]))
        assert.deepStrictEqual(yield* lines, [
          ["1001", "Atlas of Rivers", null],
          ["1001", "Atlas of Stars", null]
        ])
        yield* take(yield* readAll([["product", shopifyProduct({ id: 0, minute: 1 })], order(2, "Atlas of Stars")]))
        assert.deepStrictEqual(yield* lines, [
          ["1001", "Atlas of Rivers", "632910392/808950810"],
          ["1001", "Atlas of Stars", null],
          ["1002", "Atlas of Rivers", "632910392/808950810"],
          ["1002", "Atlas of Stars", null]
        ])
        const product = shopifyProduct({ id: 0, minute: 2 })
        const [variant] = product.variants
        // A person has put another line in the place of the one that waits.
        yield* rows(
          `UPDATE orders SET lines = jsonb_set(lines, '{1,name}', '"Repair"') WHERE number = '1002' RETURNING 1`
        )
        yield* take(
          yield* readAll([
            ["product", { ...product, variants: [variant, { ...variant, id: 808950811, title: "Stars" }] }]
          ])
        )
        assert.deepStrictEqual(yield* lines, [
          ["1001", "Atlas of Rivers", "632910392/808950810"],
          ["1001", "Atlas of Stars", "632910392/808950811"],
          ["1002", "Atlas of Rivers", "632910392/808950810"],
          ["1002", "Repair", null]
        ])
        assert.lengthOf(yield* rows("SELECT 1 FROM awaited_products"), 0)
      }).pipe(provided)
  )

  it.live("make a guest with a number a contact with the name and the e-mail address of the order", () =>
    Effect.gen(function* () {
      const { take, state } = yield* shop
      const guest = (id: number, email: string) => {
        const { customer: _, ...order } = shopifyOrder({ id, minute: 1 })
        return ["order", { ...order, email, billing_address: { first_name: "Asha", last_name: "Rao" } }] as const
      }
      // The address of the second is none: the number alone is kept.
      yield* take(yield* readAll([guest(0, " Asha@example.com "), guest(1, "not given")]))
      const { contacts, orders } = yield* state
      assert.deepStrictEqual(
        contacts.map(({ phone, email }) => [phone, email]),
        [
          ["+14155550123", "Asha@example.com"],
          ["+14155550124", null]
        ]
      )
      // An order without a number is that guest's, by the address.
      const { phone: _, ...silent } = guest(3, "asha@example.com")[1]
      yield* take(yield* readAll([["order", silent]]))
      assert.deepInclude((yield* state).orders[2], { phone: "+14155550123" })
      assert.lengthOf(orders, 2)
    }).pipe(provided)
  )

  it.live("make an event of an abandoned cart once, and count what an order brings back", () =>
    Effect.gen(function* () {
      const { organizationId, take } = yield* shop
      const carts = yield* Carts
      yield* take(
        yield* readAll([
          ["checkout", shopifyCheckout({ id: 1, minute: 0 })],
          ["checkout", shopifyCheckout({ id: 2, minute: 0 })],
          ["order", shopifyOrder({ id: 2, minute: 5 })]
        ])
      )
      const minutesOn = (minutes: number) => Date.parse("2026-11-25T09:00:00Z") + minutes * 60_000
      assert.strictEqual(yield* carts.abandon(organizationId, minutesOn(59), 10), 0)
      assert.include(yield* carts.due(minutesOn(61), 100), organizationId)
      assert.strictEqual(yield* carts.abandon(organizationId, minutesOn(61), 10), 1)
      assert.strictEqual(yield* carts.abandon(organizationId, minutesOn(62), 10), 0)
      // A late state of the checkout does not start the timer again.
      yield* take(yield* readAll([["checkout", shopifyCheckout({ id: 1, minute: 3 })]]))
      assert.strictEqual(yield* carts.abandon(organizationId, minutesOn(999), 10), 0)
      const [told, ...others] = yield* eventsOf(organizationId, "cart.abandoned")
      assert.lengthOf(others, 0)
      assert.deepInclude((told.data as { readonly cart: object }).cart, {
        state: "abandoned",
        total: 1_000,
        recoveryUrl: "https://maple-books.example/checkouts/token-1/recover"
      })
      yield* take(yield* readAll([["order", shopifyOrder({ id: 1, minute: 120, cents: 1_300 })]]))
      assert.deepStrictEqual(yield* carts.totals(organizationId, 0), [
        { currency: "USD", abandoned: 1, abandonedValue: 1_300, recovered: 1, recoveredValue: 1_300 }
      ])
      const { data } = yield* carts.list(organizationId, "recovered", { page: 1, limit: 10 })
      assert.strictEqual(data.length, 1)
    }).pipe(provided)
  )
})
