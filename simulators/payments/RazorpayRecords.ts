/** What a simulated Razorpay knows: links and payments. Its refusals are those of the real one. */
import { randomBytes } from "node:crypto"

export class RazorpayRefusal extends Error {
  readonly status: number
  readonly field: string | undefined
  constructor(message: string, field?: string, status = 400) {
    super(message)
    this.field = field
    this.status = status
  }
}

const linkFields = [
  ...["amount", "currency", "accept_partial", "first_min_partial_amount", "description", "customer", "notify"],
  ...["reminder_enable", "reference_id", "expire_by", "notes", "callback_url", "callback_method", "upi_link"]
]
const customerFields = ["name", "contact", "email"]
const threeDecimals = ["KWD", "BHD", "OMR", "JOD", "TND"]
const leastLifetimeSeconds = 15 * 60

type Notes = Readonly<Record<string, string>>

interface Payment {
  readonly id: string
  readonly entity: "payment"
  readonly amount: number
  readonly currency: string
  status: "captured" | "refunded" | "failed"
  readonly order_id: string
  readonly method: "upi"
  amount_refunded: number
  refund_status: null | "partial" | "full"
  readonly captured: boolean
  /** Razorpay does not copy the notes of the link. */
  readonly notes: ReadonlyArray<never>
  readonly error_code: string | null
  readonly error_description: string | null
  readonly created_at: number
}

interface Link {
  readonly id: string
  readonly short_url: string
  status: "created" | "paid" | "expired" | "cancelled"
  readonly amount: number
  amount_paid: number
  readonly currency: string
  readonly accept_partial: false
  readonly description: string
  readonly reference_id: string
  readonly customer: object
  readonly notes: Notes
  readonly notify: object
  readonly reminder_enable: boolean
  readonly order_id: string
  payments: Array<Pick<Payment, "amount" | "method" | "status" | "created_at"> & { readonly payment_id: string }> | null
  readonly created_at: number
  updated_at: number
  expire_by: number
  expired_at: number
  cancelled_at: number
  readonly user_id: ""
}

/** The name of an event, and the records that it carries. */
export type RazorpayEvent = readonly [event: string, payload: Readonly<Record<string, object>>]

const idOf = (prefix: string) =>
  `${prefix}_${randomBytes(10).toString("base64").replaceAll(/[^\w]/g, "").slice(0, 14).padEnd(14, "x")}`
const seconds = () => Math.floor(Date.now() / 1_000)

const fields = (value: unknown, known: ReadonlyArray<string>, what = ""): Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RazorpayRefusal(`The ${what || "body"} must be an object.`)
  const strange = Object.keys(value).find((name) => !known.includes(name))
  if (strange !== undefined) throw new RazorpayRefusal(`${strange} is/are not required and should not be sent`, strange)
  return { ...value }
}

const text = (value: unknown, field: string, longest: number, form = /^/): string => {
  if (typeof value !== "string" || value.length > longest || !form.test(value))
    throw new RazorpayRefusal(`The ${field} format is invalid.`, field)
  return value
}

const notesOf = (value: unknown): Notes => {
  const entries = Object.entries(typeof value === "object" && value !== null ? value : {})
  if (entries.length > 15) throw new RazorpayRefusal("The notes may not be greater than 15.", "notes")
  return Object.fromEntries(entries.map(([name, note]) => [name, text(note, "notes", 256)]))
}

export class RazorpayRecords {
  readonly links = new Map<string, Link>()
  readonly payments = new Map<string, Payment>()
  private readonly origin: () => string

  constructor(origin: () => string) {
    this.origin = origin
  }

  createLink(body: unknown): Link {
    const given = fields(body, linkFields)
    const { amount, currency, reference_id: reference, expire_by: expireBy, customer = {}, notify = {} } = given
    if (typeof amount !== "number" || !Number.isSafeInteger(amount))
      throw new RazorpayRefusal("The amount must be an integer.", "amount")
    const code = text(currency, "currency", 3, /^[A-Z]{3}$/)
    if (code === "INR" && amount < 100) throw new RazorpayRefusal("The amount must be atleast INR 1.00", "amount")
    if (threeDecimals.includes(code) && amount % 10 !== 0)
      throw new RazorpayRefusal("The last decimal of the amount must be 0.", "amount")
    if (typeof expireBy !== "number" || !Number.isSafeInteger(expireBy) || expireBy < seconds() + leastLifetimeSeconds)
      throw new RazorpayRefusal("Timestamp must be atleast 15 minutes in future", "expire_by")
    const name = text(reference, "reference_id", 40)
    if ([...this.links.values()].some((link) => link.reference_id === name))
      throw new RazorpayRefusal(`payment link with given reference_id: ${name} already exists`, "reference_id")
    const { contact, email, ...who } = fields(customer, customerFields, "customer")
    if (contact !== undefined) text(contact, "contact", 16, /^\+?\d{8,15}$/)
    if (email !== undefined) text(email, "email", 100, /^[^@\s]+@[^@\s]+$/)
    if (who.name !== undefined) text(who.name, "name", 50, /^.{3,}$/)
    const id = idOf("plink")
    const link: Link = {
      ...{ id, short_url: `${this.origin()}/i/${id}`, status: "created", amount, amount_paid: 0, currency: code },
      ...{ accept_partial: false, description: text(given.description, "description", 2_048), reference_id: name },
      ...{
        customer: fields(customer, customerFields, "customer"),
        notes: notesOf(given.notes),
        reminder_enable: false
      },
      notify: fields(notify, ["sms", "email", "whatsapp"], "notify"),
      ...{ order_id: idOf("order"), payments: null, created_at: seconds(), updated_at: seconds() },
      ...{ expire_by: expireBy, expired_at: 0, cancelled_at: 0, user_id: "" }
    }
    this.links.set(id, link)
    return link
  }

  link(id: string): Link {
    const link = this.links.get(id)
    if (link === undefined) throw new RazorpayRefusal("The id provided does not exist")
    return link
  }

  payment(id: string): Payment {
    const payment = this.payments.get(id)
    if (payment === undefined) throw new RazorpayRefusal("The id provided does not exist")
    return payment
  }

  find(query: URLSearchParams): ReadonlyArray<Link> {
    const [reference, payment] = [query.get("reference_id"), query.get("payment_id")]
    return [...this.links.values()]
      .filter((link) => reference === null || link.reference_id === reference)
      .filter((link) => payment === null || link.payments?.some((one) => one.payment_id === payment))
      .reverse()
  }

  /** As a person of the merchant does it, or we. */
  cancel(id: string): Link {
    const link = this.link(id)
    if (link.status !== "created")
      throw new RazorpayRefusal(`Payment Link cannot be cancelled in its current status: ${link.status}`)
    link.status = "cancelled"
    link.cancelled_at = seconds()
    return link
  }

  private open(id: string): Link {
    const link = this.link(id)
    if (link.status !== "created") throw new RazorpayRefusal("Payment Link is not payable")
    return link
  }

  private add(link: Link, status: "captured" | "failed"): Payment {
    const payment: Payment = {
      ...{ id: idOf("pay"), entity: "payment", amount: link.amount, currency: link.currency, status, method: "upi" },
      ...{
        order_id: link.order_id,
        amount_refunded: 0,
        refund_status: null,
        captured: status === "captured",
        notes: []
      },
      ...(status === "failed"
        ? { error_code: "BAD_REQUEST_ERROR", error_description: "Your payment was declined by your bank." }
        : { error_code: null, error_description: null }),
      created_at: seconds()
    }
    this.payments.set(payment.id, payment)
    const { amount, method, created_at } = payment
    link.payments = [...(link.payments ?? []), { payment_id: payment.id, amount, method, status, created_at }]
    return payment
  }

  /** Somebody pays on the page of a link. Gives the events. */
  pay(id: string): ReadonlyArray<RazorpayEvent> {
    const link = this.open(id)
    const payment = this.add(link, "captured")
    link.status = "paid"
    link.amount_paid = link.amount
    const order = { id: link.order_id, entity: "order", amount: link.amount, status: "paid" }
    return [
      ["payment.captured", { payment: { ...payment } }],
      ["payment_link.paid", { payment_link: { ...link }, order, payment: { ...payment } }]
    ]
  }

  /** The bank declines; the page stays open. */
  decline(id: string): ReadonlyArray<RazorpayEvent> {
    return [["payment.failed", { payment: { ...this.add(this.open(id), "failed") } }]]
  }

  /** The time of a link is over. */
  expire(id: string): ReadonlyArray<RazorpayEvent> {
    const link = this.open(id)
    link.status = "expired"
    link.expired_at = seconds()
    return [["payment_link.expired", { payment_link: { ...link } }]]
  }

  refund(paymentId: string, amount: number): ReadonlyArray<RazorpayEvent> {
    const payment = this.payment(paymentId)
    if (payment.amount_refunded + amount > payment.amount)
      throw new RazorpayRefusal("The refund amount provided is greater than amount captured")
    payment.amount_refunded += amount
    payment.refund_status = payment.amount_refunded === payment.amount ? "full" : "partial"
    if (payment.refund_status === "full") payment.status = "refunded"
    const refund = { id: idOf("rfnd"), entity: "refund", amount, payment_id: payment.id, status: "processed" }
    return [["refund.processed", { refund, payment: { ...payment } }]]
  }

  dispute(paymentId: string, how: "created" | "won" | "lost"): ReadonlyArray<RazorpayEvent> {
    const payment = { ...this.payment(paymentId) }
    const dispute = { id: idOf("disp"), entity: "dispute", payment_id: payment.id, amount: payment.amount, status: how }
    return [[`payment.dispute.${how}`, { payment, dispute }]]
  }
}
