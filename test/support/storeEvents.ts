/** Objects of stores for tests: what Shopify and WooCommerce say of orders, checkouts, customers and products. */
import { shopifyJson } from "../../simulators/store/Shopify.ts"

const at = (minute: number) => new Date(Date.parse("2026-11-25T09:00:00Z") + minute * 60_000).toISOString()

interface Given {
  readonly id: number
  /** Minutes after nine o'clock. */
  readonly minute: number
}

const people = [
  { id: 207119551, first_name: "Asha", last_name: "Rao", phone: "+14155550123", email: "asha@example.com" },
  { id: 207119552, first_name: "Ben", last_name: "Ito", phone: "+14155550124", email: "ben@example.com" },
  { id: 207119553, first_name: "Eva", last_name: "Lind", phone: "+14155550125", email: "eva@example.com" }
]

/** `silent`: the order names its customer, but no number. */
export const shopifyOrder = ({
  id,
  minute,
  status = "pending",
  cents = 5_998,
  silent = false
}: Given & { readonly status?: string; readonly cents?: number; readonly silent?: boolean }) => {
  const person = people[id % people.length]
  const price = (cents / 100).toFixed(2)
  return {
    id: 820982911946154000n + BigInt(id),
    name: `#${1_000 + id}`,
    email: person.email,
    phone: silent ? null : person.phone,
    created_at: at(0),
    processed_at: at(0),
    updated_at: at(minute),
    currency: "USD",
    total_price: price,
    total_line_items_price: price,
    total_tax: "0.00",
    total_discounts: "0.00",
    total_shipping_price_set: { shop_money: { amount: "0.00", currency_code: "USD" } },
    financial_status: status,
    fulfillment_status: null,
    cancelled_at: null,
    checkout_token: `token-${id}`,
    customer: { id: person.id, email: person.email, first_name: person.first_name, last_name: person.last_name },
    line_items: [
      {
        id: 1,
        product_id: 632910392,
        variant_id: 808950810,
        sku: "BK-427",
        title: "Atlas of Rivers",
        quantity: 1,
        price
      }
    ]
  }
}

export const shopifyCheckout = ({ id, minute }: Given) => {
  const person = people[id % people.length]
  return {
    id: 1_000_000 + id,
    token: `token-${id}`,
    email: person.email,
    phone: person.phone,
    created_at: at(0),
    updated_at: at(minute),
    completed_at: null,
    abandoned_checkout_url: `https://maple-books.example/checkouts/token-${id}/recover`,
    currency: "USD",
    total_price: `${10 + minute}.00`,
    line_items: [
      {
        product_id: 632910392,
        variant_id: 808950810,
        sku: "BK-427",
        title: "Atlas of Rivers",
        quantity: 1,
        price: `${10 + minute}.00`
      }
    ]
  }
}

export const shopifyCustomer = ({ id, minute }: Given) => {
  const person = people[id % people.length]
  return { ...person, tags: "", updated_at: at(minute), first_name: `${person.first_name}${minute}` }
}

export const shopifyProduct = ({ id, minute }: Given) => ({
  id: 632910392 + id,
  title: "Atlas of Rivers",
  body_html: "<p>Hardcover,<br>320 pages &amp; maps.</p>",
  updated_at: at(minute),
  variants: [
    {
      id: 808950810,
      title: "Default Title",
      sku: `BK-${id}`,
      price: `${20 + minute}.50`,
      inventory_quantity: 10 - minute,
      inventory_management: "shopify"
    }
  ]
})

export const json = shopifyJson

export const wooOrder = ({
  id,
  minute,
  status = "pending",
  total = "29.35"
}: Given & { readonly status?: string; readonly total?: string }) => ({
  id,
  number: String(id),
  order_key: `wc_order_${id}`,
  status,
  currency: "USD",
  total,
  total_tax: "1.35",
  discount_total: "0.00",
  shipping_total: "10.00",
  customer_id: 0,
  billing: { first_name: "John", last_name: "Doe", country: "US", email: "john@example.com", phone: "(415) 555-0126" },
  shipping: { first_name: "John", last_name: "Doe", country: "US" },
  customer_note: "",
  date_created_gmt: at(0).slice(0, 19),
  date_modified_gmt: at(minute).slice(0, 19),
  date_paid_gmt: status === "processing" ? at(minute).slice(0, 19) : null,
  payment_url: `https://store.example/checkout/order-pay/${id}/?pay_for_order=true&key=wc_order_${id}`,
  line_items: [
    {
      id: 315,
      name: "Woo Single",
      product_id: 93,
      variation_id: 0,
      quantity: 3,
      subtotal: "18.00",
      subtotal_tax: "1.3500",
      total: "18.00",
      total_tax: "1.3500",
      sku: "",
      price: 6
    }
  ]
})
