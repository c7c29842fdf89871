/** Amounts as PayPal writes them: decimals, of some currencies without any (https://developer.paypal.com/api/rest/reference/currency-codes). */
import { amountOf, decimalAmount, isCurrency } from "../../domain/business/records/Money.ts"

/** The currencies that PayPal takes. */
const taken = new Set(
  "AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD".split(" ")
)
/** Of these it takes whole numbers only, whatever decimals the currency has. */
const whole = new Set(["HUF", "JPY", "TWD"])

/** Why PayPal cannot ask for the amount, as a sentence. */
export const payPalProblem = (amount: number, currency: string): string | undefined => {
  if (!taken.has(currency)) return `currency is invalid: PayPal does not take ${currency}.`
  return whole.has(currency) && !/^\d+(\.0+)?$/.test(decimalAmount(amount, currency))
    ? `amount is invalid: PayPal takes ${currency} in whole numbers only.`
    : undefined
}

export const toPayPal = (amount: number, currency: string): string => {
  const decimal = decimalAmount(amount, currency)
  return whole.has(currency) ? decimal.replace(/\.0+$/, "") : decimal
}

/** PayPal's amount in our unit; undefined when it is none. */
export const fromPayPal = (value: string, code: string) => {
  const amount = isCurrency(code) ? amountOf(value, code) : undefined
  return amount === undefined ? undefined : { amount, currency: code }
}
