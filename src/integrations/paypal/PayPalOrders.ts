/** What we read of PayPal's orders, captures and refunds, and what they say of a payment. */
import { Schema } from "effect"
import type { PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { fromPayPal } from "./PayPalAmounts.ts"

const Id = Schema.String.check(Schema.isPattern(/^[\w-]{1,64}$/))
const Amount = Schema.Struct({ currency_code: Schema.String, value: Schema.String })
const Reference = Schema.optionalKey(Schema.NullOr(Schema.String))

export const Capture = Schema.Struct({
  id: Id,
  status: Schema.String,
  amount: Amount,
  custom_id: Reference,
  create_time: Schema.optionalKey(Schema.String),
  supplementary_data: Schema.optionalKey(
    Schema.Struct({
      related_ids: Schema.optionalKey(Schema.Struct({ order_id: Schema.optionalKey(Id) }))
    })
  )
})
export type Capture = typeof Capture.Type

const Refund = Schema.Struct({ status: Schema.String, amount: Amount })

export const Order = Schema.Struct({
  id: Id,
  status: Schema.String,
  links: Schema.optionalKey(Schema.Array(Schema.Struct({ rel: Schema.String, href: Schema.String }))),
  purchase_units: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        custom_id: Reference,
        payments: Schema.optionalKey(
          Schema.Struct({
            captures: Schema.optionalKey(Schema.Array(Capture)),
            refunds: Schema.optionalKey(Schema.Array(Refund))
          })
        )
      })
    )
  )
})
export type Order = typeof Order.Type

const told = ({ value, currency_code: code }: typeof Amount.Type) => fromPayPal(value, code)

/** Given back or not, it was made. */
const made = ["COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"]
const failed = ["DECLINED", "FAILED"]

/** What a capture says. `at`: when that became known, Unix milliseconds. */
export const newsOfCapture = (capture: Capture, reference: string | null, at: number): PaymentNews => {
  const { status, create_time: created } = capture
  const amount = told(capture.amount)
  const when = Number.isNaN(Date.parse(created ?? "")) ? at : Date.parse(created ?? "")
  if (made.includes(status) && amount !== undefined) return { reference, paid: { ...amount, at: when } }
  if (failed.includes(status)) return { reference, failed: { reason: "The payment was declined.", at: when } }
  // E.g. an eCheck, or a payment that PayPal reviews.
  return status === "PENDING" ? { reference, pendingAt: when } : { reference }
}

/** What an order says: that it was paid, how much was given back. We make orders with one unit and capture each at once. */
export const newsOfOrder = (
  { purchase_units: [unit] = [] }: Order,
  reference: string | null,
  at: number
): PaymentNews => {
  const [capture] = unit?.payments?.captures ?? []
  const refunds = (unit?.payments?.refunds ?? []).flatMap(({ status, amount }) =>
    status === "COMPLETED" ? (told(amount) ?? []) : []
  )
  const news = capture === undefined ? { reference } : newsOfCapture(capture, reference, at)
  const back = refunds.reduce((sum, { amount }) => sum + amount, 0)
  return back > 0 ? { ...news, refunded: { amount: back, currency: refunds[0].currency } } : news
}

/** What we call the link. */
export const referenceOfOrder = ({ purchase_units: [unit] = [] }: Order): string | null => unit?.custom_id ?? null

/** Where the payer agrees. */
export const approvalOf = ({ links = [] }: Order): string | undefined =>
  links.find(({ rel }) => rel === "payer-action" || rel === "approve")?.href
