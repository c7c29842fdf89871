/** The tools over orders, products and companies. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { Companies } from "../../../src/domain/business/companies/Company.ts"
import { Orders } from "../../../src/domain/business/orders/Order.ts"
import { Products } from "../../../src/domain/business/products/Product.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { mcpClient } from "../../support/assistants.ts"
import { startMessagingWith } from "../../support/messaging.ts"

interface Result {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  // biome-ignore lint/suspicious/noExplicitAny: what a result holds is what the tests are about
  readonly structuredContent: any
}

const stage = Effect.gen(function* () {
  const world = yield* startMessagingWith({})
  const client = yield* mcpClient("http 2025", world)
  const call = (name: string, args: Record<string, unknown> = {}) =>
    Effect.promise(() => client.call(name, args) as unknown as Promise<Result>)
  const textOf = (result: Result) => result.content.map(({ text }) => text).join("\n")
  return { ...world, client, call, textOf }
})

/** A product, a company of a contact, and an order of it with so many lines. */
const shopOf = (organizationId: string, contactId: string, lines: number) =>
  Effect.gen(function* () {
    const product = yield* (yield* Products).create(organizationId, {
      ...{ name: "Atlas of Rivers", sku: "BK-427", stock: 12 },
      price: { amount: 2_499, currency: "USD" }
    })
    const company = yield* (yield* Companies).create(organizationId, { name: "Hill School", contactIds: [contactId] })
    const order = yield* (yield* Orders).create(organizationId, {
      ...{ number: "427", currency: "USD", contactId, companyId: company.id, shipping: 500, notes: "Ring twice." },
      lines: Array.from({ length: lines }, (_, at) =>
        at === 0
          ? { productId: product.id, quantity: 2 }
          : { name: `Line ${at} ${"ü".repeat(150)}`, quantity: 1, unitPrice: 1 }
      )
    })
    return { product, company, order }
  }).pipe(Effect.orDie)

describe("an assistant of a shop", () => {
  it.live("finds what a contact has ordered, what it costs, and to which company the contact belongs", () =>
    Effect.gen(function* () {
      const { call, textOf, conversation, run, organizationId } = yield* stage
      const { contactId } = yield* Effect.promise(() => conversation("+14155550123", "Where is my order?"))
      const { product, company, order } = yield* Effect.promise(() => run(shopOf(organizationId, contactId, 1)))

      const orders = yield* call("list_orders", { contactId })
      assert.deepInclude(orders.structuredContent.data[0], {
        ...{ id: order.id, number: "427", status: "pending", companyId: company.id, total: 5_498, currency: "USD" },
        products: "2 × Atlas of Rivers"
      })
      assert.include(textOf(orders), "54.98 USD")
      const found = yield* call("get_order", { orderId: order.id })
      assert.deepInclude(found.structuredContent, {
        subtotal: 4_998,
        total: 5_498,
        notes: "Ring twice.",
        truncated: null
      })
      assert.include(textOf(found), "2 × Atlas of Rivers (BK-427) at 24.99")
      const products = yield* call("list_products", { search: "atlas", fields: ["price", "stock"] })
      assert.deepStrictEqual(products.structuredContent.data, [{ id: product.id, price: 2_499, stock: 12 }])
      const companies = yield* call("list_companies", { contactId })
      assert.deepInclude(companies.structuredContent.data[0], { name: "Hill School", contactIds: [contactId] })

      for (const args of [{ status: "paid" }, { number: "42" }, { companyId: "cmp_1" }, { archived: true }])
        assert.strictEqual((yield* call("list_orders", args)).structuredContent.total, 0, JSON.stringify(args))
      const wrong = yield* call("list_orders", { cursor: "bm9uc2Vuc2U" })
      assert.include(textOf(wrong), "cursor is invalid")
      const missing = yield* call("get_order", { orderId: "ord_01KAJ300000000000000000000" })
      assert.include(textOf(missing), "There is no such record among the orders.\nFind the id with list_orders.")
    })
  )

  it.live("reads an order with many lines in parts of at most 32 KB", () =>
    Effect.gen(function* () {
      const { call, client, conversation, run, organizationId } = yield* stage
      const { contactId } = yield* Effect.promise(() => conversation("+14155550123", "Hello"))
      const { order } = yield* Effect.promise(() => run(shopOf(organizationId, contactId, 120)))
      const { tools } = (yield* Effect.promise(() => client.ask("tools/list"))) as unknown as {
        readonly tools: ReadonlyArray<{ readonly name: string; readonly outputSchema: object }>
      }
      const schema = tools.find(({ name }) => name === "get_order")?.outputSchema ?? {}
      const fits = new Ajv2020({ strict: false }).compile(schema)
      const names: Array<string> = []
      let parts = 0
      for (let next: Record<string, unknown> | undefined = { orderId: order.id }; next !== undefined; parts++) {
        const result: Result = yield* call("get_order", next)
        assert.isAtMost(Buffer.byteLength(JSON.stringify(result)), 34 * 1_024)
        assert.isTrue(fits(result.structuredContent), JSON.stringify(fits.errors))
        names.push(...result.structuredContent.lines.map(({ name }: { readonly name: string }) => name))
        next = result.structuredContent.truncated?.call.arguments
      }
      assert.deepStrictEqual(
        names,
        order.lines.map(({ name }) => name)
      )
      assert.isAbove(parts, 2)
    })
  )

  it.live("sees no order of another organization, and none of these tools on a plan without modules", () =>
    Effect.gen(function* () {
      const { base, key, call, textOf, otherId, conversationOf, run, organizationId } = yield* stage
      const { contactId } = yield* Effect.promise(() => conversationOf(otherId, "+14155550123", "Hello"))
      const { order } = yield* Effect.promise(() => run(shopOf(otherId, contactId, 1)))
      assert.include(textOf(yield* call("get_order", { orderId: order.id })), "There is no such record")
      for (const name of ["list_orders", "list_products", "list_companies"])
        assert.strictEqual((yield* call(name)).structuredContent.total, 0, name)
      yield* Effect.promise(() =>
        run(Effect.flatMap(Organizations, (organizations) => organizations.setPlan(organizationId, "PRO", false)))
      )
      const poorer = yield* mcpClient("http 2025", { base, key })
      const { tools } = yield* Effect.promise(() => poorer.ask("tools/list"))
      assert.notMatch(JSON.stringify(tools), /"(list_orders|get_order|list_products|list_companies)"/)
      const hidden = yield* Effect.promise(() => poorer.call("list_orders").catch((error: Error) => error.message))
      assert.include(String(hidden), "Unknown tool: list_orders")
    })
  )
})
