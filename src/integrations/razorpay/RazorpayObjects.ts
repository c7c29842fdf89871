/** What we read of Razorpay's objects, and what they say of a payment. Times are Unix seconds there. */
import { Schema } from "effect"
import type { PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { isCurrency } from "../../domain/business/records/Money.ts"

/** The name under which Razorpay keeps our id of a link. */
export const razorpayNote = "parley_payment"

const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
export const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }))
const Id = Schema.String.check(Schema.isPattern(/^\w{1,64}$/))
const Code = Schema.String.check(
  Schema.makeFilter((code: string) => isCurrency(code) || "must be an ISO 4217 code in capital letters.")
)
/** An object, or an empty list when there are none. */
const Notes = Schema.optionalKey(
  Schema.NullOr(Schema.Union([Schema.Record(Schema.String, Schema.Unknown), Schema.Array(Schema.Unknown)]))
)

const noted = (notes: unknown): string | null => {
  const value: unknown = typeof notes === "object" && notes !== null ? Reflect.get(notes, razorpayNote) : undefined
  return typeof value === "string" ? value : null
}

export const Link = Schema.Struct({
  id: Id,
  short_url: Schema.String,
  status: Schema.String,
  amount: Whole,
  amount_paid: Whole,
  currency: Code,
  reference_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  notes: Notes,
  created_at: Seconds,
  expired_at: Schema.optionalKey(Schema.NullOr(Seconds)),
  cancelled_at: Schema.optionalKey(Schema.NullOr(Seconds)),
  payments: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ payment_id: Id, status: Schema.String, created_at: Seconds })))
  )
})
export type Link = typeof Link.Type

export const Payment = Schema.Struct({
  id: Id,
  amount: Whole,
  currency: Code,
  status: Schema.String,
  notes: Notes,
  amount_refunded: Schema.optionalKey(Schema.NullOr(Whole)),
  error_description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  created_at: Schema.optionalKey(Schema.NullOr(Seconds))
})
export type Payment = typeof Payment.Type

/** What we call the link: it may have got another `reference_id` there, but keeps our note. */
export const razorpayReference = ({
  notes,
  reference_id: reference
}: Pick<Link, "notes" | "reference_id">): string | null => noted(notes) ?? reference ?? null

/** The same of a payment, if Razorpay has noted it there, too. */
export const notedReference = ({ notes }: Payment): string | null => noted(notes)

const captured = ["captured", "refunded"]

/** The payment by which a link was paid. */
export const paymentOf = ({ payments }: Link) => payments?.find(({ status }) => captured.includes(status))

/** What a link says. `at`: when that became known, Unix milliseconds. */
export const newsOfLink = (link: Link, at: number): PaymentNews => {
  const { status, amount_paid: amount, currency, expired_at: expired, cancelled_at: canceled } = link
  const reference = razorpayReference(link)
  const paidAt = paymentOf(link)?.created_at
  const when = (seconds: number | null | undefined) => (seconds ? seconds * 1_000 : at)
  switch (status) {
    case "paid":
      return { reference, paid: { amount, currency, at: when(paidAt) } }
    case "expired":
      return { reference, expiredAt: when(expired) }
    case "cancelled":
      return { reference, canceledAt: when(canceled) }
    default:
      return { reference }
  }
}

/** What a payment says: that it was made, how much was given back. */
export const newsOfPayment = (payment: Payment, reference: string | null): PaymentNews => {
  const { status, amount, amount_refunded: back, currency, created_at: made } = payment
  return {
    reference,
    ...(captured.includes(status) && made ? { paid: { amount, currency, at: made * 1_000 } } : {}),
    ...(back ? { refunded: { amount: back, currency } } : {})
  }
}
