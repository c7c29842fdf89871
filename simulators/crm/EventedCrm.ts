/**
 * A CRM of no vendor, for what all have in common: it tells of its contacts by signed webhooks, gives them by pages, and takes changes. Its webhooks are
 * signed as hexadecimal HMAC-SHA256 of time and raw body, and are refused when they are older than five minutes.
 */
import { createHmac } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { listen, sendJson } from "../support/Loopback.ts"

export interface EventedContact {
  readonly id: string
  readonly changedAt: number
  readonly phone: string | null
  readonly name: string | null
  readonly email: string | null
  readonly deleted?: boolean
}

export interface EventedWebhook {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export const pageSize = 50
export const webhookSecret = "secret-of-the-webhooks"

/** The signature that belongs to a body. */
export const signed = (body: string, at: number, secret = webhookSecret): EventedWebhook => ({
  body,
  headers: {
    "x-crm-time": String(at),
    "x-crm-signature": createHmac("sha256", secret).update(`${at}.${body}`).digest("hex")
  }
})

export interface EventedCrm {
  readonly url: string
  readonly contacts: Map<string, EventedContact>
  /** How often each page or contact was asked for. */
  readonly asked: Array<string>
  /** The status of all answers from now on; 200 by default. */
  behave: (status: number) => void
  /** The webhook of an event that says how a contact is. */
  readonly tell: (event: string, contact: EventedContact, at?: number) => EventedWebhook
  readonly close: () => Promise<void>
}

export const start = async (): Promise<EventedCrm> => {
  const contacts = new Map<string, EventedContact>()
  const asked: Array<string> = []
  let status = 200
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://crm")
    asked.push(request.url ?? "")
    if (status !== 200) return sendJson(response, status, { error: "as planned" })
    const [, what, id] = url.pathname.split("/")
    if (what === "me") return sendJson(response, 200, { id: "account-1", name: "Evented" })
    if (what !== "contacts") return sendJson(response, 404, { error: "not found" })
    if (id !== undefined) {
      const contact = contacts.get(id)
      return contact === undefined ? sendJson(response, 404, { error: "not found" }) : sendJson(response, 200, contact)
    }
    const since = Number(url.searchParams.get("since") ?? 0)
    const after = url.searchParams.get("after") ?? ""
    const found = [...contacts.values()]
      .filter((one) => one.changedAt >= since && one.id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    const page = found.slice(0, pageSize)
    sendJson(response, 200, { contacts: page, next: found.length > pageSize ? page.at(-1)?.id : null })
  }
  const server = await listen(serve)
  return {
    url: server.url,
    contacts,
    asked,
    behave: (next) => {
      status = next
    },
    tell: (event, contact, at = Date.now()) => signed(JSON.stringify({ event, contact }), at),
    close: server.close
  }
}
