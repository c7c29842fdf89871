/**
 * A simulated Stripe: payment links, the pages where they are paid, refunds, disputes, and signed webhooks. It is as strict as the real one: forms, keys,
 * versions, amounts, and idempotency keys are checked.
 */
import { createHmac, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { StripeRecords, StripeRefusal } from "./StripeRecords.ts"

export const stripeKey = "sk_test_51Parley0123456789"

const errorBody = (status: number, message = "An unknown error occurred", code?: string) => ({
  error: {
    type: status >= 500 ? "api_error" : status === 401 ? "authentication_error" : "invalid_request_error",
    ...(code === undefined ? {} : { code }),
    message
  }
})

/** The header of a webhook, as Stripe makes it. `at`: Unix milliseconds. */
export const stripeSignature = (body: string, secret: string, at = Date.now()): string => {
  const t = Math.floor(at / 1_000)
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`
}

export interface StripeRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export const start = async () => {
  const faults = httpFaults()
  const received: Array<StripeRequest> = []
  const answers = new Map<string, { readonly body: string; readonly answer: unknown }>()
  const state = { url: "" }
  const records = new StripeRecords(() => state.url)

  const work = (method: string, path: string, form: URLSearchParams): unknown => {
    const [, id = "", action] = /^\/v1\/(?:checkout\/)?\w+(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ?? []
    const route = `${method} ${path.replace(id === "" ? "\0" : `/${id}`, "/:id")}`
    switch (route) {
      case "GET /v1/account":
        return { id: "acct_1Parley", object: "account", settings: { dashboard: { display_name: "Maple Books" } } }
      case "POST /v1/payment_links":
        return records.createLink(form)
      case "GET /v1/payment_links/:id":
        return records.link(id)
      case "POST /v1/payment_links/:id":
        return records.changeLink(id, form)
      case "GET /v1/checkout/sessions":
        return { object: "list", data: records.sessionsOf(form.get("payment_link")), has_more: false }
      case "POST /v1/checkout/sessions/:id/expire":
        return records.expireSession(id)
      case "GET /v1/payment_intents/:id":
        return records.intent(id)
      case "POST /v1/webhook_endpoints":
        return records.createEndpoint(form)
      case "GET /v1/webhook_endpoints":
        return { object: "list", data: [...records.endpoints.values()].map(({ secret: _, ...shown }) => shown) }
      case "DELETE /v1/webhook_endpoints/:id":
        records.endpoints.delete(id)
        return { id, object: "webhook_endpoint", deleted: true }
      default:
        throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).${action ?? ""}`)
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://stripe.test")
    const body = await readBody(request)
    const { method = "GET", headers } = request
    if (url.pathname.startsWith("/pay/")) {
      // The page where a link is paid: opening it makes a session, posting to it pays.
      const session = records.open(url.pathname.slice("/pay/".length))
      if (method === "POST") await told(records.pay(session.id))
      return sendJson(response, 200, { session: session.id })
    }
    received.push({ method, path: url.pathname + url.search, body })
    if (await spoiled(faults, response, (status) => errorBody(status))) return
    const bearer = (headers.authorization ?? "").replace(/^Bearer /, "")
    if (bearer !== stripeKey)
      return sendJson(response, 401, errorBody(401, `Invalid API Key provided: ${bearer.slice(0, 8)}***`))
    if (!/^\d{4}-\d{2}-\d{2}(\.\w+)?$/.test(String(headers["stripe-version"] ?? "")))
      return sendJson(response, 400, errorBody(400, "Invalid Stripe API version"))
    if (method === "POST" && headers["content-type"] !== "application/x-www-form-urlencoded")
      return sendJson(response, 400, errorBody(400, "Your API request contained invalid form data."))
    const key = headers["idempotency-key"]
    const before = typeof key === "string" ? answers.get(key) : undefined
    if (before !== undefined && before.body !== body)
      return sendJson(response, 400, {
        error: {
          type: "idempotency_error",
          message: "Keys for idempotent requests can only be used with the same parameters."
        }
      })
    if (before !== undefined) return sendJson(response, 200, before.answer)
    try {
      const made = work(method, url.pathname, method === "GET" ? url.searchParams : new URLSearchParams(body))
      if (typeof key === "string") answers.set(key, { body, answer: made })
      sendJson(response, 200, made, { "request-id": `req_${randomUUID().slice(0, 8)}` })
    } catch (cause) {
      if (!(cause instanceof StripeRefusal)) throw cause
      sendJson(response, cause.status, errorBody(cause.status, cause.message, cause.code))
    }
  }

  /** The body of an event, as it is posted. */
  const eventOf = (type: string, object: object, created = Math.floor(Date.now() / 1_000)) =>
    JSON.stringify({
      ...{ id: `evt_${randomUUID().replaceAll("-", "")}`, object: "event", api_version: "2026-10-28.endive", created },
      ...{ livemode: false, pending_webhooks: 1, request: { id: null, idempotency_key: null }, type },
      data: { object }
    })

  /** Posts events to the registered endpoints; gives the statuses. */
  const post = (body: string) =>
    Promise.all(
      [...records.endpoints.values()].map(async ({ url, secret }) => {
        const headers = { "content-type": "application/json", "stripe-signature": stripeSignature(body, secret) }
        return (await fetch(url, { method: "POST", body, headers })).status
      })
    )

  const told = async (events: ReadonlyArray<readonly [string, object]>) => {
    const bodies = events.map(([type, object]) => eventOf(type, object))
    for (const body of bodies) await post(body)
    return bodies
  }

  const { url, close } = await listen(answer)
  state.url = url
  return { url, close, faults, received, records, eventOf, post, told }
}
export type StripeSimulator = Awaited<ReturnType<typeof start>>
