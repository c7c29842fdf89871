/**
 * A simulated PayPal: tokens, orders, the page where a payer agrees, captures, refunds, disputes, and webhooks that are signed with a certificate. It is as
 * strict as the real one: tokens, fields, amounts and request ids are checked.
 */
import { randomUUID, sign } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { crc32 } from "node:zlib"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { issue } from "./Certificates.ts"
import { type PayPalEvent, PayPalRecords, PayPalRefusal } from "./PayPalRecords.ts"

export const payPalClient = {
  clientId: "AeA1QIZXiflr1_-r0U2UbWTziOWX1GRQer5jkUq4ZfWT5qwb6qQRPq7jDtv57TL4POEEezGLdutcxnkJ",
  clientSecret: "ECYYrrSHdKfk_Q0EdvzdGkzj58a66kKaUQ5dZAEv4HvvtDId2_DpSuYDB088BZxGuMji7G4OFUnPog6p"
}

const names: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "AUTHENTICATION_FAILURE",
  404: "RESOURCE_NOT_FOUND",
  422: "UNPROCESSABLE_ENTITY"
}
const errorBody = (
  status: number,
  description = "An internal server error has occurred.",
  issue?: string,
  field?: string
) => ({
  ...{ name: names[status] ?? "INTERNAL_SERVER_ERROR", message: description, debug_id: randomUUID().slice(0, 13) },
  // The interface of webhooks has names of its own, and no details.
  ...(issue?.startsWith("WEBHOOK_") ? { name: issue } : {}),
  ...(issue === undefined || issue.startsWith("WEBHOOK_")
    ? {}
    : { details: [{ issue, description, ...(field === undefined ? {} : { field }) }] })
})

/** The authority that issues PayPal's certificate. */
export const makeChain = () => {
  const root = issue({ name: "Simulated Root", isAuthority: true })
  const intermediate = issue({ name: "Simulated Intermediate", isAuthority: true, issuer: root })
  const leaf = issue({ name: "messageverificationcerts.paypal.com", isAuthority: false, issuer: intermediate })
  return { root, intermediate, leaf }
}

export interface PayPalRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** `reach`: where the address of a webhook, or of a page, is on this machine. */
export const start = async (reach: (url: string) => string = (url) => url) => {
  const faults = httpFaults()
  const received: Array<PayPalRequest> = []
  const tokens = new Set<string>()
  const answers = new Map<string, unknown>()
  const state = { url: "" }
  const records = new PayPalRecords(() => state.url)
  const chain = makeChain()
  const certificatePath = "/v1/notifications/certs/CERT-360caa42-fca2a594-7a5b8c9e"

  const parsed = (body: string): unknown => {
    try {
      return JSON.parse(body)
    } catch {
      throw new PayPalRefusal(400, "MALFORMED_REQUEST_JSON", "The request JSON is not well formed.")
    }
  }

  /** What is told by a request, after its answer. */
  const after: Array<PayPalEvent> = []

  const work = (method: string, path: string, body: string, requestId: string | undefined): unknown => {
    const [, kind = "", id = "", action = ""] =
      /^\/v\d\/(checkout\/orders|payments\/captures|notifications\/webhooks)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(path) ??
      []
    switch (`${method} ${kind}${id === "" ? "" : "/:id"}${action === "" ? "" : `/${action}`}`) {
      case "POST checkout/orders":
        if (requestId === undefined)
          throw new PayPalRefusal(400, "PAYPAL_REQUEST_ID_REQUIRED", "A PayPal-Request-Id is required.")
        return records.createOrder(parsed(body))
      case "GET checkout/orders/:id":
        return records.order(id)
      case "POST checkout/orders/:id/capture": {
        const { order, events } = records.capture(id)
        after.push(...events)
        return order
      }
      case "GET payments/captures/:id":
        return records.captureAt(id)
      case "POST notifications/webhooks":
        return records.register(parsed(body))
      case "GET notifications/webhooks":
        return { webhooks: [...records.webhooks.values()] }
      case "DELETE notifications/webhooks/:id":
        if (!records.webhooks.delete(id)) throw new PayPalRefusal(404, "INVALID_RESOURCE_ID", "No such webhook.")
        return undefined
      default:
        throw new PayPalRefusal(404, "RESOURCE_NOT_FOUND", `No such path: ${method} ${path}`)
    }
  }

  const token = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const basic = Buffer.from(`${payPalClient.clientId}:${payPalClient.clientSecret}`).toString("base64")
    if (request.headers.authorization !== `Basic ${basic}`)
      return sendJson(response, 401, { error: "invalid_client", error_description: "Client Authentication failed" })
    if (body !== "grant_type=client_credentials")
      return sendJson(response, 400, { error: "unsupported_grant_type", error_description: "Unsupported grant_type" })
    const made = `A21AA${randomUUID()}`
    tokens.add(made)
    sendJson(response, 200, { access_token: made, token_type: "Bearer", app_id: "APP-80W2", expires_in: 32_400 })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://paypal.test")
    const body = await readBody(request)
    const { method = "GET", headers } = request
    if (url.pathname === "/checkoutnow") {
      // The page where the payer agrees, and is sent back.
      const { next, events } = records.approve(url.searchParams.get("token") ?? "")
      await told(events)
      response.writeHead(302, { location: reach(next) }).end()
      return
    }
    if (url.pathname === certificatePath) {
      response.writeHead(200, { "content-type": "text/plain" }).end(chain.leaf.pem + chain.intermediate.pem)
      return
    }
    received.push({ method, path: url.pathname + url.search, body })
    if (await spoiled(faults, response, (status) => errorBody(status))) return
    if (url.pathname === "/v1/oauth2/token") return token(request, response, body)
    if (!tokens.has((headers.authorization ?? "").replace(/^Bearer /, "")))
      return sendJson(response, 401, errorBody(401, "Authentication failed due to invalid authentication credentials."))
    if (body !== "" && headers["content-type"] !== "application/json")
      return sendJson(response, 415, errorBody(415, "UNSUPPORTED_MEDIA_TYPE"))
    const requestId = headers["paypal-request-id"]
    const once = typeof requestId === "string" ? `${method} ${url.pathname} ${requestId}` : undefined
    if (once !== undefined && answers.has(once)) return sendJson(response, 200, answers.get(once))
    try {
      const made = work(method, url.pathname, body, typeof requestId === "string" ? requestId : undefined)
      if (once !== undefined) answers.set(once, made)
      if (made === undefined) response.writeHead(204).end()
      else sendJson(response, method === "POST" ? 201 : 200, made)
      await told(after.splice(0))
    } catch (cause) {
      if (!(cause instanceof PayPalRefusal)) throw cause
      sendJson(response, cause.status, errorBody(cause.status, cause.message, cause.issue, cause.field))
    }
  }

  /** The body of an event, as it is posted. */
  const eventOf = ([event_type, resource, resource_type]: PayPalEvent) =>
    JSON.stringify({
      ...{ id: `WH-${randomUUID().toUpperCase()}`, event_version: "1.0", create_time: new Date().toISOString() },
      ...{ resource_type, resource_version: "2.0", event_type, summary: event_type, resource, links: [] }
    })

  /** The headers of a delivery. */
  const signed = (body: string, webhookId: string, key = chain.leaf.key) => {
    const [id, time] = [randomUUID(), new Date().toISOString()]
    const signature = sign("sha256", Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`), key)
    return {
      ...{ "paypal-transmission-id": id, "paypal-transmission-time": time, "paypal-auth-algo": "SHA256withRSA" },
      ...{ "paypal-transmission-sig": signature.toString("base64"), "paypal-cert-url": state.url + certificatePath }
    }
  }

  /** Posts an event to the registered webhooks; gives the statuses. */
  const post = (body: string) =>
    Promise.all(
      [...records.webhooks.values()].map(async ({ id, url }) => {
        const headers = { "content-type": "application/json", ...signed(body, id) }
        return (await fetch(reach(url), { method: "POST", body, headers })).status
      })
    )

  /** While it is false, nobody is told of anything. */
  const telling = { on: true }
  const told = async (events: ReadonlyArray<PayPalEvent>) => {
    if (telling.on) for (const event of events) await post(eventOf(event))
  }

  const { url, close } = await listen(answer)
  state.url = url
  return { url, close, faults, received, records, chain, telling, eventOf, signed, post, told }
}
export type PayPalSimulator = Awaited<ReturnType<typeof start>>
