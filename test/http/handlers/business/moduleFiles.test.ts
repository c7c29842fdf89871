import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { makeImportRound } from "../../../../src/actors/imports/ImportWorker.ts"
import { Orders, type ReportedOrder } from "../../../../src/domain/business/orders/Order.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { eventsOf } from "../../../support/conversations.ts"

/** An organization whose OWNER sends files and reads them. */
const stage = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const owner = yield* world.as("OWNER")
  const { secret: key } = yield* world.keyOf(["modules:read", "modules:write"])
  const call = (method: string, path: string, body?: string) =>
    Effect.promise(async () => {
      const response = await fetch(world.base + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "text/csv" },
        ...(body === undefined ? {} : { body })
      })
      return { status: response.status, text: await response.text() }
    })
  /** Sends a file and works it off; gives what became of it. */
  const imported = Effect.fnUntraced(function* (module: string, csv: string, query = "") {
    const { status, text } = yield* call("POST", `/api/${module}/import${query}`, csv)
    assert.strictEqual(status, 201, text)
    const { id } = JSON.parse(text)
    const round = yield* world.provide(makeImportRound)
    while (yield* round);
    const { body } = yield* owner.ask("GET", `/api/messaging-api/imports/${id}`)
    const { created, updated, skipped, refused } = body
    return { id, created, updated, skipped, refused }
  })
  const refusals = Effect.fnUntraced(function* (id: string) {
    const { body } = yield* owner.ask("GET", `/api/messaging-api/imports/${id}/refused`)
    return body.data.map(({ row, field, problem }: Record<string, unknown>) => ({ row, field, problem }))
  })
  const list = (module: string) =>
    Effect.map(owner.ask("GET", `/api/${module}?sort=createdAt&limit=100`), ({ body }) => body.data)
  return { ...world, owner, call, imported, refusals, list }
})

const counts = (created: number, updated: number, skipped: number, refused: number) => ({
  created,
  updated,
  skipped,
  refused
})

describe("a file of records of a module", () => {
  it.live(
    "fills suppliers, products, companies and orders, which name each other, and refuses rows with a reason",
    () =>
      Effect.gen(function* () {
        const { owner, imported, refusals, list } = yield* stage
        yield* owner.ask("PUT", "/api/custom-fields", {
          body: { module: "products", fields: [{ key: "pages", label: "Number of pages", type: "number" }] }
        })
        const contact = yield* owner.ask("POST", "/api/messaging-api/contacts", { body: { phone: "+14155550123" } })
        assert.deepInclude(
          yield* imported("suppliers", "Vendor;E-mail\nPaper Mill Press;orders@mill.example.com\n"),
          counts(1, 0, 0, 0)
        )
        const products = yield* imported(
          "products",
          "Title,SKU,Price,Currency,Stock,Supplier,Number of pages\n" +
            "Atlas of Rivers,BK-427,24.99,USD,12,paper mill press,320\n" +
            "Atlas of Seas,BK-428,24.999,USD,1,,\n" +
            "Pen,PN-1,3,USD,many,,\n" +
            "Ink,INK,5.00,USD,2,Nobody,\n" +
            "Map,MAP,5.00,USD,2,,thick\n"
        )
        assert.deepInclude(products, counts(1, 0, 0, 4))
        assert.deepStrictEqual(yield* refusals(products.id), [
          { row: 3, field: "price", problem: "price must be an amount in USD, like 24.99." },
          { row: 4, field: "stock", problem: "stock is missing or invalid." },
          {
            row: 5,
            field: "suppliers",
            problem: "suppliers is invalid: there is no supplier with this name (Nobody)."
          },
          { row: 6, field: "customFields.pages", problem: "customFields.pages is invalid: it must be a number." }
        ])
        const [atlas] = yield* list("products")
        const [supplier] = yield* list("suppliers")
        assert.deepInclude(atlas, {
          name: "Atlas of Rivers",
          price: { amount: 2_499, currency: "USD" },
          stock: 12,
          supplierIds: [supplier.id],
          customFields: { pages: 320 },
          source: null
        })
        assert.deepInclude(
          yield* imported("companies", "name,contactPhones\nHill School,+1 415 555 0123\n"),
          counts(1, 0, 0, 0)
        )
        const lines = JSON.stringify([{ name: "Tea", quantity: 2, unitPrice: "4.50", tax: 0.72 }]).replaceAll('"', '""')
        const orders = yield* imported(
          "orders",
          "Order number,Currency,Product,Quantity,Price,lines,Shipping,Phone,Company,Date\n" +
            "1001,USD,Atlas of Rivers,2,24.99,,5,+14155550123,hill school,2026-11-20\n" +
            `1002,USD,,,,"${lines}",,,,\n` +
            "1003,XYZ,Tea,1,1,,,,,\n" +
            "1004,USD,Tea,0,1,,,,,\n" +
            "1005,USD,Tea,1,1,,,+14155550999,,\n"
        )
        assert.deepInclude(orders, counts(2, 0, 0, 3))
        assert.deepStrictEqual(
          (yield* refusals(orders.id)).map(({ row, field }: { row: number; field: string }) => [row, field]),
          [
            [4, "currency"],
            [5, "lines"],
            [6, "contactPhone"]
          ]
        )
        const [first, second] = yield* list("orders")
        assert.deepInclude(first, {
          number: "1001",
          contactId: contact.body.id,
          subtotal: 4_998,
          shipping: 500,
          total: 5_498,
          placedAt: "2026-11-20T00:00:00.000Z"
        })
        assert.deepInclude(second, { number: "1002", subtotal: 900, tax: 72, total: 972 })
      })
  )

  it.live("changes what is known only when it is asked to, and a dry run stores nothing", () =>
    Effect.gen(function* () {
      const { imported, list } = yield* stage
      const csv = "name,sku,stock\nAtlas of Rivers,BK-427,12\nPen,PN-1,5\n"
      assert.deepInclude(yield* imported("products", `${csv}Pen,pn-1,6\n`, "?dryRun=true"), counts(2, 0, 1, 0))
      assert.lengthOf(yield* list("products"), 0)
      yield* imported("products", csv)
      const more = "name,sku,stock\nAtlas of Rivers,bk-427,11\nPen,PN-1,5\nInk,INK,1\n"
      assert.deepInclude(yield* imported("products", more), counts(1, 0, 2, 0))
      assert.deepInclude(yield* imported("products", more, "?onDuplicate=update"), counts(0, 1, 2, 0))
      const stocks = (yield* list("products")).map(({ name, stock }: Record<string, unknown>) => [name, stock])
      assert.deepStrictEqual(stocks, [
        ["Atlas of Rivers", 11],
        ["Pen", 5],
        ["Ink", 1]
      ])
    })
  )

  it.live("that an export made is read again as the same records", () =>
    Effect.gen(function* () {
      const { owner, call, imported, list } = yield* stage
      yield* owner.ask("POST", "/api/products", {
        body: { name: '=Tea, "green"', sku: "T-1", price: { amount: 1_234, currency: "KWD" }, stock: -3 }
      })
      yield* owner.ask("POST", "/api/orders", {
        body: {
          number: "1001",
          currency: "JPY",
          status: "paid",
          notes: "two\nlines",
          discount: 50,
          lines: [
            { name: "Tea; green", quantity: 3, unitPrice: 500, tax: 120 },
            { name: "Ink", quantity: 1, unitPrice: 100 }
          ]
        }
      })
      const own = ({ id: _i, createdAt: _c, updatedAt: _u, paidAt: _p, ...rest }: Record<string, unknown>) => rest
      for (const module of ["products", "orders"]) {
        const before = yield* list(module)
        const { status, text } = yield* call("GET", `/api/${module}/export`)
        assert.strictEqual(status, 200)
        assert.deepInclude(yield* imported(module, text, "?onDuplicate=update"), counts(0, 0, 1, 0))
        assert.deepStrictEqual(yield* list(module), before)
        const moved = text.replace("T-1", "T-2").replace("1001", "1002")
        assert.deepInclude(yield* imported(module, moved), counts(1, 0, 0, 0))
        const [old, made] = yield* list(module)
        const same = module === "products" ? { sku: "T-2" } : { number: "1002" }
        assert.deepStrictEqual(own(made), { ...own(old), ...same })
      }
    })
  )

  it.live("with ids of a source keeps the newest state, whatever order the files come in", () =>
    Effect.gen(function* () {
      const { imported, list } = yield* stage
      const row = (at: string, total: string) => `ERP,77,${at},1001,USD,Tea,1,10.00,1.00,1.00,${total}\n`
      const head = "source,externalId,sourceUpdatedAt,number,currency,product,quantity,unitPrice,tax,subtotal,total\n"
      const newer = head + row("2026-11-25T10:00:00Z", "12.34")
      const older = head + row("2026-11-25T09:00:00Z", "11.00")
      assert.deepInclude(yield* imported("orders", newer), counts(1, 0, 0, 0))
      assert.deepInclude(yield* imported("orders", older), counts(0, 0, 1, 0))
      assert.deepInclude(yield* imported("orders", newer), counts(0, 0, 1, 0))
      const [order, ...others] = yield* list("orders")
      assert.lengthOf(others, 0)
      assert.deepInclude(order, {
        total: 1_234,
        source: { name: "ERP", externalId: "77", updatedAt: "2026-11-25T10:00:00.000Z" }
      })
    })
  )

  it.live("is not taken or given on a plan without the modules, or without the scope", () =>
    Effect.gen(function* () {
      const { call, provide, organizationId, keyOf, base } = yield* stage
      const { secret: key } = yield* keyOf(["modules:read"])
      const response = yield* Effect.promise(() =>
        fetch(`${base}/api/orders/import`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "text/csv" },
          body: "number\n1\n"
        })
      )
      assert.strictEqual(response.status, 403)
      yield* provide(Effect.flatMap(Organizations, (all) => all.setPlan(organizationId, "PRO", false)))
      assert.strictEqual((yield* call("POST", "/api/orders/import", "number\n1\n")).status, 403)
      assert.strictEqual((yield* call("GET", "/api/orders/export")).status, 403)
    })
  )
})

describe("the states of a source's order", () => {
  it.live("end in the same order, told once as created and paid, however they are shuffled and doubled", () =>
    Effect.gen(function* () {
      const { provide, organizationId } = yield* stage
      const run = Effect.fnUntraced(function* (
        source: string,
        states: ReadonlyArray<readonly [at: number, rank: number, input: ReportedOrder]>
      ) {
        const orders = yield* Orders
        for (const [updatedAt, rank, input] of states)
          yield* orders.report(organizationId, { source, externalId: "1", updatedAt, rank }, input)
        const found = yield* orders.findReported(organizationId, { source, externalId: "1" })
        assert.isDefined(found)
        const { id: _i, createdAt: _c, updatedAt: _u, source: from, ...rest } = found
        return { ...rest, at: from?.updatedAt }
      }, provide)
      let round = 0
      const state = fc
        .tuple(
          fc.integer({ min: 0, max: 3 }),
          fc.constantFrom("pending" as const, "paid" as const, "refunded" as const),
          fc.integer({ min: 0, max: 10 ** 9 })
        )
        .map(([at, status, total]) => {
          const rank = ["pending", "paid", "refunded"].indexOf(status)
          const input: ReportedOrder = {
            ...{ number: "1", currency: "USD", status, placedAt: "2026-11-25T09:00:00.000Z" },
            lines: [{ name: "Tea", quantity: 1, unitPrice: total }],
            sums: { subtotal: total, tax: 0, total, paidAt: rank === 0 ? null : "2026-11-25T09:01:00.000Z" }
          }
          return [1_790_000_000_000 + at * 1_000, rank, input] as const
        })
      const orders = fc
        .array(state, { minLength: 1, maxLength: 5 })
        .chain((states) =>
          fc.tuple(fc.constant(states), fc.shuffledSubarray([...states, ...states], { minLength: states.length * 2 }))
        )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(orders, async ([states, shuffled]) => {
            round++
            const sorted = await Effect.runPromise(run(`sorted ${round}`, states))
            const mixed = await Effect.runPromise(run(`mixed ${round}`, shuffled))
            assert.deepStrictEqual(mixed, sorted)
          }),
          { numRuns: 25 }
        )
      )
      const told = yield* provide(eventsOf(organizationId, "order.created"))
      assert.lengthOf(told, round * 2)
    })
  )
})
