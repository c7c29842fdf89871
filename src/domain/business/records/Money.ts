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

/** How many decimals the currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

/** The amount as a decimal with the currency's own number of decimals: 2499 of USD is "24.99". */
export const decimalAmount = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(amount)
  const digits = String(amount).padStart(decimals + 1, "0")
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The amount that a decimal text says: "24.99" of USD is 2499. A sentence, to follow the name of the field, when it says none. */
export const amountOf = (text: string, currency: string): number | string => {
  const decimals = decimalsOf(currency)
  const found = /^(\d{1,13})(?:\.(\d+))?$/.exec(text)
  const example = decimalAmount(decimals === 0 ? 1_999 : 1_999 * 10 ** (decimals - 2), currency)
  if (found === null) return `must be a decimal number like ${example}.`
  const [, whole, fraction = ""] = found
  if (fraction.length > decimals)
    return `has too many decimals: ${currency} has ${decimals === 0 ? "none" : decimals}, like ${example}.`
  const amount = Number(whole + fraction.padEnd(decimals, "0"))
  return amount <= largest ? amount : `is too large: at most ${decimalAmount(largest, currency)} ${currency}.`
}
