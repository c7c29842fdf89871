/**
 * Built-in tools: an agent asks the person it talks with for a payment, and looks up whether it was paid. In a call the link is sent by message while the
 * caller waits, and the agent hears when it was paid.
 */
import { Effect, Schema } from "effect"
import type { BuiltinTool } from "../ai/tools/BuiltinTools.ts"
import type { Arguments } from "../ai/tools/ToolArguments.ts"
import { type ToolContext, toolFailed } from "../ai/tools/ToolRunner.ts"
import { idFrom } from "../basics/Ids.ts"
import { Orders } from "../business/orders/Order.ts"
import { Currency } from "../business/records/Money.ts"
import { Contacts } from "../people/contacts/Contact.ts"
import { makeCreatePaymentLink } from "./CreatePaymentLink.ts"
import { LinkSender } from "./LinkSender.ts"
import { type PaymentLink, PaymentLinks } from "./PaymentLink.ts"

const mostShown = 5
const isCurrency = Schema.is(Currency)

const unknownPerson = toolFailed("It is not known who this is, so no payment can be asked for.")

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

const told = ({ amount, currency, description, status, paidAt, expiresAt }: PaymentLink) => ({
  amount: `${amount} ${currency}`,
  description,
  status,
  paidAt,
  expiresAt
})

/** Needs what `makeCreatePaymentLink` needs, and LinkSender. */
export const makePaymentTool = Effect.fnUntraced(function* (publicBaseUrl: string) {
  const create = yield* makeCreatePaymentLink(publicBaseUrl)
  const orders = yield* Orders
  const contacts = yield* Contacts
  const sender = yield* LinkSender

  /** The order that the person names, among its own. */
  const orderOf = Effect.fnUntraced(function* (organizationId: string, contactId: string, number: string) {
    const filter = { archived: false, sort: "-createdAt", fields: { contactId, number } } as const
    const { data } = yield* orders.list(organizationId, filter, { page: 1, limit: 1 })
    return data.at(0)
  })

  /** In a call the link goes by message; in a chat the agent writes it. */
  const handOver = Effect.fnUntraced(function* (link: PaymentLink, { callId }: ToolContext, contactId: string) {
    const payment = { ...told(link), url: link.url }
    if (callId === null)
      return {
        outcome: "ok" as const,
        result: JSON.stringify({ ...payment, next: "Write the address in your answer, unchanged." })
      }
    const { problem } = yield* sender.send(link, contactId)
    if (problem !== null)
      return toolFailed(`The link was made, but could not be sent to the person: ${problem} Offer a colleague instead.`)
    const phone = (yield* contacts.find(link.organizationId, contactId))?.phone ?? "the person"
    const next = `The link is on its way to ${phone} by message. Say so, and that you wait. You will be told when it is paid. Do not read it out.`
    return { outcome: "ok" as const, result: JSON.stringify({ ...told(link), next }), tellsLater: true }
  })

  const input = Effect.fnUntraced(function* (organizationId: string, contactId: string, given: Arguments) {
    const number = textOf(given.orderNumber)
    const order = number === undefined ? undefined : yield* orderOf(organizationId, contactId, number)
    if (number !== undefined && order === undefined) return `This person has no order with the number ${number}.`
    if (order?.paidAt != null) return `Order ${order.number} is paid already.`
    const [amount, currency, description] = [given.amount, given.currency, given.description].map(textOf)
    if (currency !== undefined && !isCurrency(currency)) return "currency must be three capital letters, like USD."
    // What an order costs, the order says, and not the caller.
    if (order !== undefined) return { orderId: order.id, contactId }
    if (amount === undefined || currency === undefined || description === undefined)
      return "Without orderNumber there must be amount, currency and description."
    return { amount, currency, description: description.slice(0, 200), contactId }
  })

  const tool: BuiltinTool = {
    spec: {
      name: "create_payment_link",
      description:
        "Ask the person you talk with for a payment. It makes a link by which the amount is paid. For an order give only orderNumber: its total is asked for. " +
        "Use it only after the person has agreed to pay. In a call the link is sent by message.",
      parameters: {
        type: "object",
        properties: {
          orderNumber: { type: "string", description: "The number of the person's order that is to be paid, like 427" },
          amount: { type: "string", description: "Without an order: the amount as a decimal, like 24.99" },
          currency: { type: "string", description: "Without an order: its currency, like USD" },
          description: { type: "string", description: "Without an order: what it is for; the person reads it" }
        }
      }
    },
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* (context, given) {
      const { organizationId, contactId, conversationId, callId, agentId, idempotencyKey } = context
      if (contactId === null) return unknownPerson
      const asked = yield* input(organizationId, contactId, given)
      if (typeof asked === "string") return toolFailed(asked)
      const asker = { createdBy: agentId, callId, id: idFrom("pay", `${organizationId} ${idempotencyKey}`) }
      return yield* create(organizationId, { ...asked, conversationId }, asker).pipe(
        Effect.flatMap(({ shown }) => handOver(shown, context, contactId)),
        Effect.catch(({ message }) => Effect.succeed(toolFailed(message)))
      )
    })
  }
  return tool
})

/** Needs PaymentLinks. */
export const makePaymentStatusTool = Effect.map(
  PaymentLinks,
  (links): BuiltinTool => ({
    spec: {
      name: "find_payments",
      description: "Look up the payments that the person you talk with was asked for, and whether they were paid.",
      parameters: { type: "object", properties: {} }
    },
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* ({ organizationId, contactId }) {
      if (contactId === null) return unknownPerson
      const { data } = yield* links.list(organizationId, { contactId }, { page: 1, limit: mostShown })
      if (data.length === 0) return toolFailed("This person was not asked for a payment.")
      return { outcome: "ok", result: JSON.stringify({ payments: data.map(told) }) }
    })
  })
)
