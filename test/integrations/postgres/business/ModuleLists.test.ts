/** Searches among many records: what is found does not depend on whether a word is rare or frequent, or in which records it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RecordSort } from "../../../../src/domain/business/records/ModuleRecord.ts"
import { makeModuleLists } from "../../../../src/integrations/postgres/business/ModuleLists.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const many = 3_100
/** A thousandth of a large organization: of the newest so many are gone through. */
const bounds = { few: 40, compared: 1_600, walked: 1_000, linked: 50 }

interface Row {
  readonly id: string
  readonly number: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Each order has "atlas"; the 1,500 oldest "ancient"; every hundredth "stars"; every second is pending; one has "unique". The order of changes is the other way round. */
const fill = Effect.gen(function* () {
  const { id } = yield* newOrganization({ plan: "PREMIUM" })
  const { sql, asTenant } = yield* makeSql
  yield* asTenant(id)(
    Effect.gen(function* () {
      yield* sql`INSERT INTO orders (organization_id, id, unique_key, number, status, currency, lines, discount, shipping, subtotal, tax, total, words,
          placed_at, created_at, updated_at)
        SELECT ${id}, 'ord_' || lpad(n::text, 26, '0'), n::text, n::text, CASE n % 2 WHEN 0 THEN 'pending' ELSE 'paid' END, 'USD',
          '[{"productId":null,"sku":null,"name":"Atlas","quantity":1,"unitPrice":100,"tax":0}]', 0, 0, 100, 0, 100,
          ' atlas' || CASE WHEN n <= 1500 THEN ' ancient' ELSE '' END || CASE WHEN n % 100 = 0 THEN ' stars' ELSE '' END
            || CASE WHEN n = 7 THEN ' unique' ELSE '' END,
          now(), timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-06-01' - n * interval '1 second'
        FROM generate_series(1, ${many}::int) n`
      yield* sql`INSERT INTO module_words (organization_id, module, word, record_id, created_at, archived)
        SELECT ${id}, 'orders', word, id, created_at, false FROM orders, unnest(string_to_array(ltrim(words), ' ')) AS word`
      yield* sql`ANALYZE orders`
      yield* sql`ANALYZE module_words`
    })
  )
  const list = makeModuleLists<Row, number>(
    sql,
    {
      module: "orders",
      columns: sql`r.id, r.number, r.created_at, r.updated_at`,
      filters: {
        status: (sql, status) => sql`r.status = ${status}`,
        number: (sql, number) => sql`r.unique_key = ${number}`
      },
      broad: ["status"],
      records: (rows) => Effect.succeed(rows.map(({ number }) => Number(number)))
    },
    bounds
  )
  return (search: string, sort: RecordSort = "-createdAt", fields: Readonly<Record<string, string>> = {}, page = 1) =>
    Effect.map(
      asTenant(id)(list(id, { search, archived: false, sort, fields }, { page, limit: 3 })),
      ({ data, total }) => ({ numbers: data, total })
    )
})

/** A thousand products. Every second is of one supplier, every hundredth of another one. */
const fillProducts = Effect.gen(function* () {
  const { id } = yield* newOrganization({ plan: "PREMIUM" })
  const { sql, asTenant } = yield* makeSql
  yield* asTenant(id)(
    Effect.gen(function* () {
      yield* sql`INSERT INTO suppliers (organization_id, id, unique_key, name, created_at, updated_at)
        SELECT ${id}, 'sup_' || name, name, name, now(), now() FROM unnest(ARRAY['many', 'few', 'none']) AS name`
      yield* sql`INSERT INTO products (organization_id, id, unique_key, name, sku, words, created_at, updated_at)
        SELECT ${id}, 'prd_' || lpad(n::text, 26, '0'), n::text, 'Atlas', n::text, ' atlas ' || n || CASE WHEN n <= 500 THEN ' atlantic' ELSE '' END,
          timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 1000) n`
      yield* sql`INSERT INTO product_suppliers (organization_id, product_id, supplier_id)
        SELECT ${id}, id, CASE WHEN sku::int % 2 = 0 THEN 'sup_many' ELSE 'sup_few' END FROM products WHERE sku::int % 2 = 0 OR sku::int % 100 = 1`
      yield* sql`INSERT INTO module_words (organization_id, module, word, record_id, created_at, archived)
        SELECT ${id}, 'products', word, id, created_at, false FROM products, unnest(string_to_array(ltrim(words), ' ')) AS word`
    })
  )
  const list = makeModuleLists<Row, number>(
    sql,
    {
      module: "products",
      columns: sql`r.id, r.sku AS number, r.created_at, r.updated_at`,
      filters: {},
      broad: [],
      links: { table: "product_suppliers", own: "product_id", other: "supplier_id", filter: "supplierId" },
      records: (rows) => Effect.succeed(rows.map(({ number }) => Number(number)))
    },
    bounds
  )
  return (search: string, sort: RecordSort = "-createdAt", fields: Readonly<Record<string, string>> = {}, page = 1) =>
    Effect.map(
      asTenant(id)(list(id, { search, archived: false, sort, fields }, { page, limit: 3 })),
      ({ data, total }) => ({ numbers: data, total })
    )
})

describe("a search among thousands of orders", () => {
  it.live("finds rare words, frequent ones and both together, in every order and among a status", () =>
    Effect.gen(function* () {
      const found = yield* fill
      const is = Effect.fnUntraced(function* (
        what: ReturnType<typeof found>,
        numbers: ReadonlyArray<number>,
        total: number
      ) {
        assert.deepStrictEqual(yield* what, { numbers, total })
      })
      const [pending, paid] = [{ status: "pending" }, { status: "paid" }]
      yield* is(found("unique"), [7], 1)
      yield* is(found("atlas uni"), [7], 1)
      yield* is(found("atlas", "-createdAt", { number: "7" }), [7], 1)
      yield* is(found("nobody"), [], 0)
      yield* is(found("atlas nobody"), [], 0)
      yield* is(found("atlas"), [3_100, 3_099, 3_098], 1_000)
      yield* is(found("ATL", "createdAt"), [1, 2, 3], 1_000)
      yield* is(found("atlas", "-updatedAt"), [1, 2, 3], 1_000)
      yield* is(found("stars"), [3_100, 3_000, 2_900], 31)
      yield* is(found("stars atlas", "-createdAt", pending, 2), [2_800, 2_700, 2_600], 31)
      yield* is(found("stars", "-createdAt", paid), [], 0)
      // The newest have none of these.
      yield* is(found("ancient"), [1_500, 1_499, 1_498], 1_000)
      yield* is(found("ancient atlas", "-createdAt", pending), [1_500, 1_498, 1_496], 750)
      yield* is(found("ancient", "-createdAt", {}, 500), [3, 2, 1], 1_000)
      yield* is(found("ancient", "-createdAt", {}, 501), [], 1_000)
    }).pipe(Effect.provide(testStores))
  )

  it.live("finds those that are linked to another record, with few links and with many", () =>
    Effect.gen(function* () {
      const found = yield* fillProducts
      const is = Effect.fnUntraced(function* (
        what: ReturnType<typeof found>,
        numbers: ReadonlyArray<number>,
        total: number
      ) {
        assert.deepStrictEqual(yield* what, { numbers, total })
      })
      const [many, few, none] = [{ supplierId: "sup_many" }, { supplierId: "sup_few" }, { supplierId: "sup_none" }]
      yield* is(found("", "-createdAt", many), [1_000, 998, 996], 500)
      yield* is(found("", "createdAt", few), [1, 101, 201], 10)
      yield* is(found("", "-createdAt", none), [], 0)
      // "atlas" is in all of them, "atlantic" in those of the first half, and "7" begins the numbers of some.
      yield* is(found("atlas", "-createdAt", many), [1_000, 998, 996], 500)
      yield* is(found("atl", "-createdAt", many, 167), [4, 2], 500)
      yield* is(found("atlantic", "-updatedAt", many), [500, 498, 496], 250)
      yield* is(found("atlas atlant", "-createdAt", few), [401, 301, 201], 5)
      yield* is(found("atl atlantic", "-createdAt"), [500, 499, 498], 500)
      yield* is(found("801", "-createdAt", few), [801], 1)
      yield* is(found("802", "-createdAt", many), [802], 1)
      yield* is(found("801", "-createdAt", many), [], 0)
      yield* is(found("atlas", "-createdAt", none), [], 0)
    }).pipe(Effect.provide(testStores))
  )
})
