/** The four modules: which fields their records have, and what a list shows of each. One list and one form serve them all. */
import type { Company, Order, Product, Supplier } from "@parley/client"
import { moneyOf, number, phone, shortDate } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { orderState, orderStates } from "../../lib/orders.ts"

export type Module = "companies" | "products" | "orders" | "suppliers"
export type ModuleRecord = Company | Product | Order | Supplier

/** What is chosen among others: contacts, or records of a module. */
export type Referred = "contacts" | "companies" | "suppliers"

export interface Field {
  readonly name: string
  readonly label: string
  readonly type:
    | "text"
    | "email"
    | "tel"
    | "long"
    | "integer"
    | "price"
    | "amount"
    | "currency"
    | "choice"
    | "lines"
    | "one"
    | "many"
  readonly required?: true
  /** It cannot be changed later. */
  readonly once?: true
  readonly maxLength?: number
  readonly of?: Referred
  readonly choices?: ReadonlyArray<readonly [value: string, label: string]>
}

const name = { name: "name", label: message("Name"), type: "text", required: true, maxLength: 200 } as const
const reach: ReadonlyArray<Field> = [
  { name: "phone", label: message("Phone"), type: "tel", maxLength: 40 },
  { name: "email", label: message("E-mail"), type: "email", maxLength: 254 },
  { name: "address", label: message("Address"), type: "text", maxLength: 500 }
]
const notes = { name: "notes", label: message("Notes"), type: "long", maxLength: 10_000 } as const

interface Words {
  readonly title: string
  readonly create: string
  readonly empty: string
  readonly what: string
  readonly importTitle: string
  readonly columns: string
  readonly fields: ReadonlyArray<Field>
}

export const modules: Readonly<Record<Module, Words>> = {
  companies: {
    title: message("Companies"),
    create: message("New company"),
    empty: message("No companies yet."),
    what: message("Firms, schools and clubs that your contacts belong to."),
    importTitle: message("Import companies"),
    columns: message("name, domain, phone, email, address, notes"),
    fields: [
      name,
      { name: "domain", label: message("Domain"), type: "text", maxLength: 253 },
      ...reach,
      { name: "contactIds", label: message("Contacts"), type: "many", of: "contacts" },
      notes
    ]
  },
  products: {
    title: message("Products"),
    create: message("New product"),
    empty: message("No products yet."),
    what: message("What you sell. Agents know price and stock."),
    importTitle: message("Import products"),
    columns: message("name, sku, description, price, currency, stock, suppliers"),
    fields: [
      name,
      { name: "sku", label: message("Article number"), type: "text", maxLength: 100 },
      { name: "price", label: message("Price"), type: "price" },
      { name: "stock", label: message("In stock"), type: "integer" },
      { name: "supplierIds", label: message("Suppliers"), type: "many", of: "suppliers" },
      { name: "description", label: message("Description"), type: "long", maxLength: 10_000 }
    ]
  },
  orders: {
    title: message("Orders"),
    create: message("New order"),
    empty: message("No orders yet."),
    what: message("What contacts have ordered, by hand or from your store."),
    importTitle: message("Import orders"),
    columns: message("number, currency, product, quantity, unit price, contact phone, status"),
    fields: [
      { name: "number", label: message("Number"), type: "text", required: true, maxLength: 100 },
      { name: "status", label: message("State"), type: "choice", choices: orderStates },
      { name: "currency", label: message("Currency"), type: "currency", required: true, once: true },
      { name: "lines", label: message("What was ordered"), type: "lines", required: true },
      { name: "discount", label: message("Discount"), type: "amount" },
      { name: "shipping", label: message("Shipping"), type: "amount" },
      { name: "contactId", label: message("Contact"), type: "one", of: "contacts" },
      { name: "companyId", label: message("Company"), type: "one", of: "companies" },
      notes
    ]
  },
  suppliers: {
    title: message("Suppliers"),
    create: message("New supplier"),
    empty: message("No suppliers yet."),
    what: message("Who delivers what you sell."),
    importTitle: message("Import suppliers"),
    columns: message("name, phone, email, address, notes"),
    fields: [name, ...reach, notes]
  }
}

export const nameOf = (record: ModuleRecord): string => ("number" in record ? record.number : record.name)

/** What a row says of a record besides its name. */
export const factsOf = (record: ModuleRecord): ReadonlyArray<string> => {
  if ("lines" in record)
    return [orderState(record.status), shortDate(record.placedAt), moneyOf(record.total, record.currency)]
  if ("price" in record)
    return [
      ...(record.sku === null ? [] : [record.sku]),
      ...(record.stock === null ? [] : [t("{n} in stock", { n: number(record.stock) })]),
      ...(record.price === null ? [] : [moneyOf(record.price.amount, record.price.currency)])
    ]
  return [
    ...("domain" in record && record.domain !== null ? [record.domain] : []),
    ...(record.email === null ? [] : [record.email]),
    ...(record.phone === null ? [] : [phone(record.phone)])
  ]
}
