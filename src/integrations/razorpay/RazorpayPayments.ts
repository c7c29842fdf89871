/** Payment links at Razorpay: one for each payment, of a fixed amount, that can be paid once. */
import { Effect, Schema } from "effect"
import type { AppPayments } from "../../domain/apps/AppAdapter.ts"
import type { AppSession } from "../../domain/apps/AppSession.ts"
import type { AskedLink, PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { canAsk } from "./RazorpayAmounts.ts"
import { Link, newsOfLink, newsOfPayment, Payment, paymentOf, razorpayNote } from "./RazorpayObjects.ts"
import { askRazorpay, decodedRazorpay } from "./RazorpayRequests.ts"

const Links = Schema.Struct({ payment_links: Schema.Array(Link) })
const longestName = 50

const isLive = ({ credentials: { keyId } }: Pick<AppSession, "credentials">) => !/^rzp_test_/.test(keyId ?? "")

/** What of the customer fills in Razorpay's form. It checks names by rules of its own, so only what fits them is given. */
const customerOf = (customer: AskedLink["customer"]) => {
  const { name, phone, email } = customer ?? { name: null, phone: null, email: null }
  return {
    ...(name !== null && name.length >= 3 ? { name: name.slice(0, longestName) } : {}),
    ...(phone === null ? {} : { contact: phone }),
    ...(email === null ? {} : { email })
  }
}

/** The links that Razorpay finds for a query, newest first. */
export const linksBy = (
  baseUrl: string,
  session: AppSession,
  name: "reference_id" | "payment_id",
  value: string
): Effect.Effect<ReadonlyArray<Link>, Effect.Error<ReturnType<typeof askRazorpay>>> =>
  Effect.gen(function* () {
    const path = `/payment_links?${name}=${encodeURIComponent(value)}`
    return (yield* decodedRazorpay(Links, yield* askRazorpay(baseUrl, session, { method: "GET", path }))).payment_links
  })

export const makeRazorpayPayments = (baseUrl: string): AppPayments => {
  const linkAt = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const path = `/payment_links/${encodeURIComponent(id)}`
    return yield* decodedRazorpay(Link, yield* askRazorpay(baseUrl, session, { method: "GET", path }))
  })

  return {
    isLive,
    problem: ({ amount, currency }) =>
      canAsk(amount, currency) ? undefined : `amount is invalid: Razorpay takes ${currency} in steps of 0.010.`,
    create: Effect.fnUntraced(function* (session, asked) {
      const { reference, amount, currency, description, expiresAt, customer } = asked
      const body = {
        ...{ amount, currency, description, accept_partial: false, reference_id: reference },
        customer: customerOf(customer),
        notify: { sms: false, email: false, whatsapp: false },
        reminder_enable: false,
        expire_by: Math.floor(expiresAt / 1_000),
        notes: { [razorpayNote]: reference }
      }
      const answer = yield* askRazorpay(baseUrl, session, { method: "POST", path: "/payment_links", body })
      // An earlier attempt may have made it: a reference is taken once.
      const before = answer.status === 400 ? yield* linksBy(baseUrl, session, "reference_id", reference) : []
      const { id, short_url: url } =
        before.find((link) => link.reference_id === reference) ?? (yield* decodedRazorpay(Link, answer))
      return { externalId: id, url, live: isLive(session) }
    }),
    ask: Effect.fnUntraced(function* (session, { reference, externalId }, now) {
      const link = yield* linkAt(session, externalId)
      const news = { ...newsOfLink(link, now), reference } satisfies PaymentNews
      const paid = paymentOf(link)
      if (paid === undefined) return news
      const path = `/payments/${encodeURIComponent(paid.payment_id)}`
      const payment = yield* decodedRazorpay(Payment, yield* askRazorpay(baseUrl, session, { method: "GET", path }))
      return { ...newsOfPayment(payment, reference), ...news }
    }),
    close: Effect.fnUntraced(function* (session, { externalId }) {
      const path = `/payment_links/${encodeURIComponent(externalId)}/cancel`
      const answer = yield* askRazorpay(baseUrl, session, { method: "POST", path })
      // What is refused may be over already: paid, expired, or canceled by an earlier attempt.
      if (answer.status === 400 && (yield* linkAt(session, externalId)).status !== "created") return
      yield* decodedRazorpay(Link, answer)
    })
  }
}
