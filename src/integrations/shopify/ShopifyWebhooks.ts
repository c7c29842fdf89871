/** Webhooks of Shopify: their signature, what they are about, and their registration. */
import { Effect, Schema } from "effect"
import { type AppHeard, AppRejection, type AppRequest } from "../../domain/apps/AppInbound.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { exactJson } from "../../domain/basics/Json.ts"
import { isSignedBody } from "../secrets/SignedBody.ts"
import type { ShopifyKind } from "./ShopifyRecords.ts"
import { type ShopifyRequests, shopifyVersion } from "./ShopifyRequests.ts"

/** What each topic is about. */
export const shopifyTopics: Readonly<Record<string, ShopifyKind>> = {
  "orders/create": "order",
  "orders/updated": "order",
  "orders/paid": "order",
  "orders/cancelled": "order",
  "checkouts/create": "checkout",
  "checkouts/update": "checkout",
  "customers/create": "customer",
  "customers/update": "customer",
  "products/create": "product",
  "products/update": "product",
  "products/delete": "product"
}

/** Names of newer deliveries have no `x-`. */
const header = ({ headers }: AppRequest, name: string): string | undefined =>
  headers[`x-shopify-${name}`] ?? headers[`shopify-${name}`]

const Named = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Number])),
  token: Schema.optionalKey(Schema.Union([Schema.String, Schema.Number]))
})
const readNamed = Schema.decodeUnknownOption(Named)

const rejected = (status: 400 | 401, message: string) => new AppRejection({ status, message })

/** The secret of the app signs what the app registered; that of the shop what a person registered in its settings. */
const secretsOf = ({ clientSecret, webhookSecret }: AppSession["credentials"]) =>
  [webhookSecret, clientSecret].filter((secret) => secret !== undefined)

export const verifyShopify = (
  { credentials, settings }: AppSession,
  request: AppRequest
): Effect.Effect<AppHeard, AppRejection> =>
  Effect.gen(function* () {
    const signature = header(request, "hmac-sha256")
    if (signature === undefined) return yield* rejected(401, "The header X-Shopify-Hmac-Sha256 is missing.")
    if (!isSignedBody(secretsOf(credentials), request.body, signature))
      return yield* rejected(401, "The signature is not that of this shop.")
    const shop = header(request, "shop-domain")
    if (shop !== undefined && shop.toLowerCase() !== settings.shop)
      return yield* rejected(401, "This address belongs to another shop.")
    const topic = header(request, "topic")
    const id = header(request, "webhook-id")
    if (topic === undefined || id === undefined || id === "" || id.length > 200)
      return yield* rejected(400, "The headers X-Shopify-Topic and X-Shopify-Webhook-Id are needed.")
    const kind = shopifyTopics[topic]
    // What nobody has asked for is taken and not read, e.g. the shopifyTopics about protected data of public apps.
    if (kind === undefined) return { arrivals: [] }
    const payload = Buffer.from(request.body).toString("utf8")
    const named = readNamed(exactJson(payload))
    const subject = named._tag === "Some" ? (kind === "checkout" ? named.value.token : named.value.id) : undefined
    if (subject === undefined) return yield* rejected(400, "The body names no record.")
    const at = Date.parse(header(request, "triggered-at") ?? "")
    const lane = `${kind} ${String(subject).slice(0, 200)}`
    return { arrivals: [{ id, topic, lane, at: Number.isNaN(at) ? null : at, payload }] }
  })

const Registered = Schema.Struct({
  webhookSubscriptions: Schema.Struct({
    nodes: Schema.Array(Schema.Struct({ id: Schema.String, topic: Schema.String, uri: Schema.String }))
  })
})
const UserErrors = Schema.Array(Schema.Struct({ message: Schema.String }))
const Created = Schema.Struct({
  webhookSubscriptionCreate: Schema.Struct({ userErrors: UserErrors })
})
const Deleted = Schema.Struct({ webhookSubscriptionDelete: Schema.Struct({ userErrors: UserErrors }) })

/** `orders/create` is ORDERS_CREATE in GraphQL. */
const graphName = (topic: string) => topic.replace("/", "_").toUpperCase()

const listQuery = "query { webhookSubscriptions(first: 250) { nodes { id topic uri } } }"
const createQuery =
  "mutation ($topic: WebhookSubscriptionTopic!, $uri: String!) { webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) { userErrors { message } } }"
const deleteQuery = "mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { userErrors { message } } }"

export const makeShopifyRegistration = ({ graph }: ShopifyRequests) => {
  const registered = (session: AppSession) =>
    Effect.map(graph(session, Registered, listQuery), ({ webhookSubscriptions }) => webhookSubscriptions.nodes)

  const subscribe = Effect.fnUntraced(function* (session: AppSession, uri: string) {
    const there = yield* registered(session)
    const missing = Object.keys(shopifyTopics).filter(
      (topic) => !there.some((one) => one.topic === graphName(topic) && one.uri === uri)
    )
    for (const topic of missing) {
      const { webhookSubscriptionCreate } = yield* graph(session, Created, createQuery, {
        topic: graphName(topic),
        uri
      })
      const [error] = webhookSubscriptionCreate.userErrors
      if (error !== undefined && !/already been taken/i.test(error.message))
        return yield* new AppFailure({
          action: "give_up",
          message: `Shopify did not register ${topic} (${shopifyVersion}): ${error.message.slice(0, 200)}`
        })
    }
  })

  const unsubscribe = Effect.fnUntraced(function* (session: AppSession, uri: string) {
    for (const { id } of (yield* registered(session)).filter((one) => one.uri === uri))
      yield* graph(session, Deleted, deleteQuery, { id })
  })

  return { subscribe, unsubscribe }
}
