/**
 * Payments at PayPal. An order lives for hours, so a link is a page of ours, which makes an order when somebody wants to pay. Taking the money that the payer
 * has agreed to is ours to do, and is done when PayPal is asked about the payment.
 */
import { Effect } from "effect"
import type { AppPayments } from "../../domain/apps/AppAdapter.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import type { PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { payPalProblem, toPayPal } from "./PayPalAmounts.ts"
import { approvalOf, newsOfOrder, Order } from "./PayPalOrders.ts"
import { askPayPal, decodedPayPal, issueOf, type PayPalHosts } from "./PayPalRequests.ts"

const longestDescription = 127
/** The payer can go on with it: also one who has agreed, and whose bank said no. */
const isWaiting = ({ status }: Order) => ["CREATED", "PAYER_ACTION_REQUIRED", "APPROVED"].includes(status)

export const makePayPalPayments = (hosts: PayPalHosts): AppPayments => {
  /** An order; undefined when PayPal has forgotten it. */
  const orderAt = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const path = `/v2/checkout/orders/${encodeURIComponent(id)}`
    const answer = yield* askPayPal(hosts, session, { method: "GET", path })
    return answer.status === 404 ? undefined : yield* decodedPayPal(Order, answer)
  })

  /** Takes the money of an order that the payer has agreed to, and gives the order as it is then. */
  const captured = Effect.fnUntraced(function* (session: AppSession, order: Order) {
    const path = `/v2/checkout/orders/${encodeURIComponent(order.id)}/capture`
    const asked = { method: "POST", path, body: {}, requestId: `capture-${order.id}` } as const
    const answer = yield* askPayPal(hosts, session, asked)
    // It was taken before, or the bank said no: the payer can choose another way to pay.
    const issue = answer.status === 422 ? issueOf(answer) : undefined
    if (issue === "INSTRUMENT_DECLINED") return order
    if (issue === "ORDER_ALREADY_CAPTURED") return (yield* orderAt(session, order.id)) ?? order
    return yield* decodedPayPal(Order, answer)
  })

  return {
    isLive: ({ settings }) => settings.sandbox !== true,
    problem: ({ amount, currency }) => payPalProblem(amount, currency),
    create: ({ settings }, { reference, pageUrl }) =>
      Effect.succeed({ externalId: reference, url: pageUrl, live: settings.sandbox !== true }),
    begin: Effect.fnUntraced(function* (session, { reference, amount, currency, description, pageUrl, attempts }) {
      const last = attempts.at(-1)
      const before = last === undefined ? undefined : yield* orderAt(session, last)
      const open = before !== undefined && isWaiting(before) ? approvalOf(before) : undefined
      if (before !== undefined && open !== undefined) return { attempt: before.id, url: open }
      if (before?.status === "COMPLETED")
        return yield* new AppFailure({ action: "give_up", message: "A payment by this link is under way at PayPal." })
      const unit = {
        ...{ reference_id: "default", custom_id: reference, description: description.slice(0, longestDescription) },
        amount: { currency_code: currency, value: toPayPal(amount, currency) }
      }
      const context = {
        ...{ return_url: pageUrl, cancel_url: pageUrl, user_action: "PAY_NOW", shipping_preference: "NO_SHIPPING" }
      }
      const body = {
        ...{ intent: "CAPTURE", purchase_units: [unit] },
        payment_source: { paypal: { experience_context: context } }
      }
      // Two who begin at the same time get the same order.
      const requestId = `${reference}-${attempts.length}`
      const asked = { method: "POST", path: "/v2/checkout/orders", body, requestId } as const
      const order = yield* decodedPayPal(Order, yield* askPayPal(hosts, session, asked))
      const url = approvalOf(order)
      if (url === undefined)
        return yield* new AppFailure({ action: "retry", message: "PayPal gave no page for the payer." })
      return { attempt: order.id, url }
    }),
    ask: Effect.fnUntraced(function* (session, { reference, attempts, isOpen }, now) {
      let news: PaymentNews = { reference }
      for (const id of [...attempts].reverse()) {
        const order = yield* orderAt(session, id)
        if (order === undefined) continue
        const known = order.status === "APPROVED" && isOpen ? yield* captured(session, order) : order
        const told = newsOfOrder(known, reference, now)
        if (told.paid !== undefined) return told
        // The newest failure counts.
        news = { ...told, ...news }
      }
      return news
    }),
    // Nobody can pay without us: what the payer has agreed to is not taken any more.
    close: () => Effect.void
  }
}
