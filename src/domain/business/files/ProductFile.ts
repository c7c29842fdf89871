/** Files of products. */
import { NewProduct, type Product } from "../products/Product.ts"
import { amountOf, decimalAmount, isCurrency } from "../records/Money.ts"
import type { ModuleFile } from "./ModuleFile.ts"
import { listIn, numberIn, RowProblem, rowProblem } from "./RowText.ts"

/** The amount in a cell. `field` names the cell in what is said of it. */
export const amountIn = (field: string, text: string, currency: string): number | RowProblem =>
  amountOf(text, currency) ??
  rowProblem(field, `${field} must be an amount in ${currency}, like ${decimalAmount(2_499, currency)}.`)

export const noCurrency = rowProblem("currency", "currency must be an ISO 4217 code in capital letters, like USD.")

export const productFile: ModuleFile<Product, NewProduct> = {
  module: "products",
  columns: [
    {
      field: "name",
      required: true,
      names: ["name", "title", "product", "productname", "producttitle"],
      write: ({ name }) => name
    },
    { field: "sku", names: ["sku", "variantsku", "articlenumber", "productcode"], write: ({ sku }) => sku },
    { field: "description", names: ["description", "details"], write: ({ description }) => description },
    {
      field: "price",
      names: ["price", "variantprice", "regularprice", "unitprice"],
      write: ({ price }) => (price === null ? null : decimalAmount(price.amount, price.currency))
    },
    { field: "currency", names: ["currency", "currencycode"], write: ({ price }) => price?.currency ?? null },
    {
      field: "stock",
      names: ["stock", "instock", "inventory", "quantity", "variantinventoryqty"],
      write: ({ stock }) => stock
    },
    { field: "supplierIds", names: ["supplierids"], write: ({ supplierIds }) => supplierIds.join(";") },
    { field: "suppliers", names: ["suppliers", "supplier", "vendor"] }
  ],
  schema: NewProduct,
  read: (cells) => {
    const record: Record<string, unknown> = {}
    for (const field of ["name", "sku", "description"]) {
      const text = cells(field)
      if (text !== undefined) record[field] = text
    }
    const [price, currency, stock] = [cells("price"), cells("currency"), cells("stock")]
    if (price !== undefined) {
      if (currency === undefined || !isCurrency(currency)) return noCurrency
      const amount = amountIn("price", price, currency)
      if (amount instanceof RowProblem) return amount
      record.price = { amount, currency }
    }
    if (stock !== undefined) record.stock = numberIn(stock)
    const ids = listIn(cells("supplierIds"))
    if (ids !== undefined) record.supplierIds = ids
    const names = listIn(cells("suppliers"))
    return {
      record,
      references:
        names === undefined ? [] : [{ field: "suppliers", of: "suppliers", into: "supplierIds", texts: names }]
    }
  },
  key: ({ sku }) => sku?.toLowerCase()
}
