/** Products in Postgres. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { type NewProduct, Product, type ProductChanges, Products } from "../../../domain/business/products/Product.ts"
import { makeModuleRecords } from "./ModuleRecords.ts"
import type { FieldsOf, ModuleTable } from "./ModuleTable.ts"
import { existing, sortedIds } from "./References.ts"

const fields = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  _organizationId: string,
  input: NewProduct | ProductChanges,
  before: Product | undefined
) {
  if (input.supplierIds !== undefined) yield* existing(sql, "suppliers", "supplier", input.supplierIds)
  const made: FieldsOf<Product> = {
    name: (input.name ?? before?.name ?? "").trim(),
    sku: input.sku === undefined ? (before?.sku ?? null) : (input.sku?.trim() ?? null),
    description: input.description === undefined ? (before?.description ?? null) : input.description,
    price: input.price === undefined ? (before?.price ?? null) : input.price,
    stock: input.stock === undefined ? (before?.stock ?? null) : input.stock,
    supplierIds: sortedIds(input.supplierIds ?? before?.supplierIds)
  }
  return made
})

const products: ModuleTable<Product, NewProduct, ProductChanges> = {
  module: "products",
  prefix: "prd",
  fields,
  columns: (_, { name, sku, description, price, stock }) => ({
    name,
    sku,
    description,
    price_amount: price?.amount ?? null,
    price_currency: price?.currency ?? null,
    stock
  }),
  unique: ({ sku }) => (sku === null ? undefined : { key: sku.toLowerCase(), has: `the SKU ${sku}` }),
  keyOf: (sku) => sku.trim().toLowerCase(),
  adopts: true,
  texts: ({ name, sku }) => [name, sku],
  filters: {
    sku: (sql, sku) => sql`r.unique_key = ${sku.trim().toLowerCase()}`
  },
  links: {
    table: "product_suppliers",
    own: "product_id",
    other: "supplier_id",
    filter: "supplierId",
    of: ({ supplierIds }) => supplierIds
  },
  read: ({ name, sku, description, priceAmount, priceCurrency, stock }, supplierIds) => ({
    name,
    sku,
    description,
    price: priceCurrency === null ? null : { amount: Number(priceAmount), currency: priceCurrency },
    stock,
    supplierIds
  })
}

export const layer = Layer.effect(Products, makeModuleRecords(Product, products))
