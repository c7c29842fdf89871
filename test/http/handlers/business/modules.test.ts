import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Companies } from "../../../../src/domain/business/companies/Company.ts"
import type { Orders } from "../../../../src/domain/business/orders/Order.ts"
import type { Products } from "../../../../src/domain/business/products/Product.ts"
import { makeCompanyTool } from "../../../../src/domain/business/tools/CompanyTool.ts"
import { makeOrderTool } from "../../../../src/domain/business/tools/OrderTool.ts"
import { makeProductTool } from "../../../../src/domain/business/tools/ProductTool.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { eventsOf } from "../../../support/conversations.ts"

/** An organization with an OWNER and a contact, and the OWNER of another organization. */
const stage = Effect.gen(function* () {
  const world = yield* makeAccessWorld()
  const owner = yield* world.as("OWNER")
  const stranger = yield* world.as("OWNER", yield* world.otherOrganization)
  const told = (type: string) => world.provide(eventsOf(world.organizationId, type))
  const contact = (phone: string) =>
    Effect.map(owner.ask("POST", "/api/messaging-api/contacts", { body: { phone } }), ({ body }) => String(body.id))
  /** Sends a request that must succeed; gives its answer. */
  const must = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const answer = yield* owner.ask(method, path, body === undefined ? {} : { body })
    assert.isBelow(answer.status, 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  })
  const refused = (method: string, path: string, body: unknown) =>
    Effect.map(owner.ask(method, path, { body }), ({ status, body: { error } }) => ({ status, error }))
  return { ...world, owner, stranger, told, contact, must, refused }
})

const atlas = { name: "Atlas of Rivers", sku: "BK-427", price: { amount: 2_499, currency: "USD" }, stock: 12 }

describe("companies", () => {
  it.live("are kept with their contacts, found by beginnings of words, archived and restored", () =>
    Effect.gen(function* () {
      const { must, contact, audited } = yield* stage
      const [asha, ben] = [yield* contact("+14155550123"), yield* contact("+14155550124")]
      const school = yield* must("POST", "/api/companies", {
        name: "Hill School",
        domain: "Hill.Example.com",
        contactIds: [asha]
      })
      assert.deepInclude(school, {
        name: "Hill School",
        domain: "hill.example.com",
        contactIds: [asha],
        archivedAt: null
      })
      const other = yield* must("POST", "/api/companies", { name: "Élan Library" })
      const named = (query: string) =>
        Effect.map(must("GET", `/api/companies?${query}`), ({ data, total }) => ({
          names: data.map(({ name }: { name: string }) => name),
          total
        }))
      assert.deepStrictEqual(yield* named(""), { names: ["Élan Library", "Hill School"], total: 2 })
      assert.deepStrictEqual(yield* named("search=elan"), { names: ["Élan Library"], total: 1 })
      assert.deepStrictEqual(yield* named("search=sch%20hi"), { names: ["Hill School"], total: 1 })
      assert.deepStrictEqual(yield* named("search=ill"), { names: [], total: 0 })
      assert.deepStrictEqual(yield* named(`contactId=${asha}`), { names: ["Hill School"], total: 1 })
      assert.deepStrictEqual(yield* named("sort=createdAt"), { names: ["Hill School", "Élan Library"], total: 2 })

      yield* must("PATCH", `/api/companies/${school.id}`, { contactIds: [ben], phone: "+14155550170" })
      assert.deepStrictEqual(yield* named(`contactId=${asha}`), { names: [], total: 0 })
      yield* must("POST", `/api/companies/${other.id}/archive`)
      assert.deepStrictEqual(yield* named(""), { names: ["Hill School"], total: 1 })
      assert.deepStrictEqual(yield* named("archived=true"), { names: ["Élan Library"], total: 1 })
      yield* must("POST", `/api/companies/${other.id}/restore`)
      assert.strictEqual((yield* named("")).total, 2)

      const entry = (yield* audited()).find(({ action }) => action === "company.updated")
      assert.deepStrictEqual(entry?.after, { phone: "(personal)", contactIds: [ben] })
    })
  )

  it.live("have names of their own, and no contacts that do not exist", () =>
    Effect.gen(function* () {
      const { must, refused, owner } = yield* stage
      const { id } = yield* must("POST", "/api/companies", { name: "Hill School" })
      const again = yield* owner.ask("POST", "/api/companies", { body: { name: "  hill  SCHOOL " } })
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.headers.get("x-existing-id"), id)
      assert.deepStrictEqual(yield* refused("POST", "/api/companies", { name: "Other", contactIds: ["cnt_none"] }), {
        status: 400,
        error: "There is no contact cnt_none."
      })
      assert.strictEqual((yield* refused("PATCH", `/api/companies/${id}`, {})).status, 400)
    })
  )

  it.live("are counted and listed part by part, whoever adds some meanwhile", () =>
    Effect.gen(function* () {
      const { must } = yield* stage
      for (const n of [1, 2, 3, 4, 5]) yield* must("POST", "/api/companies", { name: `Shop ${n}` })
      const first = yield* must("GET", "/api/companies?limit=2")
      yield* must("POST", "/api/companies", { name: "Shop 6" })
      const second = yield* must("GET", `/api/companies?limit=2&cursor=${first.nextCursor}`)
      assert.deepStrictEqual(
        second.data.map(({ name }: { name: string }) => name),
        ["Shop 3", "Shop 2"]
      )
      assert.strictEqual(second.total, 6)
    })
  )

  it.live("need the Premium plan, and belong to one organization", () =>
    Effect.gen(function* () {
      const { must, refused, owner, stranger, provide, organizationId } = yield* stage
      const { id } = yield* must("POST", "/api/companies", { name: "Hill School" })
      assert.strictEqual((yield* stranger.ask("GET", `/api/companies/${id}`)).status, 404)
      assert.strictEqual((yield* stranger.ask("POST", `/api/companies/${id}/archive`)).status, 404)
      yield* provide(Effect.flatMap(Organizations, (all) => all.setPlan(organizationId, "PRO", false)))
      assert.deepStrictEqual(yield* refused("POST", "/api/companies", { name: "Other" }), {
        status: 403,
        error:
          "Companies, products, orders and suppliers need the Premium plan or a higher one; this organization is on PRO."
      })
      assert.strictEqual((yield* owner.ask("GET", "/api/companies")).status, 403)
      assert.strictEqual((yield* owner.ask("GET", "/api/custom-fields?module=orders")).status, 403)
    })
  )
})

describe("custom fields", () => {
  it.live("are defined for a module, checked, shown, and hidden when they are not defined any more", () =>
    Effect.gen(function* () {
      const { must, refused } = yield* stage
      const define = (fields: ReadonlyArray<unknown>) =>
        must("PUT", "/api/custom-fields", { module: "suppliers", fields })
      const days = { key: "days", label: "Delivery days", type: "choice", choices: ["Tuesday", "Friday"] }
      const since = { key: "since", label: "Since", type: "date" }
      yield* define([days, since])
      const { id } = yield* must("POST", "/api/suppliers", {
        name: "Paper Mill Press",
        customFields: { days: "Friday", since: "2020-02-29" }
      })
      const wrong = (customFields: unknown) =>
        Effect.map(refused("PATCH", `/api/suppliers/${id}`, { customFields }), ({ error }) => error)
      assert.strictEqual(
        yield* wrong({ days: "Monday" }),
        "customFields.days is invalid: it must be one of Tuesday, Friday."
      )
      assert.strictEqual(
        yield* wrong({ since: "2021-02-29" }),
        "customFields.since is invalid: it must be a date like 2026-11-25."
      )
      assert.strictEqual(
        yield* wrong({ colour: "red" }),
        "customFields.colour is not defined: the fields are days, since."
      )
      const changed = yield* must("PATCH", `/api/suppliers/${id}`, { customFields: { days: null } })
      assert.deepStrictEqual(changed.customFields, { since: "2020-02-29" })
      yield* define([days])
      assert.deepStrictEqual((yield* must("GET", `/api/suppliers/${id}`)).customFields, {})
      yield* define([days, since])
      assert.deepStrictEqual((yield* must("GET", `/api/suppliers/${id}`)).customFields, { since: "2020-02-29" })
      assert.deepStrictEqual(yield* must("GET", "/api/custom-fields?module=suppliers"), {
        module: "suppliers",
        fields: [days, since]
      })
    })
  )
})

describe("orders", () => {
  it.live("take name and price of their products, add up, and tell of their payment once", () =>
    Effect.gen(function* () {
      const { must, contact, told } = yield* stage
      const contactId = yield* contact("+14155550123")
      const { id: productId } = yield* must("POST", "/api/products", atlas)
      const order = yield* must("POST", "/api/orders", {
        number: "427",
        currency: "USD",
        contactId,
        lines: [
          { productId, quantity: 2, tax: 425 },
          { name: "Gift wrap", quantity: 1, unitPrice: 300 }
        ],
        shipping: 500,
        discount: 100
      })
      assert.deepInclude(order, { status: "pending", subtotal: 5_298, tax: 425, total: 6_123, paidAt: null })
      assert.deepInclude(order.lines[0], { name: "Atlas of Rivers", sku: "BK-427", unitPrice: 2_499 })
      const paid = yield* must("PATCH", `/api/orders/${order.id}`, { status: "paid" })
      assert.isNotNull(paid.paidAt)
      const refunded = yield* must("PATCH", `/api/orders/${order.id}`, { status: "refunded" })
      assert.strictEqual(refunded.paidAt, paid.paidAt)
      const numbers = (query: string) =>
        Effect.map(must("GET", `/api/orders?${query}`), ({ data }) =>
          data.map(({ number }: { number: string }) => number)
        )
      assert.deepStrictEqual(yield* numbers(`contactId=${contactId}&status=refunded`), ["427"])
      assert.deepStrictEqual(yield* numbers("status=paid"), [])
      assert.deepStrictEqual(yield* numbers("search=riv"), ["427"])
      const types = ["order.created", "order.updated", "order.paid"]
      const counts = yield* Effect.forEach(types, (type) => Effect.map(told(type), (events) => events.length))
      assert.deepStrictEqual(counts, [1, 2, 1])
      const [{ data }] = yield* told("order.paid")
      assert.deepStrictEqual(data, { order: paid, contact: { id: contactId } })
    })
  )

  it.live("refuse lines without a price, discounts above the sum, and what does not exist", () =>
    Effect.gen(function* () {
      const { must, refused } = yield* stage
      const { id: productId } = yield* must("POST", "/api/products", atlas)
      const order = (more: object) => refused("POST", "/api/orders", { number: "1", currency: "USD", ...more })
      const line = { name: "Book", quantity: 1, unitPrice: 100 }
      assert.deepStrictEqual(yield* order({ lines: [{ name: "Book", quantity: 1 }] }), {
        status: 400,
        error: 'The line "Book" needs a unitPrice: there is no price of it in USD.'
      })
      assert.deepStrictEqual(yield* order({ currency: "EUR", lines: [{ productId, quantity: 1 }] }), {
        status: 400,
        error: 'The line "Atlas of Rivers" needs a unitPrice: there is no price of it in EUR.'
      })
      assert.deepStrictEqual(yield* order({ lines: [line], discount: 101 }), {
        status: 400,
        error: "discount is invalid: it is larger than the rest of the order."
      })
      for (const [field, what] of [
        ["contactId", "contact"],
        ["companyId", "company"],
        ["conversationId", "conversation"]
      ])
        assert.deepStrictEqual(yield* order({ lines: [line], [field]: "xyz" }), {
          status: 400,
          error: `There is no ${what} xyz.`
        })
      assert.strictEqual((yield* order({ lines: [{ ...line, unitPrice: 1.5 }] })).status, 400)
      assert.strictEqual((yield* order({ lines: [] })).status, 400)
      assert.strictEqual((yield* order({ currency: "usd", lines: [line] })).status, 400)
    })
  )

  it.live("stay without the contact, its notes and its own fields when the contact is erased", () =>
    Effect.gen(function* () {
      const { must, contact, told } = yield* stage
      const contactId = yield* contact("+14155550123")
      yield* must("PUT", "/api/custom-fields", {
        module: "orders",
        fields: [{ key: "gift", label: "Gift for", type: "text" }]
      })
      const lines = [{ name: "Book", quantity: 1, unitPrice: 100 }]
      const { id } = yield* must("POST", "/api/orders", {
        number: "7",
        currency: "USD",
        contactId,
        lines,
        notes: "For Asha",
        customFields: { gift: "Asha" }
      })
      const company = yield* must("POST", "/api/companies", { name: "Hill School", contactIds: [contactId] })
      yield* must("DELETE", `/api/messaging-api/contacts/${contactId}`)
      const left = yield* must("GET", `/api/orders/${id}`)
      assert.deepInclude(left, { contactId: null, notes: null, total: 100, customFields: {} })
      assert.deepStrictEqual((yield* must("GET", `/api/companies/${company.id}`)).contactIds, [])
      assert.notInclude(JSON.stringify(yield* told("order.created")), "Asha")
    })
  )
})

describe("the built-in tools of agents", () => {
  it.live("find the contact's own orders and company, and the organization's products", () =>
    Effect.gen(function* () {
      const { must, contact, provide, organizationId } = yield* stage
      const [asha, ben] = [yield* contact("+14155550123"), yield* contact("+14155550124")]
      yield* must("POST", "/api/products", atlas)
      const lines = [{ name: "Atlas of Rivers", quantity: 2, unitPrice: 2_499 }]
      yield* must("POST", "/api/orders", { number: "427", currency: "USD", contactId: asha, lines })
      yield* must("POST", "/api/orders", { number: "428", currency: "USD", contactId: ben, lines })
      yield* must("POST", "/api/companies", { name: "Hill School", contactIds: [asha] })
      const tools = yield* provide(
        Effect.all({ order: makeOrderTool, product: makeProductTool, company: makeCompanyTool }) as Effect.Effect<
          {
            readonly [Name in "order" | "product" | "company"]: Effect.Success<typeof makeOrderTool>
          },
          never,
          Orders | Products | Companies
        >
      )
      const context = (contactId: string | null) => ({
        organizationId,
        agentId: "agt_1",
        knowledgeBases: [],
        contactId,
        conversationId: null,
        callId: null,
        idempotencyKey: "1"
      })
      const found = yield* tools.order.run(context(asha), {})
      assert.strictEqual(found.outcome, "ok")
      assert.include(found.result, '"number":"427"')
      assert.include(found.result, '"total":"49.98 USD"')
      assert.deepStrictEqual(yield* tools.order.run(context(asha), { number: "428" }), {
        outcome: "error",
        result: "This person has no order with the number 428."
      })
      assert.strictEqual((yield* tools.order.run(context(null), { number: "427" })).outcome, "error")
      assert.include((yield* tools.product.run(context(null), { search: "atlas" })).result, '"price":"24.99 USD"')
      assert.strictEqual((yield* tools.product.run(context(null), { search: "globe" })).outcome, "error")
      assert.include((yield* tools.company.run(context(asha), {})).result, "Hill School")
      assert.strictEqual((yield* tools.company.run(context(ben), {})).outcome, "error")
    })
  )
})
