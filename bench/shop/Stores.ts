/** Stores of organizations, each with a Shopify of its own, and what posts their webhooks as Shopify signs them. */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import * as Shopify from "../../simulators/store/Shopify.ts"
import { AppConnections } from "../../src/domain/apps/AppConnection.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"

interface Store {
  readonly path: string
  readonly secret: string
}

/** Connects so many stores, each of an organization of its own; nobody is asked for anything. */
export const connectStores = Effect.fnUntraced(function* (count: number) {
  const connections = yield* AppConnections
  return yield* Effect.forEach(Array.from({ length: count }).keys(), (n) =>
    Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: `Store ${n}`, plan: "PRO", timeZone: "UTC" })
      const webhookToken = randomBytes(32).toString("base64url")
      const secret = randomBytes(16).toString("hex")
      const account = { id: Shopify.shopDomain, name: `Store ${n}` }
      // A token without end is never renewed, for which Shopify would have to be asked.
      const credentials = { accessToken: "shpat_bench", webhookSecret: secret }
      yield* connections.save(
        id,
        "shopify",
        { settings: { shop: Shopify.shopDomain }, credentials, account, webhookToken },
        Date.now()
      )
      return { path: `/api/integrations/shopify/webhooks/${webhookToken}`, secret } satisfies Store
    })
  )
})

const people = 50_000

/** An order of some length, as stores have them: customer, address, two lines. */
const orderOf = (n: number, at: string) => {
  const person = n % people
  const customer = {
    ...{
      id: 200_000_000 + person,
      first_name: "Asha",
      last_name: `Rao ${person}`,
      email: `guest-${person}@example.com`
    },
    phone: `+1415${2_000_000 + person}`
  }
  const address = { ...customer, address1: "12 Market Street", city: "San Francisco", country_code: "US", zip: "94103" }
  const line = (product: number) => ({
    ...{ id: n * 10 + product, product_id: 632_910_392 + product, variant_id: 808_950_810 + product },
    ...{ sku: `BK-${product}`, title: "Atlas of Rivers", quantity: 1, price: "29.99", tax_lines: [] }
  })
  return {
    ...{ id: 820_982_911_946 + n, name: `#${1_000 + n}`, email: customer.email, phone: customer.phone },
    ...{ created_at: at, processed_at: at, updated_at: at, currency: "USD", cancelled_at: null },
    ...{ total_price: "59.98", total_line_items_price: "59.98", total_tax: "0.00", total_discounts: "0.00" },
    total_shipping_price_set: { shop_money: { amount: "0.00", currency_code: "USD" } },
    ...{ financial_status: "paid", fulfillment_status: null, checkout_token: `token-${n}`, note: null },
    ...{ customer, billing_address: address, shipping_address: address, line_items: [line(1), line(2)] }
  }
}

/** Gives what posts another webhook, to the stores in turn; it rejects when the answer is none of success. `told` hears of each success. */
export const postTo = (port: number, stores: ReadonlyArray<Store>, told: () => void) => {
  let posted = 0
  return async () => {
    const n = posted++
    const { path, secret } = stores[n % stores.length]
    const body = Shopify.shopifyJson(orderOf(n, new Date().toISOString()))
    const { headers } = Shopify.deliveryOf("orders/paid", body, { secret })
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body })
    const text = await response.text()
    if (!response.ok) throw new Error(`a webhook was answered ${response.status}: ${text.slice(0, 200)}`)
    told()
  }
}
