/** What a simulated Stripe knows: links, sessions, intents, charges, endpoints. Its refusals are those of the real one. */
import { randomBytes } from "node:crypto"

export class StripeRefusal extends Error {
  readonly status: number
  readonly code: string | undefined
  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const linkFields = new RegExp(
  "^(line_items\\[0\\]\\[(quantity|price_data\\]\\[(currency|unit_amount|product_data\\]\\[name))\\]|metadata\\[\\w{1,40}\\]|" +
    "payment_intent_data\\[(description|metadata\\]\\[\\w{1,40})\\]|restrictions\\[completed_sessions\\]\\[limit\\])$"
)
const threeDecimals = ["bhd", "jod", "kwd", "omr", "tnd"]

type Metadata = Readonly<Record<string, string>>

interface Link {
  readonly id: string
  readonly object: "payment_link"
  active: boolean
  readonly url: string
  readonly currency: string
  readonly livemode: false
  readonly metadata: Metadata
  readonly restrictions: { readonly completed_sessions: { count: number; readonly limit: number } }
}

interface Charge {
  readonly id: string
  readonly object: "charge"
  readonly amount: number
  readonly amount_captured: number
  amount_refunded: number
  refunded: boolean
  disputed: boolean
  readonly captured: boolean
  readonly currency: string
  readonly created: number
  readonly metadata: Metadata
  readonly payment_intent: string
}

interface Intent {
  readonly id: string
  readonly object: "payment_intent"
  readonly created: number
  readonly metadata: Metadata
  readonly amount: number
  readonly currency: string
  status: string
  last_payment_error: { readonly message: string; readonly code: string } | null
  latest_charge: Charge | null
}

interface Session {
  readonly id: string
  readonly object: "checkout.session"
  status: "open" | "complete" | "expired"
  payment_status: "unpaid" | "paid"
  readonly amount_total: number
  readonly currency: string
  readonly created: number
  readonly metadata: Metadata
  readonly payment_link: string
  readonly livemode: false
  payment_intent: Intent | null
}

type StripeEvent = readonly [type: string, object: object]

const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`
const seconds = () => Math.floor(Date.now() / 1_000)

const metadataOf = (form: URLSearchParams, prefix: string): Metadata =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = name.startsWith(`${prefix}[`) ? name.slice(prefix.length + 1, -1) : undefined
      if (key === undefined) return []
      if (value.length > 500) throw new StripeRefusal(400, "Metadata values can have up to 500 characters.")
      return [[key, value]]
    })
  )

export class StripeRecords {
  readonly links = new Map<string, Link>()
  readonly sessions = new Map<string, Session>()
  readonly intents = new Map<string, Intent>()
  readonly endpoints = new Map<string, { readonly id: string; readonly url: string; readonly secret: string }>()
  private readonly origin: () => string
  private readonly asked = new Map<string, { readonly amount: number; readonly metadata: Metadata }>()

  constructor(origin: () => string) {
    this.origin = origin
  }

  createLink(form: URLSearchParams): Link {
    const strange = [...form.keys()].find((name) => !linkFields.test(name))
    if (strange !== undefined)
      throw new StripeRefusal(400, `Received unknown parameter: ${strange}`, "parameter_unknown")
    const price = (name: string) => form.get(`line_items[0][price_data][${name}]`)
    const currency = price("currency") ?? ""
    if (!/^[a-z]{3}$/.test(currency)) throw new StripeRefusal(400, `Invalid currency: ${currency}.`)
    const amount = Number(price("unit_amount"))
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new StripeRefusal(400, "Invalid integer: unit_amount")
    if (threeDecimals.includes(currency) && amount % 10 !== 0)
      throw new StripeRefusal(400, "The amount must be rounded to the nearest ten.")
    if (amount < 50 && currency === "usd")
      throw new StripeRefusal(400, "The amount must be at least 0.50 USD.", "amount_too_small")
    if (form.get("line_items[0][price_data][product_data][name]") === "") throw new StripeRefusal(400, "name is empty")
    const id = idOf("plink")
    const limit = Number(form.get("restrictions[completed_sessions][limit]") ?? 1_000_000)
    const link: Link = {
      ...{ id, object: "payment_link", active: true, url: `${this.origin()}/pay/${id}`, currency, livemode: false },
      metadata: metadataOf(form, "metadata"),
      restrictions: { completed_sessions: { count: 0, limit } }
    }
    this.links.set(id, link)
    this.asked.set(id, { amount, metadata: metadataOf(form, "payment_intent_data[metadata]") })
    return link
  }

  link(id: string): Link {
    const link = this.links.get(id)
    if (link === undefined) throw new StripeRefusal(404, `No such payment_link: '${id}'`, "resource_missing")
    return link
  }

  changeLink(id: string, form: URLSearchParams): Link {
    const link = this.link(id)
    if ([...form.keys()].join() !== "active") throw new StripeRefusal(400, "Received unknown parameter")
    link.active = form.get("active") === "true"
    return link
  }

  sessionsOf(linkId: string | null): ReadonlyArray<Session> {
    return [...this.sessions.values()].filter((one) => one.payment_link === linkId).reverse()
  }

  /** Somebody opens the page of a link. */
  open(linkId: string): Session {
    const link = this.link(linkId)
    const { count, limit } = link.restrictions.completed_sessions
    if (!link.active || count >= limit) throw new StripeRefusal(400, "The link is no longer active.")
    const session: Session = {
      ...{ id: idOf("cs_test"), object: "checkout.session", status: "open", payment_status: "unpaid" },
      ...{ amount_total: this.asked.get(linkId)?.amount ?? 0, currency: link.currency, created: seconds() },
      ...{ metadata: link.metadata, payment_link: linkId, livemode: false, payment_intent: null }
    }
    this.sessions.set(session.id, session)
    return session
  }

  session(id: string): Session {
    const session = this.sessions.get(id)
    if (session === undefined) throw new StripeRefusal(404, `No such checkout.session: '${id}'`, "resource_missing")
    return session
  }

  expireSession(id: string): Session {
    const session = this.session(id)
    if (session.status !== "open")
      throw new StripeRefusal(400, "Only Checkout Sessions with a status of open can be expired.")
    session.status = "expired"
    return session
  }

  private intentOf(session: Session): Intent {
    if (session.payment_intent !== null) return session.payment_intent
    const metadata = this.asked.get(session.payment_link)?.metadata ?? {}
    const intent: Intent = {
      ...{ id: idOf("pi"), object: "payment_intent", created: seconds(), metadata, amount: session.amount_total },
      ...{
        currency: session.currency,
        status: "requires_payment_method",
        last_payment_error: null,
        latest_charge: null
      }
    }
    this.intents.set(intent.id, intent)
    session.payment_intent = intent
    return intent
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id)
    if (intent === undefined) throw new StripeRefusal(404, `No such payment_intent: '${id}'`, "resource_missing")
    return intent
  }

  /** As webhooks show it: what is expanded for us is an id there. */
  private shown(session: Session): object {
    return { ...session, payment_intent: session.payment_intent?.id ?? null }
  }

  /** A session is paid. With `later` the bank has not said yes yet. Gives the events. */
  pay(id: string, later = false): ReadonlyArray<StripeEvent> {
    const session = this.session(id)
    if (session.status !== "open") throw new StripeRefusal(400, "The session is over.")
    this.link(session.payment_link).restrictions.completed_sessions.count++
    session.status = "complete"
    this.intentOf(session)
    if (later) return [["checkout.session.completed", this.shown(session)]]
    return [["checkout.session.completed", this.settle(session)]]
  }

  /** The bank has said yes, or no, to a payment that took long. */
  decide(id: string, yes: boolean): ReadonlyArray<StripeEvent> {
    const session = this.session(id)
    if (!yes) return [["checkout.session.async_payment_failed", this.shown(session)]]
    return [["checkout.session.async_payment_succeeded", this.settle(session)]]
  }

  private settle(session: Session): object {
    const intent = this.intentOf(session)
    const { amount, currency, metadata } = intent
    session.payment_status = "paid"
    intent.status = "succeeded"
    intent.latest_charge = {
      ...{ id: idOf("ch"), object: "charge", amount, amount_captured: amount, amount_refunded: 0, refunded: false },
      ...{ disputed: false, captured: true, currency, created: seconds(), metadata, payment_intent: intent.id }
    }
    return this.shown(session)
  }

  /** A card is declined; the page stays open. */
  decline(id: string, message = "Your card was declined."): ReadonlyArray<StripeEvent> {
    const intent = this.intentOf(this.session(id))
    intent.last_payment_error = { message, code: "card_declined" }
    return [["payment_intent.payment_failed", { ...intent, latest_charge: null }]]
  }

  private chargeOf(sessionId: string): Charge {
    const charge = this.session(sessionId).payment_intent?.latest_charge
    if (charge == null) throw new StripeRefusal(400, "This was not charged.")
    return charge
  }

  refund(sessionId: string, amount: number): ReadonlyArray<StripeEvent> {
    const charge = this.chargeOf(sessionId)
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    return [["charge.refunded", { ...charge }]]
  }

  dispute(sessionId: string, status: "needs_response" | "won" | "lost"): ReadonlyArray<StripeEvent> {
    const charge = this.chargeOf(sessionId)
    charge.disputed = true
    const object = {
      ...{ id: idOf("dp"), object: "dispute", amount: charge.amount, currency: charge.currency, status, metadata: {} },
      ...{ charge: charge.id, payment_intent: charge.payment_intent }
    }
    return [[status === "needs_response" ? "charge.dispute.created" : "charge.dispute.closed", object]]
  }

  createEndpoint(form: URLSearchParams) {
    const url = form.get("url") ?? ""
    if (!URL.canParse(url)) throw new StripeRefusal(400, "Invalid URL")
    const endpoint = {
      id: idOf("we"),
      object: "webhook_endpoint",
      url,
      secret: `whsec_${randomBytes(16).toString("hex")}`
    }
    this.endpoints.set(endpoint.id, endpoint)
    return endpoint
  }
}
