import { Effect } from "effect"
import { z } from "zod"
import { makeCreatePaymentLink, PaymentLinkInput } from "../../../domain/payments/CreatePaymentLink.ts"
import { noProvider } from "../../../domain/payments/PaymentProviders.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { planRefusal } from "../../../domain/people/organizations/Organization.ts"
import { paymentErrors } from "../../handlers/payments/paymentLinks.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { asRefusal, ToolRefusal } from "../protocol/ToolRefusal.ts"

const read = payloadOf(PaymentLinkInput)

/** Nothing that a model can change helps. */
const unconnected = (refusal: ToolRefusal) =>
  refusal.message.startsWith(noProvider)
    ? new ToolRefusal({
        message: refusal.message,
        next: "Do not try again: tell the person that an OWNER or ADMIN has to connect a payment provider first."
      })
    : refusal

export const createPaymentLink = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const create = yield* makeCreatePaymentLink(publicBaseUrl)
  return defineTool({
    name: "create_payment_link",
    title: "Create a payment link",
    description:
      "Makes a link by which a contact pays an amount, at the payment provider that the organization has connected. It does not send the link: use " +
      "send_message. The amount is a decimal text with the currency's own number of decimals. For an order give only orderId: its total is asked for. " +
      'Example: {"contactId": "cnt_01KAJ3…", "amount": "19.99", "currency": "USD", "description": "Order 2041"}',
    toolset: "payments",
    kind: "sends",
    scope: "payments:write",
    isInPlan: (organization) => planRefusal("integrations", organization) === undefined,
    input: z.strictObject({
      contactId: arg.id("Who pays, cnt_…. Leave it out with an order: it is the order's.").optional(),
      orderId: arg.id("The order that is paid, ord_…; it becomes paid with the payment.").optional(),
      conversationId: arg
        .id("The conversation in which it is asked for, cnv_…; it is noted there when it is paid.")
        .optional(),
      amount: z
        .string()
        .regex(/^\d{1,13}(\.\d{1,4})?$/, 'must be a decimal number, like "19.99"')
        .optional()
        .describe('A decimal text: "19.99" USD, "1999" JPY. Leave it out with an order.'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, "must be three capital letters, like USD")
        .optional()
        .describe("ISO 4217, e.g. USD. Leave it out with an order."),
      description: arg.text(200, "What it is for; the contact reads it. Leave it out with an order.").optional(),
      expiresAt: arg.text(40, "ISO 8601: when it cannot be paid any more. By itself after 7 days.").optional()
    }),
    output: z.object({ url: z.string(), paymentId: z.string(), status: z.string() }),
    run: Effect.fnUntraced(function* (args, { principal }) {
      const input = yield* asRefusal()(read(arg.defined(args)))
      const asker = { createdBy: callerId(principal), callId: null }
      const { shown } = yield* create(principal.organizationId, input, asker).pipe(
        Effect.catchTags(paymentErrors),
        asRefusal(),
        Effect.mapError(unconnected)
      )
      const { id, url, status, amount, currency, live } = shown
      const mode = live ? "" : " It is a test: no money moves."
      return {
        structured: { url, paymentId: id, status },
        text: `${url} asks for ${amount} ${currency} (${id}).${mode}`,
        subjectId: id
      }
    })
  })
})
