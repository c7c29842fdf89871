/** Orders in Postgres. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import {
  type NewOrder,
  type NewOrderLine,
  Order,
  type OrderChanges,
  type OrderLine,
  Orders,
  type ReportedOrder
} from "../../../domain/business/orders/Order.ts"
import { orderTotals } from "../../../domain/business/orders/OrderTotals.ts"
import { InvalidRecord } from "../../../domain/business/records/ModuleRecord.ts"
import type { NewEvent } from "../../../domain/events/EventData.ts"
import { iso, isoOrNull } from "../tenancy/Sql.ts"
import { makeModuleRecords } from "./ModuleRecords.ts"
import type { FieldsOf, ModuleTable } from "./ModuleTable.ts"
import { existing } from "./References.ts"

interface ProductRow {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly priceAmount: unknown
  readonly priceCurrency: string | null
}

/** A line as it is stored: what it leaves out is its product's. */
const lineOf = (line: NewOrderLine, currency: string, products: ReadonlyArray<ProductRow>): OrderLine | string => {
  const product = products.find(({ id }) => id === line.productId)
  if (line.productId != null && product === undefined) return `There is no product ${line.productId}.`
  const name = line.name ?? product?.name
  if (name === undefined) return "A line without productId needs a name."
  const price = product?.priceCurrency === currency ? Number(product.priceAmount) : undefined
  const unitPrice = line.unitPrice ?? price
  if (unitPrice === undefined) return `The line "${name}" needs a unitPrice: there is no price of it in ${currency}.`
  return {
    productId: line.productId ?? null,
    sku: line.sku === undefined ? (product?.sku ?? null) : line.sku,
    name,
    quantity: line.quantity,
    unitPrice,
    tax: line.tax ?? 0
  }
}

const linesOf = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  lines: ReadonlyArray<NewOrderLine>,
  currency: string
) {
  const ids = lines.flatMap(({ productId }) => (productId == null ? [] : [productId]))
  const products =
    ids.length === 0
      ? []
      : yield* Effect.orDie(
          sql<ProductRow>`SELECT id, name, sku, price_amount, price_currency FROM products WHERE id = ANY(${ids}::text[])`
        )
  return yield* Effect.forEach(lines, (line) => {
    const made = lineOf(line, currency, products)
    return typeof made === "string" ? Effect.fail(new InvalidRecord({ message: made })) : Effect.succeed(made)
  })
})

const referenced = Effect.fnUntraced(function* (sql: PgClient.PgClient, input: NewOrder | OrderChanges) {
  const { contactId, companyId, conversationId } = input
  yield* existing(sql, "contacts", "contact", contactId == null ? [] : [contactId])
  yield* existing(sql, "conversations", "conversation", conversationId == null ? [] : [conversationId])
  yield* existing(sql, "companies", "company", companyId == null ? [] : [companyId])
})

/** Statuses that an order has only after it was paid. */
const afterPayment = ["paid", "fulfilled", "refunded"]

type Input = ReportedOrder | OrderChanges

/** The sums as the source says them, as they were when nothing of them changes, or as they follow from the lines. */
const sumsOf = (input: Input, before: Order | undefined, made: Pick<Order, "lines" | "discount" | "shipping">) => {
  if ("sums" in input && input.sums !== undefined) return input.sums
  const { lines, discount, shipping } = input
  const same = before !== undefined && [lines, discount, shipping].every((one) => one === undefined)
  const { subtotal, tax, total } = same ? before : orderTotals(made.lines, made)
  return { subtotal, tax, total }
}

const fields = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  _organizationId: string,
  input: Input,
  before: Order | undefined,
  now: number
) {
  yield* referenced(sql, input)
  const currency = before?.currency ?? ("currency" in input ? input.currency : "")
  const lines = input.lines === undefined ? (before?.lines ?? []) : yield* linesOf(sql, input.lines, currency)
  const extras = {
    discount: input.discount ?? before?.discount ?? 0,
    shipping: input.shipping ?? before?.shipping ?? 0
  }
  const { subtotal, tax, total } = sumsOf(input, before, { lines, ...extras })
  const totals = { subtotal, tax, total }
  if (totals.total < 0)
    return yield* new InvalidRecord({ message: "discount is invalid: it is larger than the rest of the order." })
  if (!Number.isSafeInteger(totals.total))
    return yield* new InvalidRecord({ message: "lines are invalid: their sum is too large." })
  const status = input.status ?? before?.status ?? "pending"
  const at = iso(new Date(now))
  const made: FieldsOf<Order> = {
    number: (input.number ?? before?.number ?? "").trim(),
    status,
    contactId: input.contactId === undefined ? (before?.contactId ?? null) : input.contactId,
    companyId: input.companyId === undefined ? (before?.companyId ?? null) : input.companyId,
    conversationId: input.conversationId === undefined ? (before?.conversationId ?? null) : input.conversationId,
    currency,
    lines,
    ...extras,
    ...totals,
    notes: input.notes === undefined ? (before?.notes ?? null) : input.notes,
    placedAt: input.placedAt === undefined ? (before?.placedAt ?? at) : iso(new Date(input.placedAt)),
    paidAt:
      "sums" in input && input.sums !== undefined
        ? input.sums.paidAt
        : (before?.paidAt ?? (afterPayment.includes(status) ? at : null))
  }
  return made
})

/** `order.paid` comes once, with the first payment. */
const events = (before: Order | undefined, order: Order): ReadonlyArray<NewEvent> => {
  const data = { order, contact: order.contactId === null ? null : { id: order.contactId } }
  const changed: NewEvent = { type: before === undefined ? "order.created" : "order.updated", data }
  return order.paidAt !== null && before?.paidAt == null ? [changed, { type: "order.paid", data }] : [changed]
}

const orders: ModuleTable<Order, NewOrder, OrderChanges, ReportedOrder> = {
  module: "orders",
  prefix: "ord",
  fields,
  columns: (sql, order) => ({
    number: order.number,
    status: order.status,
    contact_id: order.contactId,
    company_id: order.companyId,
    conversation_id: order.conversationId,
    currency: order.currency,
    lines: sql.json(order.lines),
    discount: order.discount,
    shipping: order.shipping,
    subtotal: order.subtotal,
    tax: order.tax,
    total: order.total,
    notes: order.notes,
    placed_at: new Date(order.placedAt),
    paid_at: order.paidAt === null ? null : new Date(order.paidAt)
  }),
  unique: ({ number }) => ({ key: number.toLowerCase(), has: `the number ${number}` }),
  madeAt: ({ placedAt }) => placedAt,
  keyOf: (number) => number.trim().toLowerCase(),
  texts: ({ number, lines }) => [number, ...lines.flatMap(({ name, sku }) => [name, sku])],
  filters: {
    number: (sql, number) => sql`r.unique_key = ${number.trim().toLowerCase()}`,
    status: (sql, status) => sql`r.status = ${status}`,
    contactId: (sql, id) => sql`r.contact_id = ${id}`,
    companyId: (sql, id) => sql`r.company_id = ${id}`,
    conversationId: (sql, id) => sql`r.conversation_id = ${id}`
  },
  broadFilters: ["status"],
  read: (row) => ({
    number: row.number,
    status: row.status,
    contactId: row.contactId,
    companyId: row.companyId,
    conversationId: row.conversationId,
    currency: row.currency,
    lines: row.lines,
    discount: Number(row.discount),
    shipping: Number(row.shipping),
    subtotal: Number(row.subtotal),
    tax: Number(row.tax),
    total: Number(row.total),
    notes: row.notes,
    placedAt: row.placedAt instanceof Date ? iso(row.placedAt) : row.placedAt,
    paidAt: row.paidAt instanceof Date ? isoOrNull(row.paidAt) : null
  }),
  events
}

export const layer = Layer.effect(Orders, makeModuleRecords(Order, orders))
