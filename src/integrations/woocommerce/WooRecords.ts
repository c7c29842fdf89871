/**
 * What WooCommerce says of its records, in our words. Webhooks and pages have the same form. A store has no checkouts: an order that waits for its
 * payment counts as one too. The amounts of lines may have more decimals than the currency, and are rounded; those of the order must be exact.
 */
import { Effect, Schema } from "effect"
import type {
  AppRecord,
  BuyerRecord,
  CheckoutRecord,
  CustomerRecord,
  LineRecord,
  OrderRecord,
  ProductRecord
} from "../../domain/apps/AppRecord.ts"
import { AppFailure } from "../../domain/apps/AppSession.ts"
import {
  StoreDecimal as Decimal,
  storeDecimal as decimal,
  StoreId as Id,
  storeText as text
} from "../../domain/apps/stores/StoreFields.ts"
import { fullName, htmlText, textOrNull } from "../../domain/apps/stores/Stores.ts"
import { phoneIn } from "../../domain/basics/Phone.ts"
import { amountOf, isCurrency, roundedAmountOf } from "../../domain/business/records/Money.ts"

const Billing = Schema.Struct({
  first_name: text,
  last_name: text,
  company: text,
  country: text,
  email: text,
  phone: text
})
const billing = Schema.optionalKey(Schema.NullOr(Billing))

const Order = Schema.Struct({
  id: Id,
  number: Schema.optionalKey(Schema.NullOr(Id)),
  status: Schema.String,
  currency: Schema.String,
  total: Decimal,
  total_tax: decimal,
  discount_total: decimal,
  shipping_total: decimal,
  customer_id: Schema.optionalKey(Schema.NullOr(Id)),
  billing,
  shipping: billing,
  customer_note: text,
  date_created_gmt: text,
  date_modified_gmt: text,
  date_paid_gmt: text,
  payment_url: text,
  line_items: Schema.Array(
    Schema.Struct({
      name: text,
      product_id: Schema.optionalKey(Schema.NullOr(Id)),
      variation_id: Schema.optionalKey(Schema.NullOr(Id)),
      quantity: Schema.Int,
      subtotal: decimal,
      subtotal_tax: decimal,
      total_tax: decimal,
      sku: text
    })
  )
})

const Customer = Schema.Struct({
  id: Id,
  email: text,
  first_name: text,
  last_name: text,
  date_created_gmt: text,
  date_modified_gmt: text,
  billing
})

const Product = Schema.Struct({
  id: Id,
  name: text,
  sku: text,
  description: text,
  short_description: text,
  price: decimal,
  regular_price: decimal,
  manage_stock: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String])),
  stock_quantity: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  date_created_gmt: text,
  date_modified_gmt: text
})

const unreadable = (what: string) =>
  new AppFailure({ action: "give_up", message: `WooCommerce sent a ${what} that could not be read.` })

/** Times of WooCommerce are in UTC and do not say so. */
const timeOf = (gmt: string | null | undefined, what: string): Effect.Effect<number, AppFailure> => {
  const ms = Date.parse(gmt == null ? "" : /(Z|[+-]\d\d:?\d\d)$/i.test(gmt) ? gmt : `${gmt}Z`)
  return Number.isNaN(ms) ? Effect.fail(unreadable(what)) : Effect.succeed(ms)
}

const exact = (decimal: string | number | null | undefined, currency: string) => {
  const found = amountOf(String(decimal ?? 0), currency)
  return found === undefined ? Effect.fail(unreadable("order with an amount")) : Effect.succeed(found)
}

const rounded = (decimal: string | number | null | undefined, currency: string) => {
  const found = roundedAmountOf(String(decimal ?? 0), currency)
  return found === undefined ? Effect.fail(unreadable("record with an amount")) : Effect.succeed(found)
}

type Person = typeof Billing.Type | null | undefined

/** People write numbers as in their own country. */
const phoneOf = (person: Person): string | null => {
  const phone = textOrNull(person?.phone)
  return phone === null ? null : (phoneIn(phone, textOrNull(person?.country) ?? undefined) ?? phone)
}

/** A guest has the id 0. */
const customerId = (id: string | number | null | undefined) => (id == null || String(id) === "0" ? null : String(id))

const buyerOf = ({ billing, shipping, customer_id }: typeof Order.Type): BuyerRecord | null => {
  const buyer = {
    externalId: customerId(customer_id),
    name: fullName(billing) ?? fullName(shipping),
    phone: phoneOf(billing) ?? phoneOf(shipping),
    email: textOrNull(billing?.email)
  }
  return Object.values(buyer).every((value) => value === null) ? null : buyer
}

/** The id under which a product, or a variation of it, is kept. */
export const wooProductId = (
  product: string | number | null | undefined,
  variation: string | number | null | undefined
): string | null => {
  const [whole, part] = [customerId(product), customerId(variation)]
  if (whole === null) return null
  return part === null ? whole : `${whole}/${part}`
}

const states: Readonly<Record<string, OrderRecord["status"]>> = {
  processing: "paid",
  completed: "fulfilled",
  cancelled: "canceled",
  trash: "canceled",
  failed: "pending",
  refunded: "refunded"
}
/** States without a sale: the customer may still go on to pay. A store cancels orders that wait too long. */
const waiting = ["pending", "checkout-draft", "failed", "cancelled", "trash"]

const order = Effect.fnUntraced(function* (given: typeof Order.Type) {
  const { currency, status } = given
  if (!isCurrency(currency)) return yield* unreadable(`order in the currency ${currency.slice(0, 10)}`)
  const placedAt = yield* timeOf(given.date_created_gmt ?? given.date_modified_gmt, "order")
  const updatedAt = yield* timeOf(given.date_modified_gmt ?? given.date_created_gmt, "order")
  const sold = given.line_items.filter(({ quantity }) => quantity > 0)
  let subtotal = 0
  const lines: Array<LineRecord> = []
  for (const line of sold) {
    const whole = yield* rounded(line.subtotal, currency)
    subtotal += whole
    lines.push({
      productExternalId: wooProductId(line.product_id, line.variation_id),
      sku: textOrNull(line.sku),
      name: textOrNull(line.name) ?? "Product",
      quantity: line.quantity,
      unitPrice: Math.round(whole / line.quantity),
      tax: yield* rounded(line.total_tax, currency)
    })
  }
  const buyer = buyerOf(given)
  const id = String(given.id)
  const total = yield* exact(given.total, currency)
  const paid = states[status] === "paid" || states[status] === "fulfilled" || states[status] === "refunded"
  const paidAt = given.date_paid_gmt == null ? (paid ? placedAt : null) : yield* timeOf(given.date_paid_gmt, "order")
  const checkout: CheckoutRecord = {
    ...{ _tag: "checkout", externalId: id, updatedAt, buyer, currency, lines, total },
    recoveryUrl: textOrNull(given.payment_url),
    startedAt: placedAt,
    completedAt: waiting.includes(status) ? null : updatedAt
  }
  // A draft is no order yet.
  if (status === "checkout-draft") return [checkout] satisfies ReadonlyArray<AppRecord>
  const made: OrderRecord = {
    ...{ _tag: "order", externalId: id, updatedAt, buyer, currency, lines, total, subtotal },
    number: String(given.number ?? given.id),
    status: states[status] ?? "pending",
    checkoutExternalId: waiting.includes(status) ? null : id,
    discount: yield* rounded(given.discount_total, currency),
    shipping: yield* rounded(given.shipping_total, currency),
    tax: yield* rounded(given.total_tax, currency),
    notes: textOrNull(given.customer_note),
    placedAt,
    paidAt
  }
  return [made, checkout] satisfies ReadonlyArray<AppRecord>
})

const customer = Effect.fnUntraced(function* (given: typeof Customer.Type) {
  const made: CustomerRecord = {
    _tag: "customer",
    externalId: String(given.id),
    updatedAt: yield* timeOf(given.date_modified_gmt ?? given.date_created_gmt, "customer"),
    name: fullName(given) ?? fullName(given.billing),
    phone: phoneOf(given.billing),
    email: textOrNull(given.email) ?? textOrNull(given.billing?.email),
    tags: []
  }
  return [made] satisfies ReadonlyArray<AppRecord>
})

/** A product, or with `parent` a variation of it. Prices are in the currency of the store. */
const product = Effect.fnUntraced(function* (
  given: typeof Product.Type,
  currency: string | undefined,
  parent: { readonly id: string; readonly name: string } | undefined
) {
  const price = textOrNull(String(given.price ?? given.regular_price ?? ""))
  const name = textOrNull(given.name) ?? "Product"
  const made: ProductRecord = {
    _tag: "product",
    externalId: parent === undefined ? String(given.id) : `${parent.id}/${given.id}`,
    updatedAt: yield* timeOf(given.date_modified_gmt ?? given.date_created_gmt, "product"),
    name: parent === undefined || name.startsWith(parent.name) ? name : `${parent.name} – ${name}`,
    sku: textOrNull(given.sku),
    description: htmlText(given.short_description) ?? htmlText(given.description),
    price: price === null || currency === undefined ? null : { amount: yield* rounded(price, currency), currency },
    stock: given.manage_stock === false || given.stock_quantity == null ? null : Math.trunc(given.stock_quantity)
  }
  return [made] satisfies ReadonlyArray<AppRecord>
})

export type WooKind = "order" | "customer" | "product"

interface Around {
  readonly currency?: string | undefined
  readonly parent?: { readonly id: string; readonly name: string } | undefined
}

/** The records of a parsed object. Fails for good when it is none of what it should be. */
export const wooRecords = (
  kind: WooKind,
  value: unknown,
  { currency, parent }: Around = {}
): Effect.Effect<ReadonlyArray<AppRecord>, AppFailure> => {
  const read = <A>(schema: Schema.Decoder<A>) =>
    Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => unreadable(kind))
  switch (kind) {
    case "order":
      return Effect.flatMap(read(Order), (given): Effect.Effect<ReadonlyArray<AppRecord>, AppFailure> => order(given))
    case "customer":
      return Effect.flatMap(read(Customer), customer)
    case "product":
      return Effect.flatMap(read(Product), (given) => product(given, currency, parent))
  }
}
