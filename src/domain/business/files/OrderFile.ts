/**
 * Files of orders: a row is an order. Its lines are a list of JSON in one cell, with amounts as decimals; an order of one line may have the columns of
 * the line instead.
 */
import { Schema } from "effect"
import { parsedJson } from "../../basics/Json.ts"
import { type Order, type OrderLine, ReportedOrder } from "../orders/Order.ts"
import { decimalAmount, isCurrency } from "../records/Money.ts"
import type { FileColumn, ModuleFile, Reference } from "./ModuleFile.ts"
import { amountIn, noCurrency } from "./ProductFile.ts"
import { type Cells, instantIn, numberIn, RowProblem, rowProblem } from "./RowText.ts"

const money = (field: "discount" | "shipping" | "subtotal" | "tax" | "total"): FileColumn<Order> => ({
  field,
  names: [field],
  write: (order) => decimalAmount(order[field], order.currency)
})

const lineText = (currency: string) => {
  const decimal = (amount: number) => decimalAmount(amount, currency)
  return ({ unitPrice, tax, ...line }: OrderLine) => ({ ...line, unitPrice: decimal(unitPrice), tax: decimal(tax) })
}

const columns: ReadonlyArray<FileColumn<Order>> = [
  { field: "number", required: true, names: ["number", "ordernumber", "order", "orderid"], write: (o) => o.number },
  { field: "status", names: ["status", "orderstatus"], write: (o) => o.status },
  { field: "currency", required: true, names: ["currency", "currencycode"], write: (o) => o.currency },
  {
    field: "lines",
    names: ["lines", "lineitems"],
    write: (o) => JSON.stringify(o.lines.map(lineText(o.currency)))
  },
  { field: "product", names: ["product", "productname", "lineitemname"] },
  { field: "sku", names: ["sku", "lineitemsku"] },
  { field: "quantity", names: ["quantity", "lineitemquantity"] },
  { field: "unitPrice", names: ["unitprice", "price", "lineitemprice"] },
  { field: "lineTax", names: ["linetax"] },
  ...(["discount", "shipping", "subtotal", "tax", "total"] as const).map(money),
  { field: "notes", names: ["notes", "note"], write: (o) => o.notes },
  { field: "placedAt", names: ["placedat", "date", "orderdate", "createdat"], write: (o) => o.placedAt },
  { field: "paidAt", names: ["paidat"], write: (o) => o.paidAt },
  { field: "contactId", names: ["contactid"], write: (o) => o.contactId },
  { field: "contactPhone", names: ["contactphone", "phone", "customerphone"] },
  { field: "companyId", names: ["companyid"], write: (o) => o.companyId },
  { field: "company", names: ["company", "companyname"] },
  { field: "conversationId", names: ["conversationid"], write: (o) => o.conversationId }
]

const Line = Schema.Struct({
  productId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  sku: Schema.optionalKey(Schema.NullOr(Schema.String)),
  name: Schema.optionalKey(Schema.String),
  quantity: Schema.Number,
  unitPrice: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  tax: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite]))
})
const readLines = Schema.decodeUnknownOption(Schema.Array(Line))

/** Turns the amounts of an object into whole ones. */
const withAmounts = (
  given: Readonly<Record<string, unknown>>,
  names: ReadonlyArray<string>,
  currency: string,
  prefix = ""
): Record<string, unknown> | RowProblem => {
  const made: Record<string, unknown> = { ...given }
  for (const name of names) {
    if (given[name] === undefined) continue
    const amount = amountIn(prefix === "" ? name : prefix, String(given[name]), currency)
    if (amount instanceof RowProblem) return amount
    made[name] = amount
  }
  return made
}

const linesIn = (cells: Cells, currency: string): ReadonlyArray<unknown> | RowProblem => {
  const text = cells("lines")
  const [name, sku, quantity, unitPrice, tax] = ["product", "sku", "quantity", "unitPrice", "lineTax"].map(cells)
  const single = {
    ...(name === undefined ? {} : { name }),
    ...(sku === undefined ? {} : { sku }),
    quantity: numberIn(quantity ?? "1"),
    ...(unitPrice === undefined ? {} : { unitPrice }),
    ...(tax === undefined ? {} : { tax })
  }
  const found = readLines(text === undefined ? [single] : parsedJson(text))
  if (found._tag === "None")
    return text === undefined
      ? rowProblem("quantity", "quantity must be a whole number.")
      : rowProblem("lines", 'lines must be a list of JSON, like [{"name":"Tea","quantity":2,"unitPrice":"4.50"}].')
  const lines: Array<unknown> = []
  for (const line of found.value) {
    const made = withAmounts(line, ["unitPrice", "tax"], currency, text === undefined ? "" : "lines")
    if (made instanceof RowProblem) return made
    lines.push(made)
  }
  return lines
}

const timeIn = (cells: Cells, field: string) => {
  const text = cells(field)
  if (text === undefined) return undefined
  return instantIn(text) ?? rowProblem(field, `${field} must be a time like 2026-11-25T09:30:00Z.`)
}

/** The sums of a source's order, when the row has them. */
const sumsIn = (cells: Cells, currency: string, paidAt: string | undefined) => {
  const [subtotal, tax, total] = ["subtotal", "tax", "total"].map(cells)
  if (cells("externalId") === undefined || subtotal === undefined || tax === undefined || total === undefined)
    return undefined
  const sums = withAmounts({ subtotal, tax, total }, ["subtotal", "tax", "total"], currency)
  return sums instanceof RowProblem ? sums : { ...sums, paidAt: paidAt ?? null }
}

const read = (cells: Cells) => {
  const currency = cells("currency")
  if (currency === undefined || !isCurrency(currency)) return noCurrency
  const record: Record<string, unknown> = { currency }
  for (const field of ["number", "status", "notes", "contactId", "companyId", "conversationId"]) {
    const text = cells(field)
    if (text !== undefined) record[field] = field === "status" ? text.toLowerCase() : text
  }
  const lines = linesIn(cells, currency)
  const [discount, shipping] = [cells("discount"), cells("shipping")]
  const extras = withAmounts({ discount, shipping }, ["discount", "shipping"], currency)
  const [placedAt, paidAt] = [timeIn(cells, "placedAt"), timeIn(cells, "paidAt")]
  for (const part of [lines, extras, placedAt, paidAt]) if (part instanceof RowProblem) return part
  const sums = sumsIn(cells, currency, paidAt instanceof RowProblem ? undefined : paidAt)
  if (sums instanceof RowProblem) return sums
  for (const [name, value] of Object.entries({ ...extras, lines, placedAt, sums }))
    if (value !== undefined) record[name] = value
  const [phone, company] = [cells("contactPhone"), cells("company")]
  const references: Array<Reference> = []
  if (phone !== undefined) references.push({ field: "contactPhone", of: "contacts", into: "contactId", texts: [phone] })
  if (company !== undefined) references.push({ field: "company", of: "companies", into: "companyId", texts: [company] })
  return { record, references }
}

export const orderFile: ModuleFile<Order, ReportedOrder> = {
  module: "orders",
  columns,
  schema: ReportedOrder,
  read,
  key: ({ number }) => number.toLowerCase(),
  person: (cells) => ({ phone: cells("contactPhone") })
}
