import { Effect } from "effect"
import { z } from "zod"
import { type OrderLine, Orders } from "../../../domain/business/orders/Order.ts"
import { makeManageRecords } from "../../../domain/business/records/ManageRecords.ts"
import { decimalAmount } from "../../../domain/business/records/Money.ts"
import { recordMissing } from "../../handlers/business/moduleHandlers.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { clip, fitting, restLine, type Truncated, truncated } from "../protocol/ToolAnswer.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"
import { ofModules } from "./moduleRecords.ts"

const line = z.object({
  productId: z.string().nullable(),
  sku: z.string().nullable(),
  name: z.string(),
  quantity: z.int(),
  unitPrice: z.int().describe("For one, without tax."),
  tax: z.int().describe("For the whole line.")
})

const output = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  contactId: z.string().nullable(),
  companyId: z.string().nullable(),
  conversationId: z.string().nullable(),
  currency: z.string().describe("ISO 4217. All amounts are in its smallest unit: 5923 of USD is 59.23 dollars."),
  lines: z.array(line),
  subtotal: z.int().describe("Without tax."),
  discount: z.int(),
  shipping: z.int(),
  tax: z.int(),
  total: z.int(),
  notes: z.string().nullable().describe("Cut at 2,000 characters."),
  placedAt: z.string(),
  paidAt: z.string().nullable(),
  archivedAt: z.string().nullable(),
  truncated
})

const longestNotes = 2_000
/** What is left for the lines of an order beside its notes and amounts. */
const roomForLines = 24 * 1_024

const lineText = ({ quantity, name, sku, unitPrice }: OrderLine, currency: string) =>
  `${quantity} × ${name}${sku === null ? "" : ` (${sku})`} at ${decimalAmount(unitPrice, currency)}`

export const getOrder = Effect.gen(function* () {
  const { get } = yield* makeManageRecords("orders", yield* Orders)
  return defineTool({
    ...ofModules,
    name: "get_order",
    title: "Get an order",
    description:
      "Gives one order with its lines and amounts, also an archived one. Use it when you have the id; find the id with list_orders. Amounts are whole numbers in " +
      'the smallest unit of the currency. Example: {"orderId": "ord_01KAJ3…"}',
    input: z.strictObject({
      orderId: arg.id("The id of the order, ord_…."),
      fromLine: z
        .int()
        .min(1)
        .max(500)
        .optional()
        .describe("Where to go on in an order with many lines: the number in `truncated` of the answer before.")
    }),
    output,
    run: Effect.fnUntraced(function* ({ orderId, fromLine = 1 }, { principal: { organizationId } }) {
      const found = yield* get(organizationId, orderId).pipe(
        Effect.catchTags(recordMissing),
        asRefusal("Find the id with list_orders.")
      )
      const { id, number, status, contactId, companyId, conversationId, currency } = found
      const { subtotal, discount, shipping, tax, total, placedAt, paidAt, archivedAt } = found
      const left = found.lines.slice(fromLine - 1)
      const most = fitting(
        left.map((one) => [one, lineText(one, currency)]),
        roomForLines
      )
      const rest: Truncated =
        most >= left.length
          ? null
          : {
              shown: most,
              total: found.lines.length,
              call: { tool: "get_order", arguments: { orderId, fromLine: fromLine + most } }
            }
      const lines = left.slice(0, most)
      const notes = found.notes === null ? null : clip(found.notes, longestNotes)
      const money = (amount: number) => decimalAmount(amount, currency)
      const text = [
        `${id} · ${number} · ${status} · placed ${placedAt} · ${paidAt === null ? "not paid" : `paid ${paidAt}`}`,
        `Contact ${contactId ?? "unknown"}, company ${companyId ?? "none"}.`,
        ...lines.map((one) => lineText(one, currency)),
        `Subtotal ${money(subtotal)}, discount ${money(discount)}, shipping ${money(shipping)}, tax ${money(tax)}, total ${money(total)} ${currency}.`,
        ...(notes === null ? [] : [`Notes: ${notes}`]),
        ...restLine(rest)
      ].join("\n")
      return {
        structured: {
          ...{ id, number, status, contactId, companyId, conversationId, currency, notes, truncated: rest },
          ...{ subtotal, discount, shipping, tax, total, placedAt, paidAt, archivedAt },
          lines: lines.map((one) => ({ ...one }))
        },
        text
      }
    })
  })
})
