/** Built-in tool: what the contact has ordered. It never tells of another contact's orders. */
import { Effect } from "effect"
import type { BuiltinTool } from "../../ai/tools/BuiltinTools.ts"
import { toolFailed } from "../../ai/tools/ToolRunner.ts"
import { type Order, Orders } from "../orders/Order.ts"
import { decimalAmount } from "../records/Money.ts"

const most = 5

const told = ({ number, status, placedAt, paidAt, currency, total, lines }: Order) => ({
  number,
  status,
  placedAt,
  paidAt,
  total: `${decimalAmount(total, currency)} ${currency}`,
  products: lines.map(({ name, quantity }) => ({ name, quantity }))
})

export const makeOrderTool = Effect.map(
  Orders,
  (orders): BuiltinTool => ({
    spec: {
      name: "find_order",
      description:
        "Look up the orders of the person you talk with: the newest ones, or the one with a number. It knows no orders of other people.",
      parameters: {
        type: "object",
        properties: { number: { type: "string", description: "The order's number, if the person says it, like 427" } }
      }
    },
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* ({ organizationId, contactId }, { number }) {
      if (contactId === null) return toolFailed("It is not known who this is, so no orders can be looked up.")
      const fields = { contactId, number: typeof number === "string" ? number : undefined }
      const filter = { archived: false, sort: "-createdAt", fields } as const
      const { data } = yield* orders.list(organizationId, filter, { page: 1, limit: most })
      if (data.length === 0)
        return toolFailed(
          fields.number === undefined
            ? "This person has no orders."
            : `This person has no order with the number ${fields.number}.`
        )
      return { outcome: "ok", result: JSON.stringify({ orders: data.map(told) }) }
    })
  })
)
