import { Effect } from "effect"
import { z } from "zod"
import { planRefusal } from "../../../domain/people/organizations/Organization.ts"
import * as arg from "../protocol/arg.ts"
import { defineTool } from "../protocol/Tool.ts"
import { ToolRefusal } from "../protocol/ToolRefusal.ts"

/** Payment providers cannot be connected yet, so it always says that none is. */
export const createPaymentLink = Effect.succeed(
  defineTool({
    name: "create_payment_link",
    title: "Create a payment link",
    description:
      "Makes a link by which a contact pays an amount, at the payment provider that the organization has connected. It does not send the link: use " +
      'send_message. The amount is in the smallest unit of the currency. Example: {"contactId": "cnt_01KAJ3…", "amount": 1999, "currency": "USD", ' +
      '"description": "Order 2041"} asks for 19.99 USD.',
    toolset: "payments",
    kind: "sends",
    scope: "payments:write",
    isInPlan: (organization) => planRefusal("integrations", organization) === undefined,
    input: z.strictObject({
      contactId: arg.id("Who pays, cnt_…."),
      amount: z
        .int()
        .min(1)
        .max(99_999_999)
        .describe("In the currency's smallest unit: 1999 is 19.99 USD. 1 to 99,999,999."),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, "must be three capital letters, like USD")
        .describe("ISO 4217, e.g. USD."),
      description: arg.text(200, "What it is for; the contact reads it.")
    }),
    output: z.object({ url: z.string(), paymentId: z.string(), status: z.string() }),
    run: () =>
      Effect.fail(
        new ToolRefusal({
          message: "No payment provider is connected, so there are no payment links.",
          next: "Do not try again: tell the person that an OWNER or ADMIN has to connect a payment provider first."
        })
      )
  })
)
