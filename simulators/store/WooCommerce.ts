/** A simulated WooCommerce: the REST API of a store with its pages, permissions and webhooks, and deliveries as the real one signs them. */
import { createHmac, randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import type { Delivery } from "./Shopify.ts"

export const wooKeys = { consumerKey: "ck_0123456789abcdef", consumerSecret: "cs_fedcba9876543210" }

export type WooObject = Readonly<Record<string, unknown>>
export type WooList = "orders" | "customers" | "products"

/** A delivery as the store signs it. `id`: the same when it is sent again. */
export const deliveryOf = (
  topic: string,
  body: string,
  { secret, id = randomBytes(16).toString("hex") }: { readonly secret: string; readonly id?: string }
): Delivery => {
  const [resource, event] = topic.split(".")
  return {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "WooCommerce/10.3.0 Hookshot (WordPress/6.9)",
      "x-wc-webhook-source": "https://store.example/",
      "x-wc-webhook-topic": topic,
      "x-wc-webhook-resource": resource,
      "x-wc-webhook-event": event,
      "x-wc-webhook-signature": createHmac("sha256", secret).update(body).digest("base64"),
      "x-wc-webhook-id": "142",
      "x-wc-webhook-delivery-id": id
    }
  }
}

interface Webhook {
  readonly id: number
  readonly topic: string
  readonly delivery_url: string
  readonly secret: string
  readonly status: string
}

export const start = async ({ mayWrite = true } = {}) => {
  const lists = new Map<WooList, Array<WooObject>>()
  const variations = new Map<string, ReadonlyArray<WooObject>>()
  const webhooks: Array<Webhook> = []
  const requests: Array<string> = []
  const faults = httpFaults()
  const refuse = (response: ServerResponse, status: number, code: string, message: string) =>
    sendJson(response, status, { code, message, data: { status } })
  const shown = ({ secret: _secret, ...webhook }: Webhook) => webhook

  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://store")
    const { method = "GET" } = request
    requests.push(`${method} ${url.pathname}${url.search}`)
    if (await spoiled(faults, response, (status) => ({ code: "planned", message: "planned", data: { status } }))) return
    const keys = Buffer.from(`${wooKeys.consumerKey}:${wooKeys.consumerSecret}`).toString("base64")
    if (request.headers.authorization !== `Basic ${keys}`)
      return refuse(response, 401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.")
    const path = url.pathname.replace("/wp-json/wc/v3/", "")
    if (path === "settings/general/woocommerce_currency")
      return sendJson(response, 200, { id: "woocommerce_currency", value: "USD" })
    if (path.startsWith("webhooks")) {
      if (method === "GET") return sendJson(response, 200, webhooks.map(shown))
      if (!mayWrite)
        return refuse(
          response,
          401,
          "woocommerce_rest_cannot_create",
          "Sorry, you are not allowed to create resources."
        )
      const [, id] = path.split("/")
      const at = webhooks.findIndex((one) => one.id === Number(id))
      if (method === "DELETE") return sendJson(response, 200, webhooks.splice(at, 1)[0])
      const body = JSON.parse(await readBody(request))
      if (id !== undefined) {
        webhooks[at] = { ...webhooks[at], ...body }
        return sendJson(response, 200, shown(webhooks[at]))
      }
      if (!/^https?:\/\//.test(body.delivery_url) || !/^(order|product|customer)\.\w+$/.test(body.topic))
        return refuse(response, 400, "woocommerce_rest_webhook_topic_invalid", "Webhook topic must be valid.")
      const made: Webhook = { id: webhooks.length + 1, ...body }
      webhooks.push(made)
      return sendJson(response, 201, shown(made))
    }
    const varied = /^products\/(\d+)\/variations$/.exec(path)
    if (varied !== null) return sendJson(response, 200, variations.get(varied[1]) ?? [])
    if (path !== "orders" && path !== "customers" && path !== "products")
      return refuse(response, 404, "rest_no_route", "No route was found matching the URL and request method.")
    const size = Number(url.searchParams.get("per_page") ?? 10)
    if (size > 100) return refuse(response, 400, "rest_invalid_param", "Invalid parameter(s): per_page")
    const after = url.searchParams.get("modified_after")
    const rows = (lists.get(path) ?? []).filter(
      ({ date_modified_gmt }) => after === null || String(date_modified_gmt) > after
    )
    const pages = Math.max(1, Math.ceil(rows.length / size))
    const page = Number(url.searchParams.get("page") ?? 1)
    sendJson(response, 200, rows.slice((page - 1) * size, page * size), {
      "x-wp-total": String(rows.length),
      "x-wp-totalpages": String(pages)
    })
  })
  return { url: server.url, lists, variations, webhooks, requests, faults, close: server.close }
}
export type WooSimulator = Awaited<ReturnType<typeof start>>
