/**
 * What Shopify says of its records, in our words. Webhooks and pages of the Admin API have the same form. Ids may be larger than a number is exact, so
 * they are read as texts; amounts are decimals, and one that is not exact in its currency is refused.
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
import { amountOf, isCurrency } from "../../domain/business/records/Money.ts"

const Address = Schema.Struct({ first_name: text, last_name: text, phone: text })
const address = Schema.optionalKey(Schema.NullOr(Address))

const Customer = Schema.Struct({
  id: Id,
  email: text,
  phone: text,
  first_name: text,
  last_name: text,
  tags: text,
  updated_at: text,
  default_address: address
})
const customer = Schema.optionalKey(Schema.NullOr(Customer))

const Line = Schema.Struct({
  variant_id: Schema.optionalKey(Schema.NullOr(Id)),
  product_id: Schema.optionalKey(Schema.NullOr(Id)),
  sku: text,
  title: text,
  name: text,
  quantity: Schema.Int,
  price: Decimal,
  tax_lines: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ price: Decimal }))))
})

const Buying = {
  email: text,
  contact_email: text,
  phone: text,
  customer,
  billing_address: address,
  shipping_address: address,
  currency: Schema.String,
  total_price: Decimal,
  created_at: Schema.String,
  updated_at: Schema.String,
  line_items: Schema.Array(Line)
}

const Money = Schema.Struct({ shop_money: Schema.optionalKey(Schema.Struct({ amount: Decimal })) })

const Order = Schema.Struct({
  ...Buying,
  id: Id,
  name: Schema.String,
  subtotal_price: decimal,
  total_tax: decimal,
  total_discounts: decimal,
  total_shipping_price_set: Schema.optionalKey(Schema.NullOr(Money)),
  total_line_items_price: decimal,
  financial_status: text,
  fulfillment_status: text,
  cancelled_at: text,
  processed_at: text,
  checkout_token: text,
  note: text
})

const Checkout = Schema.Struct({
  ...Buying,
  token: Schema.String,
  completed_at: text,
  abandoned_checkout_url: text
})

const Product = Schema.Struct({
  id: Id,
  title: Schema.String,
  body_html: text,
  updated_at: Schema.String,
  variants: Schema.Array(
    Schema.Struct({
      id: Id,
      title: text,
      sku: text,
      price: decimal,
      inventory_quantity: Schema.optionalKey(Schema.NullOr(Schema.Int)),
      inventory_management: text
    })
  )
})

const unreadable = (what: string) =>
  new AppFailure({ action: "give_up", message: `Shopify sent a ${what} that could not be read.` })

const timeOf = (text: string | null | undefined, what: string): Effect.Effect<number, AppFailure> => {
  const ms = Date.parse(text ?? "")
  return Number.isNaN(ms) ? Effect.fail(unreadable(what)) : Effect.succeed(ms)
}

const amount = (decimal: string | number | null | undefined, currency: string, what: string) => {
  const found = amountOf(String(decimal ?? 0), currency)
  return found === undefined ? Effect.fail(unreadable(`${what} with an amount`)) : Effect.succeed(found)
}

type Bought = Pick<
  typeof Order.Type,
  "email" | "contact_email" | "phone" | "customer" | "billing_address" | "shipping_address"
>

const buyerOf = ({
  email,
  contact_email,
  phone,
  customer,
  billing_address,
  shipping_address
}: Bought): BuyerRecord | null => {
  const buyer = {
    externalId: customer == null ? null : String(customer.id),
    name: fullName(customer, shipping_address, billing_address),
    phone:
      textOrNull(phone) ??
      textOrNull(customer?.phone) ??
      textOrNull(shipping_address?.phone) ??
      textOrNull(billing_address?.phone),
    email: textOrNull(email) ?? textOrNull(contact_email) ?? textOrNull(customer?.email)
  }
  return Object.values(buyer).every((value) => value === null) ? null : buyer
}

/** The id under which the variant of a product is kept. */
const variantId = (product: string | number, variant: string | number) => `${product}/${variant}`

const lineOf = Effect.fnUntraced(function* (line: typeof Line.Type, currency: string, what: string) {
  const taxes = yield* Effect.forEach(line.tax_lines ?? [], ({ price }) => amount(price, currency, what))
  const { product_id, variant_id } = line
  const made: LineRecord = {
    productExternalId: product_id == null || variant_id == null ? null : variantId(product_id, variant_id),
    sku: textOrNull(line.sku),
    name: textOrNull(line.name) ?? textOrNull(line.title) ?? "Product",
    quantity: line.quantity,
    unitPrice: yield* amount(line.price, currency, what),
    tax: taxes.reduce((sum, tax) => sum + tax, 0)
  }
  return made
})

const currencyOf = (code: string, what: string) =>
  isCurrency(code) ? Effect.succeed(code) : Effect.fail(unreadable(`${what} in the currency ${code.slice(0, 10)}`))

const statusOf = ({ cancelled_at, financial_status, fulfillment_status }: typeof Order.Type): OrderRecord["status"] => {
  if (financial_status === "refunded") return "refunded"
  if (cancelled_at != null || financial_status === "voided") return "canceled"
  if (fulfillment_status === "fulfilled") return "fulfilled"
  return financial_status === "paid" || financial_status === "partially_refunded" ? "paid" : "pending"
}

const paidStates = ["paid", "partially_refunded", "refunded"]

const order = Effect.fnUntraced(function* (given: typeof Order.Type) {
  const currency = yield* currencyOf(given.currency, "order")
  const of = (decimal: string | number | null | undefined) => amount(decimal, currency, "order")
  const lines = yield* Effect.forEach(given.line_items, (line) => lineOf(line, currency, "order"))
  const placedAt = yield* timeOf(given.processed_at ?? given.created_at, "order")
  const made: OrderRecord = {
    _tag: "order",
    externalId: String(given.id),
    updatedAt: yield* timeOf(given.updated_at, "order"),
    number: given.name.replace(/^#/, ""),
    status: statusOf(given),
    buyer: buyerOf(given),
    checkoutExternalId: textOrNull(given.checkout_token),
    currency,
    lines,
    discount: yield* of(given.total_discounts),
    shipping: yield* of(given.total_shipping_price_set?.shop_money?.amount),
    subtotal: yield* of(given.total_line_items_price ?? given.subtotal_price),
    tax: yield* of(given.total_tax),
    total: yield* of(given.total_price),
    notes: textOrNull(given.note),
    placedAt,
    paidAt: paidStates.includes(given.financial_status ?? "") ? placedAt : null
  }
  return [made] satisfies ReadonlyArray<AppRecord>
})

const checkout = Effect.fnUntraced(function* (given: typeof Checkout.Type) {
  const currency = yield* currencyOf(given.currency, "checkout")
  const made: CheckoutRecord = {
    _tag: "checkout",
    externalId: given.token,
    updatedAt: yield* timeOf(given.updated_at, "checkout"),
    buyer: buyerOf(given),
    currency,
    lines: yield* Effect.forEach(given.line_items, (line) => lineOf(line, currency, "checkout")),
    total: yield* amount(given.total_price, currency, "checkout"),
    recoveryUrl: textOrNull(given.abandoned_checkout_url),
    startedAt: yield* timeOf(given.created_at, "checkout"),
    completedAt: given.completed_at == null ? null : yield* timeOf(given.completed_at, "checkout")
  }
  return [made] satisfies ReadonlyArray<AppRecord>
})

const customerRecord = Effect.fnUntraced(function* (given: typeof Customer.Type) {
  const made: CustomerRecord = {
    _tag: "customer",
    externalId: String(given.id),
    updatedAt: yield* timeOf(given.updated_at, "customer"),
    name: fullName(given, given.default_address),
    phone: textOrNull(given.phone) ?? textOrNull(given.default_address?.phone),
    email: textOrNull(given.email),
    tags: (given.tags ?? "").split(",").flatMap((tag) => textOrNull(tag) ?? [])
  }
  return [made] satisfies ReadonlyArray<AppRecord>
})

/** A product is a record for each of its variants. Prices are in the currency of the shop. */
const product = Effect.fnUntraced(function* (given: typeof Product.Type, currency: string | undefined) {
  const updatedAt = yield* timeOf(given.updated_at, "product")
  return yield* Effect.forEach(
    given.variants,
    Effect.fnUntraced(function* ({ id, title, sku, price, inventory_quantity, inventory_management }) {
      const variant = title === "Default Title" ? null : textOrNull(title)
      const made: ProductRecord = {
        _tag: "product",
        externalId: variantId(given.id, id),
        updatedAt,
        name: variant === null ? given.title : `${given.title} – ${variant}`,
        sku: textOrNull(sku),
        description: htmlText(given.body_html),
        price:
          price == null || currency === undefined
            ? null
            : { amount: yield* amount(price, currency, "product"), currency },
        stock: inventory_management == null ? null : (inventory_quantity ?? null)
      }
      return made satisfies AppRecord
    })
  )
})

export type ShopifyKind = "order" | "checkout" | "customer" | "product"

/** The records of a parsed object. `currency`: that of the shop, for products. Fails for good when it is none of what it should be. */
export const shopifyRecords = (
  kind: ShopifyKind,
  value: unknown,
  currency: string | undefined
): Effect.Effect<ReadonlyArray<AppRecord>, AppFailure> => {
  const read = <A>(schema: Schema.Decoder<A>) =>
    Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => unreadable(kind))
  switch (kind) {
    case "order":
      return Effect.flatMap(read(Order), order)
    case "checkout":
      return Effect.flatMap(read(Checkout), checkout)
    case "customer":
      return Effect.flatMap(read(Customer), customerRecord)
    case "product":
      return Effect.flatMap(read(Product), (given) => product(given, currency))
  }
}
