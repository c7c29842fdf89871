/** Payment links at Stripe: one for each payment, with a price of its own, that can be paid once. */
import { Effect, Schema } from "effect"
import type { AppPayments } from "../../domain/apps/AppAdapter.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import type { KnownLink, PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { toStripe } from "./StripeAmounts.ts"
import { newsOfSession, referenceName, Session } from "./StripeObjects.ts"
import { readAnswer, sent } from "./StripeRequests.ts"

const Link = Schema.Struct({ id: Schema.String, url: Schema.String, livemode: Schema.Boolean })
const Closed = Schema.Struct({ active: Schema.Boolean })
const Sessions = Schema.Struct({ data: Schema.Array(Session) })

/** More sessions than people open for one link. */
const mostSessions = 100

export const makeStripePayments = (baseUrl: string): AppPayments => {
  /** Every visit of a link makes a session at Stripe. */
  const sessionsOf = Effect.fnUntraced(function* (session: AppSession, { externalId }: KnownLink) {
    const fields = { payment_link: externalId, limit: mostSessions, expand: ["data.payment_intent.latest_charge"] }
    const answer = yield* sent(baseUrl, session, { method: "GET", path: "/v1/checkout/sessions", fields })
    return (yield* readAnswer(Sessions, answer)).data
  })

  return {
    isLive: ({ credentials: { secretKey } }) => !/^[rs]k_test_/.test(secretKey ?? ""),
    problem: ({ amount, currency }) =>
      toStripe(amount, currency) === undefined
        ? `amount is invalid: Stripe does not take ${currency} in so small steps.`
        : undefined,
    create: Effect.fnUntraced(function* (session, { reference, amount, currency, description }) {
      const unitAmount = toStripe(amount, currency)
      if (unitAmount === undefined)
        return yield* new AppFailure({ action: "give_up", message: "Stripe does not take this amount." })
      const metadata = { [referenceName]: reference }
      const price = {
        currency: currency.toLowerCase(),
        unit_amount: unitAmount,
        product_data: { name: description }
      }
      const fields = {
        line_items: [{ price_data: price, quantity: 1 }],
        metadata,
        payment_intent_data: { description, metadata },
        restrictions: { completed_sessions: { limit: 1 } }
      }
      const asked = { method: "POST", path: "/v1/payment_links", fields, idempotencyKey: reference } as const
      const { id, url, livemode } = yield* readAnswer(Link, yield* sent(baseUrl, session, asked))
      return { externalId: id, url, live: livemode }
    }),
    ask: Effect.fnUntraced(function* (session, link) {
      const sessions = yield* sessionsOf(session, link)
      // When exactly it was paid, its charge says.
      const told = sessions.map((one) => newsOfSession(one, one.created * 1_000))
      const paid = told.find(({ paid }) => paid !== undefined)
      return { ...(paid ?? {}), reference: link.reference } satisfies PaymentNews
    }),
    close: Effect.fnUntraced(function* (session, link) {
      const path = `/v1/payment_links/${encodeURIComponent(link.externalId)}`
      yield* readAnswer(Closed, yield* sent(baseUrl, session, { method: "POST", path, fields: { active: false } }))
      // Who has opened the page before could still pay there.
      for (const { id, status } of yield* sessionsOf(session, link)) {
        if (status !== "open") continue
        const path = `/v1/checkout/sessions/${encodeURIComponent(id)}/expire`
        const answer = yield* sent(baseUrl, session, { method: "POST", path })
        // It was paid or has ended meanwhile.
        if (answer.status !== 400) yield* readAnswer(Schema.Struct({ id: Schema.String }), answer)
      }
    })
  }
}
