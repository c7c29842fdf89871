/** Orders: what a contact or a company has bought. */
import { Context, Schema } from "effect"
import { Instant } from "../../basics/Calendar.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { lines, plainText } from "../../basics/PlainText.ts"
import { newRecordFields, type Records, recordFields } from "../records/ModuleRecord.ts"
import { Amount, Currency } from "../records/Money.ts"

export const OrderStatus = Schema.Literals(["pending", "paid", "fulfilled", "canceled", "refunded"])
export type OrderStatus = typeof OrderStatus.Type

const quantity = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Reference = Schema.String.check(Schema.isMaxLength(60))

export const OrderLine = Schema.Struct({
  productId: Schema.NullOr(Schema.String),
  sku: Schema.NullOr(Schema.String),
  name: Schema.String,
  quantity: Schema.Int,
  /** For one, without tax. */
  unitPrice: Schema.Int,
  /** For the whole line. */
  tax: Schema.Int
})
export type OrderLine = typeof OrderLine.Type

export const Order = Schema.Struct({
  ...recordFields,
  /** The organization's own number of the order, unique. */
  number: Schema.String,
  status: OrderStatus,
  contactId: Schema.NullOr(Schema.String),
  companyId: Schema.NullOr(Schema.String),
  /** The conversation in which it was ordered. */
  conversationId: Schema.NullOr(Schema.String),
  /** All amounts are in the smallest unit of this currency. */
  currency: Schema.String,
  lines: Schema.Array(OrderLine),
  discount: Schema.Int,
  shipping: Schema.Int,
  /** Without tax. */
  subtotal: Schema.Int,
  tax: Schema.Int,
  /** subtotal − discount + shipping + tax; of an order of a store, what the store says. */
  total: Schema.Int,
  notes: Schema.NullOr(Schema.String),
  placedAt: Schema.String,
  /** When its status became `paid` first. */
  paidAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "Order",
  examples: [
    {
      id: exampleIds.order,
      organizationId: exampleIds.organization,
      number: "427",
      status: "paid",
      contactId: exampleIds.contact,
      companyId: null,
      conversationId: exampleIds.conversation,
      currency: "USD",
      lines: [
        {
          productId: exampleIds.product,
          sku: "BK-427",
          name: "Atlas of Rivers",
          quantity: 2,
          unitPrice: 2_499,
          tax: 425
        }
      ],
      discount: 0,
      shipping: 500,
      subtotal: 4_998,
      tax: 425,
      total: 5_923,
      notes: null,
      placedAt: "2026-11-21T09:35:00.000Z",
      paidAt: "2026-11-21T09:36:00.000Z",
      customFields: {},
      source: null,
      archivedAt: null,
      createdAt: "2026-11-21T09:35:00.000Z",
      updatedAt: "2026-11-21T09:36:00.000Z"
    }
  ]
})
export type Order = typeof Order.Type

/** A line with a product may leave out name, sku and price: they are then the product's. */
const NewLine = Schema.Struct({
  productId: Schema.optionalKey(Schema.NullOr(Reference)),
  sku: Schema.optionalKey(Schema.NullOr(plainText(100))),
  name: Schema.optionalKey(plainText(200)),
  quantity,
  unitPrice: Schema.optionalKey(Amount),
  tax: Schema.optionalKey(Amount)
})
export type NewOrderLine = typeof NewLine.Type

const Lines = Schema.Array(NewLine).check(Schema.isMinLength(1), Schema.isMaxLength(500))

const optional = {
  status: Schema.optionalKey(OrderStatus),
  /** Null removes it. */
  contactId: Schema.optionalKey(Schema.NullOr(Reference)),
  companyId: Schema.optionalKey(Schema.NullOr(Reference)),
  conversationId: Schema.optionalKey(Schema.NullOr(Reference)),
  discount: Schema.optionalKey(Amount),
  shipping: Schema.optionalKey(Amount),
  notes: Schema.optionalKey(Schema.NullOr(lines(10_000))),
  placedAt: Schema.optionalKey(Instant),
  ...newRecordFields
}

const OrderNumber = plainText(100)

export const NewOrder = Schema.Struct({ number: OrderNumber, currency: Currency, lines: Lines, ...optional }).annotate({
  title: "NewOrder",
  examples: [
    {
      number: "428",
      currency: "USD",
      contactId: exampleIds.contact,
      lines: [{ name: "Atlas of Rivers", quantity: 2, unitPrice: 2_499, tax: 425 }],
      shipping: 500
    }
  ]
})
export type NewOrder = typeof NewOrder.Type

/** An order as a source reports it: the sums are kept as it says them, whatever its lines add up to. */
export const ReportedOrder = Schema.Struct({
  ...NewOrder.fields,
  sums: Schema.optionalKey(
    Schema.Struct({ subtotal: Amount, tax: Amount, total: Amount, paidAt: Schema.NullOr(Instant) })
  )
})
export type ReportedOrder = typeof ReportedOrder.Type

export const OrderChanges = Schema.Struct({
  number: Schema.optionalKey(OrderNumber),
  lines: Schema.optionalKey(Lines),
  ...optional
}).annotate({ title: "OrderChanges", examples: [{ status: "paid" }] })
export type OrderChanges = typeof OrderChanges.Type

export class Orders extends Context.Service<Orders, Records<Order, NewOrder, OrderChanges, ReportedOrder>>()(
  "parley/domain/Orders"
) {}
