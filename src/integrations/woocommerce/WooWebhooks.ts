/** Webhooks of WooCommerce: their signature, what they are about, and their registration. */
import { randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { type AppHeard, AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import type { AppSession } from "../../domain/apps/AppSession.ts"
import { exactJson } from "../../domain/basics/Json.ts"
import { isSignedBody } from "../secrets/SignedBody.ts"
import type { WooKind } from "./WooRecords.ts"
import { askWoo, decodedWoo } from "./WooRequests.ts"

/** What each topic is about. */
export const wooTopics: Readonly<Record<string, WooKind>> = {
  "order.created": "order",
  "order.updated": "order",
  "order.restored": "order",
  "order.deleted": "order",
  "customer.created": "customer",
  "customer.updated": "customer",
  "product.created": "product",
  "product.updated": "product",
  "product.restored": "product",
  "product.deleted": "product"
}

/** What a store posts when a webhook is switched on: it is not signed, and a refusal counts against the webhook. */
const ping = /^webhook_id=\d{1,20}$/

const Named = Schema.Struct({ id: Schema.Union([Schema.String, Schema.Number]) })
const readNamed = Schema.decodeUnknownOption(Named)
const rejected = (status: 400 | 401, message: string) => new AppRejection({ status, message })

export const verifyWoo = (
  { credentials }: AppSession,
  { headers, body }: AppRequest
): Effect.Effect<AppHeard, AppRejection> =>
  Effect.gen(function* () {
    if (body.length < 40 && ping.test(Buffer.from(body).toString("utf8"))) return { arrivals: [] }
    const signature = headers["x-wc-webhook-signature"]
    if (signature === undefined) return yield* rejected(401, "The header X-WC-Webhook-Signature is missing.")
    const { webhookSecret } = credentials
    if (webhookSecret === undefined || !isSignedBody([webhookSecret], body, signature))
      return yield* rejected(401, "The signature is not that of this store.")
    const topic = headers["x-wc-webhook-topic"]
    const id = headers["x-wc-webhook-delivery-id"]
    if (topic === undefined || id === undefined || id === "" || id.length > 200)
      return yield* rejected(400, "The headers X-WC-Webhook-Topic and X-WC-Webhook-Delivery-ID are needed.")
    const kind = wooTopics[topic]
    if (kind === undefined) return { arrivals: [] }
    const payload = Buffer.from(body).toString("utf8")
    const named = readNamed(exactJson(payload))
    if (named._tag === "None") return yield* rejected(400, "The body names no record.")
    const lane = `${kind} ${String(named.value.id).slice(0, 200)}`
    return { arrivals: [{ id, topic, lane, at: null, payload }] }
  })

const Webhook = Schema.Struct({
  id: Schema.Number,
  topic: Schema.String,
  status: Schema.String,
  delivery_url: Schema.String
})
const decodeList = Schema.Array(Webhook)

const registered = Effect.fnUntraced(function* (session: AppSession, url: string) {
  const answer = yield* askWoo(session, { method: "GET", path: "webhooks?per_page=100&status=all" })
  return (yield* decodedWoo(decodeList, answer)).filter(({ delivery_url }) => delivery_url === url)
})

/** Registers what is missing. Keys that may only read leave it to a person, who enters the secret that the store has. */
export const subscribeWoo = Effect.fnUntraced(function* (session: AppSession, url: string) {
  const known = session.credentials.webhookSecret
  const secret = known ?? randomBytes(24).toString("base64url")
  const work = Effect.gen(function* () {
    const there = yield* registered(session, url)
    for (const { id } of there.filter(({ status }) => status !== "active"))
      yield* askWoo(session, { method: "POST", path: `webhooks/${id}`, body: { status: "active", secret } })
    for (const topic of Object.keys(wooTopics).filter((one) => !there.some((webhook) => webhook.topic === one))) {
      const body = { name: `Parley ${topic}`, topic, delivery_url: url, secret, status: "active" }
      yield* askWoo(session, { method: "POST", path: "webhooks", body })
    }
    return { webhookSecret: secret }
  })
  return yield* Effect.catchIf(
    work,
    ({ action }) => action === "reconnect",
    ({ message }) =>
      Effect.as(
        Effect.logInfo("WooCommerce lets a person register the webhooks", { reason: message }),
        known === undefined ? {} : { webhookSecret: known }
      )
  )
})

export const unsubscribeWoo = Effect.fnUntraced(function* (session: AppSession, url: string) {
  for (const { id } of yield* registered(session, url))
    yield* askWoo(session, { method: "DELETE", path: `webhooks/${id}?force=true` })
})
