/**
 * A simulated Shopify: one shop with its orders, checkouts, customers and products, tokens that end after a day, pages with places, webhook
 * subscriptions, and deliveries as the real one signs them. It refuses what the real one refuses.
 */
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"

export const shopDomain = "maple-books.myshopify.com"
export const shopifyApp = { clientId: "0f1e2d3c4b5a69788796a5b4c3d2e1f0", clientSecret: "shpss_0123456789abcdef" }
const version = "2026-10"
const dayMs = 86_400_000

/** A record as the shop has it: JSON with ids of any length. */
export type ShopifyObject = Readonly<Record<string, unknown>>
export type ShopifyList = "orders" | "checkouts" | "customers" | "products"

export interface Delivery {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A delivery as the shop signs it. `id`: that of the webhook, the same when it is sent again. */
export const deliveryOf = (
  topic: string,
  body: string,
  {
    id = randomUUID(),
    at = Date.now(),
    secret = shopifyApp.clientSecret
  }: { readonly id?: string; readonly at?: number; readonly secret?: string } = {}
): Delivery => ({
  body,
  headers: {
    "content-type": "application/json",
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": shopDomain,
    "x-shopify-api-version": version,
    "x-shopify-webhook-id": id,
    "x-shopify-event-id": randomUUID(),
    "x-shopify-triggered-at": new Date(at).toISOString(),
    "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64")
  }
})

export const start = async () => {
  const lists = new Map<ShopifyList, Array<ShopifyObject>>()
  const tokens = new Map<string, number>()
  const places = new Map<
    string,
    { readonly list: ShopifyList; readonly rows: ReadonlyArray<ShopifyObject>; readonly size: number }
  >()
  const subscriptions: Array<{ readonly id: string; readonly topic: string; readonly uri: string }> = []
  const requests: Array<string> = []
  const faults = httpFaults()
  let now = () => Date.now()

  const refuse = (response: ServerResponse, status: number, errors: unknown) => sendJson(response, status, { errors })

  const token = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await readBody(request))
    if (
      request.headers["content-type"] !== "application/x-www-form-urlencoded" ||
      form.get("grant_type") !== "client_credentials"
    )
      return sendJson(response, 400, { error: "invalid_request", error_description: "unsupported grant" })
    if (form.get("client_id") !== shopifyApp.clientId || form.get("client_secret") !== shopifyApp.clientSecret)
      return sendJson(response, 400, { error: "invalid_client", error_description: "Client authentication failed" })
    const made = `shpat_${randomBytes(16).toString("hex")}`
    tokens.set(made, now() + dayMs)
    sendJson(response, 200, { access_token: made, scope: "read_orders", expires_in: 86_399 })
  }

  const graph = async (request: IncomingMessage, response: ServerResponse) => {
    const { query, variables = {} } = JSON.parse(await readBody(request)) as {
      readonly query: string
      readonly variables?: Record<string, string>
    }
    const answer = (data: unknown) =>
      sendJson(response, 200, { data, extensions: { cost: { requestedQueryCost: 10 } } })
    if (query.includes("webhookSubscriptionCreate")) {
      const { topic, uri } = variables
      const taken = subscriptions.some((one) => one.topic === topic && one.uri === uri)
      const errors = [
        ...(taken ? [{ message: "Address for this topic has already been taken" }] : []),
        ...(/^[A-Z]+_[A-Z]+$/.test(topic) ? [] : [{ message: `Invalid topic specified: ${topic}` }])
      ]
      if (errors.length === 0)
        subscriptions.push({ id: `gid://shopify/WebhookSubscription/${subscriptions.length + 1}`, topic, uri })
      return answer({ webhookSubscriptionCreate: { userErrors: errors } })
    }
    if (query.includes("webhookSubscriptionDelete")) {
      const at = subscriptions.findIndex(({ id }) => id === variables.id)
      if (at >= 0) subscriptions.splice(at, 1)
      return answer({ webhookSubscriptionDelete: { userErrors: [] } })
    }
    return answer({ webhookSubscriptions: { nodes: subscriptions } })
  }

  const page = (response: ServerResponse, url: URL, list: ShopifyList) => {
    const { searchParams } = url
    const place = searchParams.get("page_info")
    if (place !== null && [...searchParams.keys()].some((key) => key !== "page_info" && key !== "limit"))
      return refuse(response, 400, { page_info: "Invalid value." })
    const known = place === null ? undefined : places.get(place)
    if (place !== null && known === undefined) return refuse(response, 400, { page_info: "Invalid value." })
    const size = Number(searchParams.get("limit") ?? 50)
    if (size > 250) return refuse(response, 400, { limit: "must be at most 250" })
    const since = Date.parse(searchParams.get("updated_at_min") ?? "")
    const all = (lists.get(list) ?? []).filter(
      ({ updated_at }) => Number.isNaN(since) || Date.parse(String(updated_at)) >= since
    )
    const rows = known?.rows ?? all
    const rest = rows.slice(size)
    const headers: Record<string, string> = { "x-shopify-shop-api-call-limit": "1/40" }
    if (rest.length > 0) {
      const next = randomBytes(8).toString("hex")
      places.set(next, { list, rows: rest, size })
      headers.link = `<${url.origin}${url.pathname}?limit=${size}&page_info=${next}>; rel="next"`
    }
    response
      .writeHead(200, { "content-type": "application/json", ...headers })
      .end(`{"${list}":[${rows.slice(0, size).map(shopifyJson).join(",")}]}`)
  }

  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://shop")
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (await spoiled(faults, response, (status) => ({ errors: `planned ${status}` }))) return
    if (url.pathname === "/admin/oauth/access_token") return token(request, response)
    const [, , , asked, what = ""] = url.pathname.split("/")
    if (asked !== version) return refuse(response, 404, "Not Found")
    const given = String(request.headers["x-shopify-access-token"] ?? "")
    const ends = tokens.get(given)
    if (ends === undefined || ends <= now())
      return refuse(response, 401, "[API] Invalid API key or access token (unrecognized login or wrong password)")
    if (what === "graphql.json") return graph(request, response)
    if (what === "shop.json")
      return sendJson(response, 200, {
        shop: { id: 548380009, name: "Maple Books", myshopify_domain: shopDomain, currency: "USD" }
      })
    const list = what.replace(".json", "")
    if (list === "orders" || list === "checkouts" || list === "customers" || list === "products")
      return page(response, url, list)
    refuse(response, 404, "Not Found")
  })

  return {
    url: server.url,
    lists,
    tokens,
    subscriptions,
    requests,
    faults,
    /** Sets the clock by which tokens end. */
    setClock: (clock: () => number) => {
      now = clock
    },
    close: server.close
  }
}
export type ShopifySimulator = Awaited<ReturnType<typeof start>>

/** JSON as the shop writes it: an id that is a bigint has all its digits. */
export const shopifyJson = (value: unknown): string => {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return `[${value.map(shopifyJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([key, one]) => `${JSON.stringify(key)}:${shopifyJson(one)}`)
    .join(",")}}`
}
