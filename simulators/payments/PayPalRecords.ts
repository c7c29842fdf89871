/** What a simulated PayPal knows: orders, captures, refunds, registered webhooks. Its refusals are those of the real one. */
import { randomBytes } from "node:crypto"

export class PayPalRefusal extends Error {
  readonly status: number
  readonly issue: string
  readonly field: string | undefined
  constructor(status: number, issue: string, description: string, field?: string) {
    super(description)
    this.status = status
    this.issue = issue
    this.field = field
  }
}

interface Amount {
  readonly currency_code: string
  readonly value: string
}

interface Capture {
  readonly id: string
  status: "PENDING" | "COMPLETED" | "PARTIALLY_REFUNDED" | "REFUNDED"
  readonly amount: Amount
  readonly custom_id: string
  readonly final_capture: true
  readonly create_time: string
  readonly supplementary_data: { readonly related_ids: { readonly order_id: string } }
}

interface Refund {
  readonly id: string
  readonly status: "COMPLETED"
  readonly amount: Amount
  readonly links: ReadonlyArray<{ readonly rel: string; readonly href: string; readonly method: "GET" }>
}

interface Order {
  readonly id: string
  readonly intent: "CAPTURE"
  status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED"
  readonly purchase_units: ReadonlyArray<{
    readonly reference_id: string
    readonly custom_id: string
    readonly description: string
    readonly amount: Amount
    payments?: { captures: Array<Capture>; refunds: Array<Refund> }
  }>
  readonly create_time: string
  readonly links: ReadonlyArray<{ readonly rel: string; readonly href: string; readonly method: "GET" }>
}

/** The type of an event, and what it is about. */
export type PayPalEvent = readonly [type: string, resource: object, resourceType: string]

const currencies =
  "AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD".split(" ")
const wholeOnly = ["HUF", "JPY", "TWD"]

const idOf = () => randomBytes(12).toString("hex").toUpperCase().slice(0, 17)
const at = () => `${new Date().toISOString().slice(0, 19)}Z`
const known = (value: unknown, names: ReadonlyArray<string>, where: string): Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new PayPalRefusal(400, "MALFORMED_REQUEST_JSON", "The request JSON is not well formed.", where)
  const strange = Object.keys(value).find((name) => !names.includes(name))
  if (strange !== undefined)
    throw new PayPalRefusal(400, "INVALID_PARAMETER_SYNTAX", `Unknown field ${strange}.`, `${where}/${strange}`)
  return { ...value }
}
const text = (value: unknown, longest: number, where: string): string => {
  if (typeof value !== "string" || value === "" || value.length > longest)
    throw new PayPalRefusal(
      400,
      "INVALID_STRING_LENGTH",
      "The value of a field is either too short or too long.",
      where
    )
  return value
}

const amountOf = (value: unknown): Amount => {
  const { currency_code: code, value: decimal } = known(value, ["currency_code", "value"], "/amount")
  const currency = text(code, 3, "/amount/currency_code")
  if (!currencies.includes(currency))
    throw new PayPalRefusal(422, "CURRENCY_NOT_SUPPORTED", "Currency code should be a supported currency code.")
  const form = wholeOnly.includes(currency) ? /^\d{1,10}$/ : /^\d{1,10}(\.\d{2})?$/
  const amount = text(decimal, 32, "/amount/value")
  if (!form.test(amount))
    throw new PayPalRefusal(422, "DECIMAL_PRECISION", "If the currency supports decimals, only two decimal places.")
  if (Number(amount) === 0)
    throw new PayPalRefusal(422, "CANNOT_BE_ZERO_OR_NEGATIVE", "Must be greater than zero.", "/amount/value")
  return { currency_code: currency, value: amount }
}

const cents = ({ value }: Amount) => Math.round(Number(value) * 100)
const likeCents = (amount: number, { currency_code }: Amount): Amount => ({
  currency_code,
  value: wholeOnly.includes(currency_code) ? String(amount / 100) : (amount / 100).toFixed(2)
})

export class PayPalRecords {
  readonly orders = new Map<string, Order>()
  readonly returns = new Map<string, string>()
  readonly webhooks = new Map<string, { readonly id: string; readonly url: string }>()
  /** The bank of the payer says no to captures. */
  declines = false
  /** PayPal reviews captures before it takes the money. */
  reviews = false
  private readonly origin: () => string

  constructor(origin: () => string) {
    this.origin = origin
  }

  createOrder(body: unknown): Order {
    const given = known(body, ["intent", "purchase_units", "payment_source"], "")
    if (given.intent !== "CAPTURE") throw new PayPalRefusal(400, "INVALID_PARAMETER_VALUE", "intent", "/intent")
    const [unit, second] = Array.isArray(given.purchase_units) ? given.purchase_units : []
    if (second !== undefined) throw new PayPalRefusal(422, "UNSUPPORTED", "The simulator takes one unit.")
    const names = ["reference_id", "custom_id", "invoice_id", "description", "amount"]
    const { reference_id, custom_id, description, amount } = known(unit, names, "/purchase_units/0")
    const { paypal } = known(given.payment_source, ["paypal"], "/payment_source")
    const { experience_context } = known(paypal, ["experience_context"], "/payment_source/paypal")
    const fields = ["return_url", "cancel_url", "user_action", "shipping_preference", "brand_name"]
    const { return_url, cancel_url } = known(experience_context, fields, "/experience_context")
    const id = idOf()
    for (const url of [return_url, cancel_url]) {
      if (!URL.canParse(text(url, 4_000, "/return_url")))
        throw new PayPalRefusal(400, "INVALID_PARAMETER_SYNTAX", "return_url is no URL.")
    }
    const order: Order = {
      ...{ id, intent: "CAPTURE", status: "PAYER_ACTION_REQUIRED", create_time: at() },
      purchase_units: [
        {
          reference_id: text(reference_id, 256, "/reference_id"),
          custom_id: text(custom_id, 127, "/custom_id"),
          description: text(description, 127, "/description"),
          amount: amountOf(amount)
        }
      ],
      links: [
        { href: `${this.origin()}/v2/checkout/orders/${id}`, rel: "self", method: "GET" },
        { href: `${this.origin()}/checkoutnow?token=${id}`, rel: "payer-action", method: "GET" }
      ]
    }
    this.orders.set(id, order)
    this.returns.set(id, String(return_url))
    return order
  }

  order(id: string): Order {
    const order = this.orders.get(id)
    if (order === undefined)
      throw new PayPalRefusal(404, "INVALID_RESOURCE_ID", "The specified resource does not exist.")
    return order
  }

  /** The payer agrees on PayPal's page. Gives where the browser goes on, and the events. */
  approve(id: string) {
    const order = this.order(id)
    if (order.status === "COMPLETED") throw new PayPalRefusal(422, "ORDER_ALREADY_CAPTURED", "It was captured.")
    order.status = "APPROVED"
    const events: ReadonlyArray<PayPalEvent> = [["CHECKOUT.ORDER.APPROVED", { ...order }, "checkout-order"]]
    return { next: `${this.returns.get(id)}?token=${id}&PayerID=QYR5Z8XDVJNXQ`, events }
  }

  capture(id: string): { readonly order: Order; readonly events: ReadonlyArray<PayPalEvent> } {
    const order = this.order(id)
    if (order.status === "COMPLETED") throw new PayPalRefusal(422, "ORDER_ALREADY_CAPTURED", "Order already captured.")
    if (order.status !== "APPROVED")
      throw new PayPalRefusal(422, "ORDER_NOT_APPROVED", "Payer has not yet approved the Order for payment.")
    if (this.declines) throw new PayPalRefusal(422, "INSTRUMENT_DECLINED", "The instrument was declined.")
    const [unit] = order.purchase_units
    const capture: Capture = {
      ...{ id: idOf(), amount: unit.amount, custom_id: unit.custom_id, final_capture: true },
      status: this.reviews ? "PENDING" : "COMPLETED",
      ...{ create_time: at(), supplementary_data: { related_ids: { order_id: id } } }
    }
    unit.payments = { captures: [capture], refunds: [] }
    order.status = "COMPLETED"
    const event = this.reviews ? "PAYMENT.CAPTURE.PENDING" : "PAYMENT.CAPTURE.COMPLETED"
    return { order, events: [[event, { ...capture }, "capture"]] }
  }

  /** Ends the review of a capture: the money is taken. */
  release(captureId: string): ReadonlyArray<PayPalEvent> {
    const { capture } = this.unitOf(captureId)
    capture.status = "COMPLETED"
    return [["PAYMENT.CAPTURE.COMPLETED", { ...capture }, "capture"]]
  }

  private unitOf(captureId: string) {
    const unit = [...this.orders.values()]
      .flatMap((order) => order.purchase_units)
      .find(({ payments }) => payments?.captures[0]?.id === captureId)
    const capture = unit?.payments?.captures[0]
    if (unit?.payments === undefined || capture === undefined)
      throw new PayPalRefusal(404, "INVALID_RESOURCE_ID", "The specified resource does not exist.")
    return { payments: unit.payments, capture }
  }

  captureAt(id: string): Capture {
    return this.unitOf(id).capture
  }

  /** The only capture of an order. */
  captureOf(orderId: string): Capture {
    const capture = this.order(orderId).purchase_units[0].payments?.captures[0]
    if (capture === undefined) throw new Error("This was not captured.")
    return capture
  }

  /** Gives back `amount`, in hundredths. */
  refund(captureId: string, amount: number): ReadonlyArray<PayPalEvent> {
    const { payments, capture } = this.unitOf(captureId)
    const href = `${this.origin()}/v2/payments/captures/${capture.id}`
    const refund: Refund = {
      ...{ id: idOf(), status: "COMPLETED", amount: likeCents(amount, capture.amount) },
      links: [{ rel: "up", href, method: "GET" }]
    }
    payments.refunds.push(refund)
    const back = payments.refunds.reduce((sum, one) => sum + cents(one.amount), 0)
    capture.status = back >= cents(capture.amount) ? "REFUNDED" : "PARTIALLY_REFUNDED"
    return [["PAYMENT.CAPTURE.REFUNDED", refund, "refund"]]
  }

  dispute(captureId: string, outcome: string | null): ReadonlyArray<PayPalEvent> {
    const { id } = this.captureAt(captureId)
    const dispute = {
      ...{ dispute_id: `PP-D-${idOf()}`, disputed_transactions: [{ seller_transaction_id: id }] },
      ...(outcome === null ? {} : { dispute_outcome: { outcome_code: outcome } })
    }
    return [[`CUSTOMER.DISPUTE.${outcome === null ? "CREATED" : "RESOLVED"}`, dispute, "dispute"]]
  }

  register(body: unknown) {
    const { url, event_types: types } = known(body, ["url", "event_types"], "")
    const address = text(url, 2_048, "/url")
    if (!address.startsWith("https://")) throw new PayPalRefusal(400, "VALIDATION_ERROR", "Not a valid webhook URL")
    if (!Array.isArray(types) || types.length === 0)
      throw new PayPalRefusal(400, "VALIDATION_ERROR", "event_types is required", "event_types")
    if ([...this.webhooks.values()].some((one) => one.url === address))
      throw new PayPalRefusal(400, "WEBHOOK_URL_ALREADY_EXISTS", "Webhook URL already exists")
    const webhook = { id: idOf(), url: address, event_types: types }
    this.webhooks.set(webhook.id, webhook)
    return webhook
  }
}
