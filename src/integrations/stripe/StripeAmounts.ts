/**
 * Amounts as Stripe writes them: in the smallest unit, but of some currencies in a unit of its own (https://docs.stripe.com/currencies). All is whole numbers.
 */
import { decimalsOf } from "../../domain/business/records/Money.ts"

const withoutDecimals = new Set([
  "BIF",
  "CLP",
  "DJF",
  "GNF",
  "JPY",
  "KMF",
  "KRW",
  "MGA",
  "PYG",
  "RWF",
  "VND",
  "VUV",
  "XAF",
  "XOF",
  "XPF"
])
const withThree = new Set(["BHD", "JOD", "KWD", "OMR", "TND"])

const stripeDecimals = (currency: string) => (withoutDecimals.has(currency) ? 0 : withThree.has(currency) ? 3 : 2)

/** By what Stripe's amount is divided after ours was multiplied by it, as powers of ten. */
const shift = (currency: string) => stripeDecimals(currency) - decimalsOf(currency)

/** Our amount for Stripe; undefined when Stripe cannot ask for it. It takes amounts with three decimals only in steps of ten. */
export const toStripe = (amount: number, currency: string): number | undefined => {
  const by = shift(currency)
  const scaled = by >= 0 ? amount * 10 ** by : amount % 10 ** -by === 0 ? amount / 10 ** -by : undefined
  if (scaled === undefined || !Number.isSafeInteger(scaled)) return undefined
  return withThree.has(currency) && scaled % 10 !== 0 ? undefined : scaled
}

/** Stripe's amount in our unit; what is less than one is dropped. `currency` is as Stripe writes it. */
export const fromStripe = (amount: number, currency: string) => {
  const code = currency.toUpperCase()
  const by = shift(code)
  const ours = by >= 0 ? Math.floor(amount / 10 ** by) : amount * 10 ** -by
  return { amount: ours, currency: code }
}
