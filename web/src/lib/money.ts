/** Amounts of money as people write them. The service counts in the smallest unit of a currency. */

const decimals = new Map<string, number>()

const decimalsOf = (currency: string): number => {
  const known = decimals.get(currency)
  if (known !== undefined) return known
  const found = Intl.supportedValuesOf("currency").includes(currency)
    ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2)
    : 2
  decimals.set(currency, found)
  return found
}

/** `24.99` of 2499 cents. */
export const decimalOf = (amount: number, currency: string): string =>
  (amount / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))

/** 2499 of `24.99`; NaN when it is no amount of this currency. */
export const amountOf = (text: string, currency: string): number => {
  const [, whole, part = ""] = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(text) ?? []
  const places = decimalsOf(currency)
  return whole === undefined || part.length > places ? Number.NaN : Number(whole + part.padEnd(places, "0"))
}
