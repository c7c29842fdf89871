/**
 * What PayPal tells by webhooks. Each is signed with a certificate: the signature covers the id and time of the transmission, the id of our registration, and
 * the CRC of the raw body.
 */
import { constants, verify as isSigned } from "node:crypto"
import { crc32 } from "node:zlib"
import { Effect, Schema } from "effect"
import { type AppInbound, AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import type { DisputeState, PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import type { PayPalKeys } from "./PayPalCertificates.ts"
import { Capture, newsOfCapture, newsOfOrder, Order, referenceOfOrder } from "./PayPalOrders.ts"
import { askPayPal, decodedPayPal, type PayPalHosts, succeeded } from "./PayPalRequests.ts"

/** The events that say something of a payment. */
export const payPalEvents = [
  "CHECKOUT.ORDER.APPROVED",
  "PAYMENT.CAPTURE.COMPLETED",
  "PAYMENT.CAPTURE.DENIED",
  "PAYMENT.CAPTURE.REFUNDED",
  "PAYMENT.CAPTURE.REVERSED",
  "CUSTOMER.DISPUTE.CREATED",
  "CUSTOMER.DISPUTE.RESOLVED"
] as const

const Envelope = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[\w-]{1,255}$/)),
  event_type: Schema.String.check(Schema.isPattern(/^[\w.-]{1,100}$/)),
  create_time: Schema.String,
  resource: Schema.Record(Schema.String, Schema.Unknown)
})
const readEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

const rejected = (status: 400 | 401, message: string) => new AppRejection({ status, message })

/** What is signed. */
export const signedText = (id: string, time: string, webhookId: string, body: Uint8Array): string =>
  `${id}|${time}|${webhookId}|${crc32(body)}`

const unreadable = new AppFailure({ action: "give_up", message: "This event is not as PayPal writes it." })

const decoded = <A>(schema: Schema.Decoder<A>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => unreadable)

const Links = Schema.Struct({ links: Schema.Array(Schema.Struct({ rel: Schema.String, href: Schema.String })) })
const Dispute = Schema.Struct({
  disputed_transactions: Schema.Array(Schema.Struct({ seller_transaction_id: Schema.String })),
  dispute_outcome: Schema.optionalKey(Schema.Struct({ outcome_code: Schema.optionalKey(Schema.String) }))
})
/** Outcomes that leave the money with the payer. */
const lost = ["RESOLVED_BUYER_FAVOUR", "ACCEPTED"]

const disputeState = (type: string, { dispute_outcome: outcome }: typeof Dispute.Type): DisputeState => {
  if (type !== "CUSTOMER.DISPUTE.RESOLVED") return "open"
  return lost.includes(outcome?.outcome_code ?? "") ? "lost" : "won"
}

/** Events of one payment are read one after the other: they name our link, or PayPal's object. */
const laneOf = ({ custom_id: ours, id }: Readonly<Record<string, unknown>>): string =>
  [ours, id]
    .find((one) => typeof one === "string")
    ?.toString()
    .slice(0, 255) ?? ""

const webhookPath = "/v1/notifications/webhooks"
const Registered = Schema.Struct({ id: Schema.String, url: Schema.String })

export const makePayPalWebhooks = (
  hosts: PayPalHosts,
  keyOf: PayPalKeys,
  fresh: (session: AppSession, now: number) => Effect.Effect<AppSession, AppFailure>
): AppInbound => {
  const verify = Effect.fnUntraced(function* (session: AppSession, { headers, body }: AppRequest, now: number) {
    const { webhookId } = session.credentials
    if (webhookId === undefined) return yield* rejected(401, "The webhook is not registered at PayPal.")
    const [id, time, signature, address, algorithm] = ["id", "time", "sig", "cert-url", "auth-algo"].map(
      (name) => headers[name.includes("-") ? `paypal-${name}` : `paypal-transmission-${name}`] ?? ""
    )
    if (algorithm !== "SHA256withRSA") return yield* rejected(401, "PAYPAL-AUTH-ALGO must be SHA256withRSA.")
    if (id === "" || time === "" || signature === "")
      return yield* rejected(401, "The headers PAYPAL-TRANSMISSION-ID, -TIME and -SIG are needed.")
    const key = yield* keyOf(session, address, now)
    const text = Buffer.from(signedText(id, time, webhookId, body))
    const padded = { key, padding: constants.RSA_PKCS1_PADDING }
    if (key.asymmetricKeyType !== "rsa" || !isSigned("sha256", text, padded, Buffer.from(signature, "base64")))
      return yield* rejected(401, "The signature does not fit the body.")
    const payload = Buffer.from(body).toString("utf8")
    const found = readEnvelope(payload)
    if (found._tag === "None") return yield* rejected(400, "This is no event of PayPal.")
    const { id: event, event_type: topic, create_time: created, resource } = found.value
    if (!payPalEvents.some((known) => known === topic)) return { arrivals: [] }
    const at = Date.parse(created)
    const arrival = { id: event, topic, lane: laneOf(resource), at: Number.isNaN(at) ? null : at, payload }
    return { arrivals: [arrival] }
  })

  const captureAt = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const path = `/v2/payments/captures/${encodeURIComponent(id)}`
    return yield* decodedPayPal(Capture, yield* askPayPal(hosts, session, { method: "GET", path }))
  })

  /** All that PayPal knows of the payment of a capture: a refund says its own amount only. */
  const ofCapture = Effect.fnUntraced(function* (session: AppSession, id: string, at: number) {
    const capture = yield* captureAt(session, id)
    const reference = capture.custom_id ?? null
    const orderId = capture.supplementary_data?.related_ids?.order_id
    if (reference === null || orderId === undefined) return newsOfCapture(capture, reference, at)
    const path = `/v2/checkout/orders/${encodeURIComponent(orderId)}`
    const order = yield* decodedPayPal(Order, yield* askPayPal(hosts, session, { method: "GET", path }))
    return newsOfOrder(order, reference, at)
  })

  const newsOf = Effect.fnUntraced(function* (
    session: AppSession,
    type: string,
    resource: unknown,
    at: number
  ): Effect.fn.Return<PaymentNews, AppFailure> {
    switch (type) {
      case "CHECKOUT.ORDER.APPROVED":
        return { reference: referenceOfOrder(yield* decoded(Order, resource)), askNow: true }
      case "PAYMENT.CAPTURE.COMPLETED":
      case "PAYMENT.CAPTURE.DENIED": {
        const capture = yield* decoded(Capture, resource)
        return newsOfCapture(capture, capture.custom_id ?? null, at)
      }
      case "PAYMENT.CAPTURE.REFUNDED":
      case "PAYMENT.CAPTURE.REVERSED": {
        const { links } = yield* decoded(Links, resource)
        const up = links.find(({ rel, href }) => rel === "up" && /\/captures\/[\w-]+$/.test(href))
        const id = up?.href.split("/").at(-1)
        return id === undefined ? yield* unreadable : yield* ofCapture(session, id, at)
      }
      default: {
        const dispute = yield* decoded(Dispute, resource)
        const [transaction] = dispute.disputed_transactions
        if (transaction === undefined) return { reference: null }
        const { seller_transaction_id: id } = transaction
        return { ...(yield* ofCapture(session, id, at)), dispute: disputeState(type, dispute) }
      }
    }
  })

  const registered = Effect.fnUntraced(function* (session: AppSession) {
    const Webhooks = Schema.Struct({ webhooks: Schema.Array(Registered) })
    const answer = yield* askPayPal(hosts, session, { method: "GET", path: webhookPath })
    return (yield* decodedPayPal(Webhooks, answer)).webhooks
  })

  return {
    verify,
    read: Effect.fnUntraced(function* (session, { payload, id }, now) {
      const found = readEnvelope(payload)
      if (found._tag === "None") return yield* unreadable
      const { event_type: type, create_time: created, resource } = found.value
      const at = Number.isNaN(Date.parse(created)) ? now : Date.parse(created)
      const news = yield* newsOf(session, type, resource, at)
      return [{ _tag: "payment" as const, externalId: id, updatedAt: at, ...news }]
    }),
    subscribe: Effect.fnUntraced(function* (given, url, now) {
      const session = yield* fresh(given, now)
      const { accessToken, expiresAt } = session.credentials
      const token = { accessToken, expiresAt }
      const body = { url, event_types: payPalEvents.map((name) => ({ name })) }
      const answer = yield* askPayPal(hosts, session, { method: "POST", path: webhookPath, body })
      if (!/WEBHOOK_URL_ALREADY_EXISTS/.test(answer.text))
        return { ...token, webhookId: (yield* decodedPayPal(Registered, answer)).id }
      const there = (yield* registered(session)).find((one) => one.url === url)
      return there === undefined ? yield* unreadable : { ...token, webhookId: there.id }
    }),
    unsubscribe: Effect.fnUntraced(function* (session, url) {
      for (const { id } of (yield* registered(session)).filter((one) => one.url === url)) {
        const path = `${webhookPath}/${encodeURIComponent(id)}`
        yield* succeeded(yield* askPayPal(hosts, session, { method: "DELETE", path }))
      }
    })
  }
}
