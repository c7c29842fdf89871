/** The sums of an order: whole amounts in the smallest unit of its currency. */

interface Line {
  readonly quantity: number
  readonly unitPrice: number
  readonly tax: number
}

interface Extras {
  readonly discount: number
  readonly shipping: number
}

export interface OrderTotals {
  readonly subtotal: number
  readonly tax: number
  readonly total: number
}

/** `subtotal` is without tax; `total` is subtotal − discount + shipping + tax. It is below 0 when the discount is too large. */
export const orderTotals = (lines: ReadonlyArray<Line>, { discount, shipping }: Extras): OrderTotals => {
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  return { subtotal, tax, total: subtotal - discount + shipping + tax }
}
