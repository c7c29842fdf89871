/**
 * Shopify. Connected by the client id and secret of an app of the same organization, or by an older token that stays. It tells of orders, checkouts,
 * customers and products by webhooks; pages of the Admin API fill in what was there before, and what a lost webhook did not tell.
 */
import { Clock, Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import type { AppArrival, PullRequest } from "../../domain/apps/AppInbound.ts"
import type { AppRecord } from "../../domain/apps/AppRecord.ts"
import { AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { cartMinutesProblem, reminderProblem } from "../../domain/apps/stores/Stores.ts"
import { exactJson } from "../../domain/basics/Json.ts"
import { type ShopifyKind, shopifyRecords } from "./ShopifyRecords.ts"
import {
  isShopDomain,
  makeShopifyRequests,
  newShopifyToken,
  shopAddress,
  shopifyVersion,
  shopifyVersionEndsAt
} from "./ShopifyRequests.ts"
import { makeShopifyRegistration, shopifyTopics, verifyShopify } from "./ShopifyWebhooks.ts"

export interface ShopifyOptions {
  /** Where every shop answers; only for simulators. */
  readonly baseUrl?: string
}

const Shop = Schema.Struct({
  shop: Schema.Struct({ name: Schema.String, myshopify_domain: Schema.String, currency: Schema.String })
})

const pages: Readonly<Record<ShopifyKind, { readonly path: string; readonly list: string; readonly query: string }>> = {
  customer: { path: "customers.json", list: "customers", query: "" },
  product: { path: "products.json", list: "products", query: "" },
  order: { path: "orders.json", list: "orders", query: "&status=any" },
  checkout: { path: "checkouts.json", list: "checkouts", query: "" }
}
const isKind = (kind: string): kind is ShopifyKind => Object.hasOwn(pages, kind)
const pageSize = 100
/** Edit times of Shopify are whole seconds, and a little late. */
const earlierMs = 5 * 60_000
const dayMs = 86_400_000
/** A version that ends within this time is told of. */
const warningMs = 90 * dayMs

/** Shopify warns that its bucket of requests is nearly full. */
const fullShare = 0.9
const leakMs = 5_000

/** The place of the next page, from the header `Link`. */
const nextPage = (link: string | undefined): string | null => {
  const next = link?.split(",").find((part) => /rel="?next"?/.test(part))
  const address = next === undefined ? undefined : /<([^>]+)>/.exec(next)?.[1]
  return address !== undefined && URL.canParse(address) ? new URL(address).searchParams.get("page_info") : null
}

export const make = ({ baseUrl }: ShopifyOptions = {}): AppAdapter => {
  const requests = makeShopifyRequests(baseUrl)
  const { asked, decoded } = requests
  const registration = makeShopifyRegistration(requests)

  const shopOf = (session: AppSession) =>
    Effect.flatMap(asked(session, { method: "GET", path: "shop.json" }), (answer) => decoded(Shop, answer))

  /** What was entered may be new: a token of before may belong to another shop. */
  const withToken = Effect.fnUntraced(function* (session: AppSession) {
    const { ask, settings, credentials } = session
    if (credentials.clientId === undefined) return { session, token: {} }
    const token = yield* newShopifyToken(
      ask,
      shopAddress(settings, baseUrl),
      credentials,
      yield* Clock.currentTimeMillis
    )
    return { session: { ...session, credentials: { ...credentials, ...token } }, token }
  })

  /** The currency of products, which their objects do not name. It is stored with the credentials when the shop is connected. */
  const currencyOf = (session: AppSession) =>
    session.credentials.currency === undefined
      ? Effect.map(shopOf(session), ({ shop }) => shop.currency)
      : Effect.succeed(session.credentials.currency)

  const read = Effect.fnUntraced(function* (session: AppSession, { topic, payload, at }: AppArrival, now: number) {
    const kind = shopifyTopics[topic]
    const value = exactJson(payload)
    if (topic === "products/delete") {
      const { id } = yield* Effect.mapError(
        Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Number]) }))(value),
        () => new AppFailure({ action: "give_up", message: "Shopify sent a deletion that could not be read." })
      )
      const removed: AppRecord = { _tag: "removed", what: "product", externalId: String(id), updatedAt: at ?? now }
      return [removed]
    }
    return yield* shopifyRecords(kind, value, kind === "product" ? yield* currencyOf(session) : undefined)
  })

  const page = Effect.fnUntraced(function* (session: AppSession, { kind, since, cursor }: PullRequest) {
    if (!isKind(kind)) return { records: [], cursor: null }
    const { path, list, query } = pages[kind]
    const from =
      since === null ? "" : `&updated_at_min=${encodeURIComponent(new Date(since - earlierMs).toISOString())}`
    // A page by `page_info` takes no other filters.
    const filters = cursor === null ? `${query}${from}` : `&page_info=${encodeURIComponent(cursor)}`
    const answer = yield* asked(session, { method: "GET", path: `${path}?limit=${pageSize}${filters}` })
    const value = exactJson(answer.text)
    const rows: unknown = typeof value === "object" && value !== null ? Reflect.get(value, list) : undefined
    if (!Array.isArray(rows))
      return yield* new AppFailure({ action: "retry", message: "Shopify's answer could not be read." })
    const currency = kind === "product" ? yield* currencyOf(session) : undefined
    // One record that cannot be read does not keep the others from coming.
    const records = yield* Effect.forEach(rows, (row) =>
      Effect.catch(shopifyRecords(kind, row, currency), (failure) =>
        Effect.as(Effect.logWarning("a record of Shopify was left out", { kind, reason: failure.message }), [])
      )
    )
    return { records: records.flat(), cursor: nextPage(answer.headers.link) }
  })

  return {
    // A bucket of 40 requests, which two a second leave.
    rate: { requests: 36, windowMs: 18_000 },
    atOnce: 2,
    problem: ({ credentials: { clientId, clientSecret, accessToken }, settings }) => {
      const { shop } = settings
      if (typeof shop !== "string" || !isShopDomain(shop))
        return "settings.shop is invalid: it must be the shop's own domain, like maple-books.myshopify.com."
      if (clientId === undefined && accessToken === undefined)
        return "credentials.clientId and credentials.clientSecret are required, or credentials.accessToken of an older app."
      if (clientId !== undefined && clientSecret === undefined) return "credentials.clientSecret is required."
      return cartMinutesProblem(settings) ?? reminderProblem(settings)
    },
    identify: Effect.fnUntraced(function* (session) {
      const { shop } = yield* shopOf((yield* withToken(session)).session)
      return { id: shop.myshopify_domain, name: shop.name }
    }),
    renewal: {
      isNeeded: ({ clientId, clientSecret }) => clientId !== undefined && clientSecret !== undefined,
      renew: (ask, { credentials, settings }, now) =>
        Effect.map(newShopifyToken(ask, shopAddress(settings, baseUrl), credentials, now), (token) => ({
          ...credentials,
          ...token
        }))
    },
    notice: (now) =>
      now < shopifyVersionEndsAt - warningMs
        ? undefined
        : `Shopify ends version ${shopifyVersion} of its API on ${new Date(shopifyVersionEndsAt).toISOString().slice(0, 10)}: this service must be updated before.`,
    inbound: {
      verify: verifyShopify,
      read,
      subscribe: Effect.fnUntraced(function* (given, webhookUrl) {
        const { session, token } = yield* withToken(given)
        yield* registration.subscribe(session, webhookUrl)
        return { ...token, currency: (yield* shopOf(session)).shop.currency }
      }),
      unsubscribe: registration.unsubscribe
    },
    pull: { kinds: ["customer", "product", "order", "checkout"], page, everyMs: dayMs },
    slowDown: (headers) => {
      const [used, most] = (headers["x-shopify-shop-api-call-limit"] ?? "").split("/").map(Number)
      return most > 0 && used / most >= fullShare ? leakMs : undefined
    }
  }
}
