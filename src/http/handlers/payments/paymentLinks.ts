import { Effect } from "effect"
import { makeCreatePaymentLink, type PaymentsNotAllowed } from "../../../domain/payments/CreatePaymentLink.ts"
import { makeFollowPayments, type PaymentLinkPaid } from "../../../domain/payments/FollowPayments.ts"
import { type InvalidPaymentLink, PaymentLinks } from "../../../domain/payments/PaymentLink.ts"
import type { PaymentRefused, PaymentUnavailable } from "../../../domain/payments/PaymentProviders.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { partOf, toList } from "../../wire/Listing.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"

const notFound = () => new NotFound({ error: "There is no such payment link." })

/** What the provider's refusals are answered with. */
const provided = {
  PaymentRefused: ({ message }: PaymentRefused) => new BadRequest({ error: message }),
  PaymentUnavailable: ({ message }: PaymentUnavailable) =>
    new ServerError({ error: `The payment provider could not be asked: ${message} Please try again in a moment.` })
}

/** What the refusals of a new link are answered with. */
export const paymentErrors = {
  ...provided,
  PaymentsNotAllowed: ({ message }: PaymentsNotAllowed) => new Forbidden({ error: message }),
  InvalidPaymentLink: ({ message }: InvalidPaymentLink) => new BadRequest({ error: message })
}

/** Needs PaymentLinks, what `makeCreatePaymentLink` needs, and OwnAddress. */
export const layer = group(
  AppApi,
  "paymentLinks",
  Effect.fn(function* (handlers) {
    const links = yield* PaymentLinks
    const { publicBaseUrl } = yield* OwnAddress
    const create = yield* makeCreatePaymentLink(publicBaseUrl)
    const { cancel } = yield* makeFollowPayments

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* requireScope("payments:write")
        const part = yield* partOf("paymentLinks", query)
        const { status, contactId, orderId, conversationId, callId } = query
        const filter = { status, contactId, orderId, conversationId, callId }
        return toList(yield* links.list(organizationId, filter, part), part)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* requireScope("payments:write")
        const asker = { createdBy: callerId(caller), callId: null }
        const made = create(caller.organizationId, payload, asker)
        return (yield* Effect.catchTags(made, paymentErrors)).shown
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("payments:write")
        const link = yield* links.find(organizationId, params.id)
        return link === undefined || link.made === null ? yield* notFound() : link.shown
      }),
      cancel: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* requireScope("payments:write")
        const canceled = yield* Effect.catchTags(cancel(organizationId, params.id), {
          ...provided,
          PaymentLinkNotFound: notFound,
          PaymentLinkPaid: ({ message }: PaymentLinkPaid) => new Conflict({ error: message })
        })
        return canceled.shown
      })
    })
  })
)
