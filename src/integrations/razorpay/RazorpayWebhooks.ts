/** What Razorpay tells by webhooks. The signature covers the raw body and no time: what comes again is known by the id of the event. */
import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import { type AppInbound, AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import type { DisputeState, PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { isSignedBody } from "../secrets/SignedBody.ts"
import {
  Link,
  newsOfLink,
  newsOfPayment,
  notedReference,
  Payment,
  razorpayReference,
  Seconds
} from "./RazorpayObjects.ts"
import { linksBy } from "./RazorpayPayments.ts"

const longestId = 255

/** The events that say something of a payment. A person switches them on in Razorpay's dashboard. */
export const razorpayEvents = [
  "payment_link.paid",
  "payment_link.expired",
  "payment_link.cancelled",
  "payment.failed",
  "refund.processed",
  "payment.dispute.created",
  "payment.dispute.won",
  "payment.dispute.lost"
] as const

const Entity = Schema.Struct({ entity: Schema.Record(Schema.String, Schema.Unknown) })
const Envelope = Schema.Struct({
  event: Schema.String.check(Schema.isPattern(/^[\w.]{1,100}$/)),
  payload: Schema.Struct({ payment_link: Schema.optionalKey(Entity), payment: Schema.optionalKey(Entity) }),
  created_at: Seconds
})
const readEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

const rejected = (status: 400 | 401, message: string) => Effect.fail(new AppRejection({ status, message }))

/** Events of one payment are read one after the other. */
const laneOf = ({ payment_link: link, payment }: (typeof Envelope.Type)["payload"]): string => {
  const { id } = link?.entity ?? payment?.entity ?? {}
  return typeof id === "string" ? id.slice(0, longestId) : ""
}

const verify = ({ credentials }: AppSession, { headers, body }: AppRequest) => {
  const { webhookSecret } = credentials
  if (webhookSecret === undefined) return rejected(401, "The secret of this webhook is not stored.")
  const signature = headers["x-razorpay-signature"]
  if (signature === undefined) return rejected(401, "The header X-Razorpay-Signature is missing.")
  if (!isSignedBody([webhookSecret], body, signature, "hex"))
    return rejected(401, "The signature does not fit the body.")
  const payload = Buffer.from(body).toString("utf8")
  const found = readEnvelope(payload)
  if (found._tag === "None") return rejected(400, "This is no event of Razorpay.")
  const { event, payload: said, created_at: at } = found.value
  if (!razorpayEvents.some((known) => known === event)) return Effect.succeed({ arrivals: [] })
  const given = headers["x-razorpay-event-id"] ?? ""
  const id = /^[\w-]{1,255}$/.test(given) ? given : createHash("sha256").update(body).digest("hex")
  return Effect.succeed({ arrivals: [{ id, topic: event, lane: laneOf(said), at: at * 1_000, payload }] })
}

const unreadable = new AppFailure({ action: "give_up", message: "This event is not as Razorpay writes it." })

const decoded = <A>(schema: Schema.Decoder<A>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => unreadable)

const disputeState = (event: string): DisputeState => {
  if (event === "payment.dispute.lost") return "lost"
  return event === "payment.dispute.won" ? "won" : "open"
}

export const makeRazorpayWebhooks = (baseUrl: string): AppInbound => {
  /** What we call the link of a payment. Razorpay does not always note it with the payment itself. */
  const linkOf = Effect.fnUntraced(function* (session: AppSession, payment: Payment) {
    const known = notedReference(payment)
    if (known !== null) return known
    const [link] = yield* linksBy(baseUrl, session, "payment_id", payment.id)
    return link === undefined ? null : razorpayReference(link)
  })

  const newsOf = Effect.fnUntraced(function* (
    session: AppSession,
    event: string,
    said: (typeof Envelope.Type)["payload"],
    at: number
  ): Effect.fn.Return<PaymentNews, AppFailure> {
    if (event.startsWith("payment_link.")) return newsOfLink(yield* decoded(Link, said.payment_link?.entity), at)
    const payment = yield* decoded(Payment, said.payment?.entity)
    const reference = yield* linkOf(session, payment)
    if (event === "payment.failed") {
      const reason = (payment.error_description || "The payment did not go through.").slice(0, 500)
      return { reference, failed: { reason, at } }
    }
    const news = newsOfPayment(payment, reference)
    return event === "refund.processed" ? news : { ...news, dispute: disputeState(event) }
  })

  return {
    verify,
    read: Effect.fnUntraced(function* (session, { payload, id }) {
      const found = readEnvelope(payload)
      if (found._tag === "None") return yield* unreadable
      const { event, payload: said, created_at: at } = found.value
      const news = yield* newsOf(session, event, said, at * 1_000)
      return [{ _tag: "payment" as const, externalId: id, updatedAt: at * 1_000, ...news }]
    })
  }
}
