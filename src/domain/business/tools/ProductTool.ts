/** Built-in tool: what the organization sells. */
import { Effect } from "effect"
import type { BuiltinTool } from "../../ai/tools/BuiltinTools.ts"
import { toolFailed } from "../../ai/tools/ToolRunner.ts"
import { type Product, Products } from "../products/Product.ts"
import { decimalAmount } from "../records/Money.ts"

const most = 5

const told = ({ name, sku, description, price, stock }: Product) => ({
  name,
  sku,
  description: description?.slice(0, 500) ?? null,
  price: price === null ? null : `${decimalAmount(price.amount, price.currency)} ${price.currency}`,
  inStock: stock
})

export const makeProductTool = Effect.map(
  Products,
  (products): BuiltinTool => ({
    spec: {
      name: "find_product",
      description: "Look up products with their price and how many are in stock, by words of the name or by the SKU.",
      parameters: {
        type: "object",
        properties: { search: { type: "string", description: "Words of the product's name, or its SKU" } },
        required: ["search"]
      }
    },
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* ({ organizationId }, { search }) {
      const filter = { archived: false, sort: "-createdAt", search: String(search), fields: {} } as const
      const { data } = yield* products.list(organizationId, filter, { page: 1, limit: most })
      return data.length === 0
        ? toolFailed(`There is no product that fits "${String(search)}".`)
        : { outcome: "ok", result: JSON.stringify({ products: data.map(told) }) }
    })
  })
)
