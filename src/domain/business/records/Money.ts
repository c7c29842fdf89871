/** Money: whole amounts in the smallest unit of a currency (ISO 4217), e.g. 2499 of USD is 24.99 dollars. Never a fraction, never a float. */
import { Schema } from "effect"

const currencies = new Set(Intl.supportedValuesOf("currency"))

/** An ISO 4217 code in capital letters. */
export const Currency = Schema.String.check(
  Schema.makeFilter((code: string) => currencies.has(code) || "must be an ISO 4217 code in capital letters, like USD.")
)

/** The largest amount: its sums stay exact. */
const largest = 1_000_000_000_000

/** An amount in the smallest unit of its currency, 0 or more. */
export const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: largest }))

/** There are some hundred currencies, and asking for the decimals of one takes long. */
const decimalsKnown = new Map<string, number>()

/** How many decimals the currency has: 2 for USD, 0 for JPY, 3 for KWD. Throws for what is no currency. */
export const decimalsOf = (currency: string): number => {
  const known = decimalsKnown.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat("en", { style: "currency", currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  if (currencies.has(currency)) decimalsKnown.set(currency, decimals)
  return decimals
}

export const isCurrency = (code: string): boolean => currencies.has(code)

/** The amount as a decimal with the currency's own number of decimals: 2499 of USD is "24.99". */
export const decimalAmount = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, "0")
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The amount of a decimal like "24.99": the opposite of `decimalAmount`. `undefined` for anything else, and for more decimals than the currency has. */
export const amountOf = (decimal: string, currency: string): number | undefined => {
  const parts = /^(\d{1,13})(?:\.(\d+))?$/.exec(decimal.trim())
  if (parts === null) return undefined
  const [, whole, fraction = ""] = parts
  const decimals = decimalsOf(currency)
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0"))
  return amount <= largest ? amount : undefined
}

/** The same, but more decimals than the currency has are rounded, half away from zero: for amounts that a program has computed, like a share of a tax. */
export const roundedAmountOf = (decimal: string, currency: string): number | undefined => {
  const parts = /^(\d{1,13})(?:\.(\d+))?$/.exec(decimal.trim())
  if (parts === null) return undefined
  const decimals = decimalsOf(currency)
  const [, whole, fraction = ""] = parts
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0")) + (fraction[decimals] >= "5" ? 1 : 0)
  return amount <= largest ? amount : undefined
}

/** What `amountOf` reads, to follow "must be": "a decimal number with at most 2 decimals, like 19.99". */
export const amountForm = (currency: string): string => {
  const decimals = decimalsOf(currency)
  const example = decimalAmount(decimals < 2 ? 1_999 : 1_999 * 10 ** (decimals - 2), currency)
  return decimals === 0
    ? `a whole number, since ${currency} has no decimals, like ${example}`
    : `a decimal number with at most ${decimals} decimals, like ${example}`
}
