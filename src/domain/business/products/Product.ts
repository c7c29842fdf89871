/** Products: what an organization sells, its price and its stock. */
import { Context, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import { lines, plainText } from "../../basics/PlainText.ts"
import { newRecordFields, type Records, recordFields } from "../records/ModuleRecord.ts"
import { Amount, Currency } from "../records/Money.ts"

/** A price in the smallest unit of its currency. */
export const Price = Schema.Struct({ amount: Amount, currency: Currency })
export type Price = typeof Price.Type

export const Product = Schema.Struct({
  ...recordFields,
  name: Schema.String,
  /** The organization's own number of the product, unique. */
  sku: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  price: Schema.NullOr(Price),
  /** How many there are; null: it is not counted. */
  stock: Schema.NullOr(Schema.Int),
  supplierIds: Schema.Array(Schema.String)
}).annotate({
  title: "Product",
  examples: [
    {
      id: exampleIds.product,
      organizationId: exampleIds.organization,
      name: "Atlas of Rivers",
      sku: "BK-427",
      description: "Hardcover, 320 pages.",
      price: { amount: 2_499, currency: "USD" },
      stock: 12,
      supplierIds: [exampleIds.supplier],
      customFields: {},
      source: null,
      archivedAt: null,
      createdAt: "2026-11-20T08:05:00.000Z",
      updatedAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type Product = typeof Product.Type

const optional = {
  sku: Schema.optionalKey(Schema.NullOr(plainText(100))),
  description: Schema.optionalKey(Schema.NullOr(lines(10_000))),
  price: Schema.optionalKey(Schema.NullOr(Price)),
  stock: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: -1_000_000_000, maximum: 1_000_000_000 })))
  ),
  supplierIds: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(60))).check(Schema.isMaxLength(50))
  ),
  ...newRecordFields
}

const Name = plainText(200)

export const NewProduct = Schema.Struct({ name: Name, ...optional }).annotate({
  title: "NewProduct",
  examples: [{ name: "Atlas of Rivers", sku: "BK-427", price: { amount: 2_499, currency: "USD" }, stock: 12 }]
})
export type NewProduct = typeof NewProduct.Type

export const ProductChanges = Schema.Struct({ name: Schema.optionalKey(Name), ...optional }).annotate({
  title: "ProductChanges",
  examples: [{ stock: 11 }]
})
export type ProductChanges = typeof ProductChanges.Type

export class Products extends Context.Service<Products, Records<Product, NewProduct, ProductChanges>>()(
  "parley/domain/Products"
) {}
