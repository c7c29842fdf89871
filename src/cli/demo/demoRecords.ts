/** What the organization of the demo sells, from whom it buys, and what its contacts have ordered. */
import { Effect } from "effect"
import { type Access, ask } from "./support/rest.ts"

const usd = (amount: number) => ({ amount, currency: "USD" })

const products = [
  { name: "The Overstory", sku: "BK-101", price: usd(1_899), stock: 12 },
  { name: "Atlas of Rivers", sku: "BK-427", price: usd(4_250), stock: 3 },
  { name: "मानसरोवर, आठ खंड", sku: "BK-880", price: usd(6_400), stock: 0 }
] as const

/** By the number of the contact who ordered; the newest last. */
const orders = [
  { from: "+14155550190", number: "419", status: "fulfilled", line: { sku: "BK-101", quantity: 2 } },
  { from: "+14155550101", number: "427", status: "paid", line: { sku: "BK-427", quantity: 1 } },
  { from: "+14155550133", number: "431", status: "pending", line: { sku: "BK-880", quantity: 1 } }
] as const

interface Identified {
  readonly id: string
  readonly phone?: string | null
}

const made = (access: Access, path: string, body: object) =>
  Effect.map(ask(access, "POST", path, body), (answer) => (answer as unknown as Identified).id)

/** Fills the modules. The contacts must be there. Needs a key with the scopes `contacts:read` and `modules:write`. */
export const makeRecords = Effect.fnUntraced(function* (access: Access) {
  const supplier = yield* made(access, "/api/suppliers", { name: "Harbor Wholesale", email: "orders@harbor.example" })
  const bySku = new Map<string, { readonly id: string; readonly name: string; readonly cents: number }>()
  for (const product of products) {
    const id = yield* made(access, "/api/products", { ...product, supplierIds: [supplier] })
    bySku.set(product.sku, { id, name: product.name, cents: product.price.amount })
  }
  const listed = yield* ask(access, "GET", "/api/messaging-api/contacts?limit=100")
  const contacts = (listed as unknown as { readonly data: ReadonlyArray<Identified> }).data
  const contactOf = (phone: string) => contacts.find((contact) => contact.phone === phone)?.id ?? null
  const readers = ["+14155550177", "+14155550190"].map(contactOf).filter((id) => id !== null)
  yield* made(access, "/api/companies", { name: "Hill School", domain: "hill.example", contactIds: readers })
  for (const { from, number, status, line } of orders) {
    const product = bySku.get(line.sku)
    if (product === undefined) continue
    yield* made(access, "/api/orders", {
      ...{ number, status, currency: "USD", contactId: contactOf(from) },
      lines: [{ productId: product.id, name: product.name, quantity: line.quantity, unitPrice: product.cents }]
    })
  }
})
