/** What we read of Stripe's objects, and what they say of a payment. */
import { Schema } from "effect"
import type { DisputeState, PaymentNews } from "../../domain/business/payments/PaymentNews.ts"
import { fromStripe } from "./StripeAmounts.ts"

/** The name under which Stripe keeps our id of a link with all that comes of it. */
export const referenceName = "parley_payment"

const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }))
const Currency = Schema.String.check(Schema.isPattern(/^[a-z]{3}$/i))
const Metadata = Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))

export const referenceOf = (metadata: Readonly<Record<string, unknown>> | null | undefined): string | null => {
  const value = metadata?.[referenceName]
  return typeof value === "string" ? value : null
}

export const Charge = Schema.Struct({
  amount_captured: Whole,
  amount_refunded: Whole,
  currency: Currency,
  disputed: Schema.optionalKey(Schema.Boolean),
  created: Seconds,
  captured: Schema.Boolean,
  metadata: Metadata
})

export const Intent = Schema.Struct({
  id: Schema.String,
  metadata: Metadata,
  created: Seconds,
  last_payment_error: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ message: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
  ),
  latest_charge: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Charge])))
})

export const Session = Schema.Struct({
  id: Schema.String,
  status: Schema.NullOr(Schema.String),
  payment_status: Schema.String,
  amount_total: Schema.NullOr(Whole),
  currency: Schema.NullOr(Currency),
  created: Seconds,
  metadata: Metadata,
  payment_intent: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Intent])))
})

export const Dispute = Schema.Struct({
  status: Schema.String,
  payment_intent: Schema.NullOr(Schema.String)
})

/** Inquiries ("warning_…") that end do so for us: nothing was taken back. */
export const disputeState = (status: string): DisputeState => {
  if (status === "lost") return "lost"
  return status === "won" || status === "warning_closed" || status === "prevented" ? "won" : "open"
}

/** What a charge says: that it was paid, how much was given back. */
export const newsOfCharge = (charge: typeof Charge.Type, reference: string | null): PaymentNews => {
  const { captured, amount_captured: amount, amount_refunded: back, currency, created } = charge
  return {
    reference,
    ...(captured ? { paid: { ...fromStripe(amount, currency), at: created * 1_000 } } : {}),
    ...(back > 0 ? { refunded: fromStripe(back, currency) } : {}),
    ...(charge.disputed === true ? { dispute: "open" } : {})
  }
}

/** What a Checkout Session says. `at`: when that became known, Unix milliseconds. */
export const newsOfSession = (session: typeof Session.Type, at: number): PaymentNews => {
  const reference = referenceOf(session.metadata)
  const { payment_status: status, amount_total: amount, currency, payment_intent: intent } = session
  const charge = typeof intent === "object" && intent !== null ? intent.latest_charge : null
  const ofCharge: PaymentNews =
    typeof charge === "object" && charge !== null ? newsOfCharge(charge, reference) : { reference }
  if (status !== "paid" || amount === null || currency === null) return ofCharge
  return { ...ofCharge, paid: { ...fromStripe(amount, currency), at: ofCharge.paid?.at ?? at } }
}
