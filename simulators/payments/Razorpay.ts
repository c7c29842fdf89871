/**
 * A simulated Razorpay: payment links, the pages where they are paid, refunds, disputes, and signed webhooks. It is as strict as the real one: keys, fields,
 * amounts and references are checked.
 */
import { createHmac, randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"
import { type RazorpayEvent, RazorpayRecords, RazorpayRefusal } from "./RazorpayRecords.ts"

export const razorpayKey = { keyId: "rzp_test_Parley01234567", keySecret: "razorpay-key-secret-012" }

const errorBody = (status: number, description = "The server encountered an error.", field?: string) => ({
  error: {
    ...{ code: status >= 500 ? "SERVER_ERROR" : "BAD_REQUEST_ERROR", description, source: "business" },
    ...{ step: "payment_initiation", reason: "input_validation_failed", metadata: {} },
    ...(field === undefined ? {} : { field })
  }
})

/** The header of a webhook, as Razorpay makes it. */
export const razorpaySignature = (body: string, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

export interface RazorpayRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export const start = async () => {
  /** `loseNext`: how many of the next requests are worked, and have no answer. */
  const faults = { ...httpFaults(), loseNext: 0 }
  const received: Array<RazorpayRequest> = []
  /** The webhooks that a person has registered in the dashboard. */
  const hooks: Array<{ readonly url: string; readonly secret: string }> = []
  const state = { url: "" }
  const records = new RazorpayRecords(() => state.url)

  const parsed = (body: string): unknown => {
    try {
      return JSON.parse(body)
    } catch {
      throw new RazorpayRefusal("The request could not be parsed.")
    }
  }

  const work = (method: string, url: URL, body: string): unknown => {
    const [, kind = "", id = "", action = ""] = /^\/v1\/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(url.pathname) ?? []
    switch (`${method} ${kind}${id === "" ? "" : "/:id"}${action === "" ? "" : `/${action}`}`) {
      case "GET payments":
        return { entity: "collection", count: 0, items: [...records.payments.values()].slice(-1) }
      case "GET payments/:id":
        return records.payment(id)
      case "POST payment_links":
        return records.createLink(parsed(body))
      case "GET payment_links":
        return { payment_links: records.find(url.searchParams) }
      case "GET payment_links/:id":
        return records.link(id)
      case "POST payment_links/:id/cancel":
        return records.cancel(id)
      default:
        throw new RazorpayRefusal("The requested URL was not found on the server.", undefined, 404)
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://razorpay.test")
    const body = await readBody(request)
    const { method = "GET", headers } = request
    if (url.pathname.startsWith("/i/")) {
      // The page where a link is paid: posting to it pays.
      const id = url.pathname.slice("/i/".length)
      if (method === "POST") await told(records.pay(id))
      return sendJson(response, 200, { status: records.link(id).status })
    }
    received.push({ method, path: url.pathname + url.search, body })
    if (await spoiled(faults, response, (status) => errorBody(status))) return
    const basic = Buffer.from(`${razorpayKey.keyId}:${razorpayKey.keySecret}`).toString("base64")
    if (headers.authorization !== `Basic ${basic}`)
      return sendJson(response, 401, errorBody(401, "Authentication failed"))
    if (body !== "" && !String(headers["content-type"]).startsWith("application/json"))
      return sendJson(response, 400, errorBody(400, "Content-Type must be application/json"))
    try {
      const made = work(method, url, body)
      if (faults.loseNext > 0) {
        faults.loseNext--
        response.destroy()
        return
      }
      sendJson(response, 200, made)
    } catch (cause) {
      if (!(cause instanceof RazorpayRefusal)) throw cause
      sendJson(response, cause.status, errorBody(cause.status, cause.message, cause.field))
    }
  }

  /** The body of an event, as it is posted. */
  const eventOf = ([event, payload]: RazorpayEvent, createdAt = Math.floor(Date.now() / 1_000)) =>
    JSON.stringify({
      ...{ entity: "event", account_id: "acc_Parley00000000", event, contains: Object.keys(payload) },
      payload: Object.fromEntries(Object.entries(payload).map(([name, entity]) => [name, { entity }])),
      created_at: createdAt
    })

  /** Posts an event to the registered webhooks; gives the statuses. */
  const post = (body: string, id = randomUUID().replaceAll("-", "").slice(0, 14)) =>
    Promise.all(
      hooks.map(async ({ url, secret }) => {
        const signed = { "x-razorpay-signature": razorpaySignature(body, secret), "x-razorpay-event-id": id }
        const headers = { "content-type": "application/json", ...signed }
        return (await fetch(url, { method: "POST", body, headers })).status
      })
    )

  const told = async (events: ReadonlyArray<RazorpayEvent>) => {
    const bodies = events.map((event) => eventOf(event))
    for (const body of bodies) await post(body)
    return bodies
  }

  const { url, close } = await listen(answer)
  state.url = url
  return { url, close, faults, received, records, hooks, eventOf, post, told }
}
export type RazorpaySimulator = Awaited<ReturnType<typeof start>>
