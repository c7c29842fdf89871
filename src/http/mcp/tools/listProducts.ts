import { Effect } from "effect"
import { z } from "zod"
import { type Product, Products } from "../../../domain/business/products/Product.ts"
import { makeManageRecords } from "../../../domain/business/records/ManageRecords.ts"
import { decimalAmount } from "../../../domain/business/records/Money.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { archivedRecords, fetchRecords, ofModules } from "./moduleRecords.ts"

const row = z.object({
  id: z.string(),
  name: z.string(),
  sku: z.string().nullable(),
  price: z.int().nullable().describe("In the smallest unit of the currency: 2499 of USD is 24.99 dollars."),
  currency: z.string().nullable().describe("ISO 4217"),
  stock: z.int().nullable().describe("How many there are; null: they are not counted."),
  description: z.string().nullable().describe("Cut at 300 characters.")
})

const rowOf = ({ id, name, sku, price, stock, description }: Product): z.infer<typeof row> => ({
  ...{ id, name, sku, stock },
  price: price?.amount ?? null,
  currency: price?.currency ?? null,
  description: description === null ? null : clip(description, 300)
})

const priceText = ({ price, currency }: z.infer<typeof row>) =>
  price === null || currency === null ? "no price" : `${decimalAmount(price, currency)} ${currency}`

export const listProducts = Effect.gen(function* () {
  const fetch = fetchRecords({ module: "products", list: (yield* makeManageRecords("products", yield* Products)).list })
  return defineTool({
    ...ofModules,
    name: "list_products",
    title: "List products",
    description:
      "Finds what the organization sells, with price and stock, newest first. Use it to answer what something costs or whether it is there. Do not use it to see " +
      'what somebody bought: use list_orders. Example: {"search": "atlas", "limit": 5}',
    input: z.strictObject({
      search: arg.text(200, "Words of the name or the SKU, up to 200 characters.").optional(),
      sku: arg.text(100, "One whole SKU.").optional(),
      archived: archivedRecords,
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["name", "sku", "price", "currency", "stock", "description"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) =>
      listed({
        asked: { tool: "list_products", args },
        fetch: fetch(organizationId, args, { sku: args.sku }),
        row: rowOf,
        line: (product) =>
          [
            product.id,
            product.name,
            product.sku ?? "no SKU",
            priceText(product),
            product.stock === null ? "not counted" : `${product.stock} in stock`
          ].join(" · "),
        none: "No product matches."
      })
  })
})
