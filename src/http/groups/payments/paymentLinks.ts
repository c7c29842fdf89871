/** `/api/payment-links`: amounts that somebody is asked for, with the link where each is paid. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { PaymentLinkInput } from "../../../domain/payments/CreatePaymentLink.ts"
import { PaymentLink, PaymentStatus } from "../../../domain/payments/PaymentLink.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const
const filter = Schema.optionalKey(oneLine(200))

export class PaymentLinksGroup extends HttpApiGroup.make("paymentLinks")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        status: Schema.optionalKey(PaymentStatus),
        contactId: filter,
        orderId: filter,
        conversationId: filter,
        callId: filter
      },
      success: listOf(PaymentLink),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List payment links, newest first",
        description: "With what became of each. Scope `payments:write`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: PaymentLinkInput,
      success: PaymentLink.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, ServerError]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Ask for a payment",
          description:
            "Makes a link at the payment provider that the organization has connected; it is not sent to anybody. `amount` is a decimal text with as many " +
            "decimals as the currency has at most. With `orderId` amount, currency, description and contact may be left out: they are the order's, and " +
            "the order becomes `paid` with the payment. A link can be paid once. 400 says what the provider refuses, or that none is connected. The " +
            "events are `payment.created`, `payment.completed` and those of what follows. Send an `Idempotency-Key`: a repeated request then makes no " +
            "second link. Pro plan or higher; scope `payments:write`."
        })
      ),
    HttpApiEndpoint.get("get", "/:id", { params, success: PaymentLink, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get a payment link", description: "Scope `payments:write`." })
    ),
    HttpApiEndpoint.post("cancel", "/:id/cancel", {
      params,
      success: PaymentLink,
      error: [...error, Conflict, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a payment link",
        description:
          "Nobody can pay by it any more. 409 when it was paid already. One that is over stays as it is. Scope `payments:write`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/payment-links") {}
