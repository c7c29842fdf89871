import { Effect } from "effect"
import { z } from "zod"
import { type Order, OrderStatus, Orders } from "../../../domain/business/orders/Order.ts"
import { makeManageRecords } from "../../../domain/business/records/ManageRecords.ts"
import { decimalAmount } from "../../../domain/business/records/Money.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, listed, listOutput } from "../protocol/ToolAnswer.ts"
import { archivedRecords, fetchRecords, ofModules } from "./moduleRecords.ts"

const row = z.object({
  id: z.string(),
  number: z.string().describe("The organization's own number of the order."),
  status: z.string(),
  contactId: z.string().nullable(),
  companyId: z.string().nullable(),
  total: z.int().describe("In the smallest unit of the currency: 5923 of USD is 59.23 dollars."),
  currency: z.string().describe("ISO 4217"),
  products: z.string().describe("What was ordered, cut at 200 characters."),
  placedAt: z.string()
})

const rowOf = ({ id, number, status, contactId, companyId, total, currency, lines, placedAt }: Order) => ({
  ...{ id, number, status, contactId, companyId, total, currency, placedAt },
  products: clip(
    lines
      .slice(0, 20)
      .map(({ quantity, name }) => `${quantity} × ${name}`)
      .join(", "),
    200
  )
})

export const listOrders = Effect.gen(function* () {
  const fetch = fetchRecords({ module: "orders", list: (yield* makeManageRecords("orders", yield* Orders)).list })
  return defineTool({
    ...ofModules,
    name: "list_orders",
    title: "List orders",
    description:
      "Finds what contacts and companies have ordered, newest first. Use it to see the orders of a contact, or to get the id of an order from its number. " +
      'For all lines and amounts of one use get_order. Example: {"contactId": "cnt_01KAJ3…", "limit": 5}',
    input: z.strictObject({
      search: arg.text(200, "Words of the number, the products or their SKUs, up to 200 characters.").optional(),
      number: arg.text(100, "One whole number of an order, e.g. 427.").optional(),
      status: arg.choice(OrderStatus.literals, "Only orders with this status.").optional(),
      contactId: arg.id("Only orders of this contact, cnt_….").optional(),
      companyId: arg.id("Only orders of this company, cmp_….").optional(),
      archived: archivedRecords,
      limit: arg.limit,
      cursor: arg.cursor,
      fields: arg.fields(["number", "status", "contactId", "companyId", "total", "currency", "products", "placedAt"])
    }),
    output: listOutput(row),
    run: (args, { principal: { organizationId } }) => {
      const { number, status, contactId, companyId } = args
      return listed({
        asked: { tool: "list_orders", args },
        fetch: fetch(organizationId, args, { number, status, contactId, companyId }),
        row: rowOf,
        line: ({ id, number, status, total, currency, products, placedAt }) =>
          `${id} · ${number} · ${status} · ${decimalAmount(total, currency)} ${currency} · ${placedAt} · ${products}`,
        none: "No order matches."
      })
    }
  })
})
