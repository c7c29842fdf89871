/** What Stripe tells by webhooks. The signature covers the time and the raw body; a signature that is older than five minutes does not count. */
import { createHmac } from "node:crypto"
import { Effect, Schema } from "effect"
import { type AppInbound, AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { sameSecret } from "../../domain/basics/tokens/SameSecret.ts"
import type { PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import {
  Charge,
  Dispute,
  disputeState,
  Intent,
  newsOfCharge,
  newsOfSession,
  referenceName,
  referenceOf,
  Session
} from "./StripeObjects.ts"
import { readAnswer, sent, stripeVersion } from "./StripeRequests.ts"

const toleranceMs = 300_000
const longestId = 255

/** The events that say something of a payment. */
export const stripeEvents = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "payment_intent.payment_failed",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed"
] as const

const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }))
const Envelope = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[\w-]{1,255}$/)),
  type: Schema.String.check(Schema.isPattern(/^[\w.]{1,100}$/)),
  created: Seconds,
  data: Schema.Struct({ object: Schema.Record(Schema.String, Schema.Unknown) })
})
const readEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

/** Why the signature does not count; undefined when it does. Of several signatures one must fit: while a secret is replaced, there are two. */
export const signatureProblem = (
  header: string | undefined,
  body: Uint8Array,
  secret: string,
  now: number
): string | undefined => {
  if (header === undefined) return "The header Stripe-Signature is missing."
  const parts = header.split(",").map((part) => part.trim().split("=", 2))
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  if (!/^\d{1,12}$/.test(time)) return "The header Stripe-Signature has no time."
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex")
  const fits = parts.some(
    ([name, value = ""]) => name === "v1" && /^[0-9a-f]{64}$/.test(value) && sameSecret(value, expected)
  )
  if (!fits) return "The signature does not fit the body."
  return Math.abs(now - Number(time) * 1_000) <= toleranceMs ? undefined : "The signature is too old."
}

/** Events of one payment are read one after the other: they name our link, or Stripe's object. */
const laneOf = (object: Readonly<Record<string, unknown>>): string => {
  const { metadata, id } = object
  const ours = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, referenceName) : undefined
  const lane = typeof ours === "string" ? ours : typeof id === "string" ? id : ""
  return lane.slice(0, longestId)
}

const verify = (session: AppSession, { headers, body }: AppRequest, now: number) => {
  const { webhookSecret } = session.credentials
  if (webhookSecret === undefined)
    return Effect.fail(new AppRejection({ status: 401, message: "The signing secret of this webhook is not stored." }))
  const problem = signatureProblem(headers["stripe-signature"], body, webhookSecret, now)
  if (problem !== undefined) return Effect.fail(new AppRejection({ status: 401, message: problem }))
  const payload = Buffer.from(body).toString("utf8")
  const found = readEnvelope(payload)
  if (found._tag === "None")
    return Effect.fail(new AppRejection({ status: 400, message: "This is no event of Stripe." }))
  const { id, type, created, data } = found.value
  if (!stripeEvents.some((known) => known === type)) return Effect.succeed({ arrivals: [] })
  const arrival = { id, topic: type, lane: laneOf(data.object), at: created * 1_000, payload }
  return Effect.succeed({ arrivals: [arrival] })
}

const unreadable = new AppFailure({ action: "give_up", message: "This event is not as Stripe writes it." })

const decoded = <A>(schema: Schema.Decoder<A>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => unreadable)

export const makeWebhooks = (baseUrl: string): AppInbound => {
  /** The object of a dispute does not carry what we call the payment. */
  const ofIntent = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const path = `/v1/payment_intents/${encodeURIComponent(id)}`
    const fields = { expand: ["latest_charge"] }
    const intent = yield* readAnswer(Intent, yield* sent(baseUrl, session, { method: "GET", path, fields }))
    const reference = referenceOf(intent.metadata)
    const { latest_charge: charge } = intent
    return typeof charge === "object" && charge !== null ? newsOfCharge(charge, reference) : { reference }
  })

  const newsOf = Effect.fnUntraced(function* (
    session: AppSession,
    type: string,
    object: unknown,
    at: number
  ): Effect.fn.Return<PaymentNews, AppFailure> {
    switch (type) {
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        return newsOfSession(yield* decoded(Session, object), at)
      case "checkout.session.async_payment_failed": {
        const { metadata } = yield* decoded(Session, object)
        return { reference: referenceOf(metadata), failed: { reason: "The payment did not go through.", at } }
      }
      case "payment_intent.payment_failed": {
        const { metadata, last_payment_error: error } = yield* decoded(Intent, object)
        const reason = (error?.message ?? "The payment did not go through.").slice(0, 500)
        return { reference: referenceOf(metadata), failed: { reason, at } }
      }
      case "charge.refunded": {
        const charge = yield* decoded(Charge, object)
        return newsOfCharge(charge, referenceOf(charge.metadata))
      }
      default: {
        const { status, payment_intent: intent } = yield* decoded(Dispute, object)
        if (intent === null) return { reference: null }
        return { ...(yield* ofIntent(session, intent)), dispute: disputeState(status) }
      }
    }
  })

  return {
    verify,
    read: Effect.fnUntraced(function* (session, { payload, id }) {
      const found = readEnvelope(payload)
      if (found._tag === "None") return yield* unreadable
      const { type, created, data } = found.value
      const at = created * 1_000
      const news = yield* newsOf(session, type, data.object, at)
      return [{ _tag: "payment" as const, externalId: id, updatedAt: at, ...news }]
    }),
    subscribe: Effect.fnUntraced(function* (session, url) {
      // A person may have registered the address and entered its secret.
      if (session.credentials.webhookSecret !== undefined) return {}
      const fields = { url, enabled_events: stripeEvents, api_version: stripeVersion, description: "Parley" }
      const asked = { method: "POST", path: "/v1/webhook_endpoints", fields } as const
      const Made = Schema.Struct({ secret: Schema.String })
      const { secret } = yield* readAnswer(Made, yield* sent(baseUrl, session, asked))
      return { webhookSecret: secret }
    }),
    unsubscribe: Effect.fnUntraced(function* (session, url) {
      const Endpoints = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String, url: Schema.String })) })
      const listed = { method: "GET", path: "/v1/webhook_endpoints", fields: { limit: 100 } } as const
      const { data } = yield* readAnswer(Endpoints, yield* sent(baseUrl, session, listed))
      for (const endpoint of data.filter((one) => one.url === url)) {
        const path = `/v1/webhook_endpoints/${encodeURIComponent(endpoint.id)}`
        yield* readAnswer(
          Schema.Struct({ id: Schema.String }),
          yield* sent(baseUrl, session, { method: "DELETE", path })
        )
      }
    })
  }
}
