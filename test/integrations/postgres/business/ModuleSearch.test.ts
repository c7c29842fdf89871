/** Searches find what a plain filter finds, whichever way they look. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import type { Place } from "../../../../src/domain/basics/Listing.ts"
import type { RecordSort } from "../../../../src/domain/business/records/ModuleRecord.ts"
import { makeModuleLists } from "../../../../src/integrations/postgres/business/ModuleLists.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

/** So small that a few hundred orders are searched in every way. */
const bounds = { few: 12, compared: 30, walked: 60, linked: 5 }
const count = 300
const limit = 17

interface Made {
  readonly id: string
  readonly words: ReadonlyArray<string>
  readonly status: string
  readonly archived: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

interface Row {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** "atlas" is frequent; of "star…" there are a few words, of "9…" many; "late" stands in the newest only, "early" in the oldest; "rare" in a few. */
const wordsOf = (n: number): ReadonlyArray<string> => [
  ...(n % 3 === 0 ? [] : ["atlas"]),
  ...(n % 2 === 0 ? [`star${n % 8}`, "stars"] : ["rivers"]),
  `9${n % 60}`,
  ...(n < 70 ? ["early"] : []),
  ...(n > 230 ? ["late"] : []),
  ...(n % 60 === 7 ? ["rare"] : [])
]

/** Some orders were made in the same millisecond. */
const made: ReadonlyArray<Made> = Array.from({ length: count }, (_, n) => ({
  id: `ord_${String((n * 7) % count).padStart(26, "0")}`,
  words: wordsOf(n),
  status: ["paid", "pending", "refunded"][n % 7 === 0 ? 2 : n % 2],
  archived: n % 5 === 4,
  createdAt: Date.UTC(2026, 0, 1) + Math.floor(n / 3) * 1_000,
  updatedAt: Date.UTC(2026, 5, 1) + ((n * 37) % count) * 1_000
}))

const fill = Effect.gen(function* () {
  const { id } = yield* newOrganization({ plan: "PREMIUM" })
  const { sql, asTenant } = yield* makeSql
  const column = <A>(of: (one: Made) => A) => made.map(of)
  const at = (time: number) => new Date(time).toISOString()
  yield* asTenant(id)(
    Effect.gen(function* () {
      yield* sql`INSERT INTO orders (organization_id, id, unique_key, number, status, currency, lines, discount, shipping, subtotal, tax, total, words,
          placed_at, created_at, updated_at, archived_at)
        SELECT ${id}, n.id, n.id, n.id, n.status, 'USD', '[]', 0, 0, 0, 0, 0, n.words, now(), n.created_at, n.updated_at, CASE WHEN n.archived THEN now() END
        FROM unnest(${column((one) => one.id)}::text[], ${column((one) => one.status)}::text[], ${column((one) => one.words.map((word) => ` ${word}`).join(""))}::text[],
          ${column((one) => at(one.createdAt))}::timestamptz[], ${column((one) => at(one.updatedAt))}::timestamptz[], ${column((one) => one.archived)}::boolean[])
          AS n (id, status, words, created_at, updated_at, archived)`
      yield* sql`INSERT INTO module_words (organization_id, module, word, record_id, created_at, archived)
        SELECT organization_id, 'orders', word, id, created_at, archived_at IS NOT NULL FROM orders, unnest(string_to_array(ltrim(words), ' ')) AS word`
    })
  )
  const list = makeModuleLists<Row, string>(
    sql,
    {
      module: "orders",
      columns: sql`r.id, r.created_at, r.updated_at`,
      filters: { status: (sql, status) => sql`r.status = ${status}` },
      broad: ["status"],
      records: (rows) => Effect.succeed(rows.map((row) => row.id))
    },
    bounds
  )
  return { id, asTenant, list }
})

interface Asked {
  readonly words: ReadonlyArray<string>
  readonly sort: RecordSort
  readonly archived: boolean
  readonly status: string | undefined
}

/** What a plain filter finds, in the same order. */
const expected = ({ words, sort, archived, status }: Asked): ReadonlyArray<string> => {
  const time = (one: Made) => (sort.endsWith("updatedAt") ? one.updatedAt : one.createdAt)
  const found = made.filter(
    (one) =>
      one.archived === archived &&
      (status === undefined || one.status === status) &&
      words.every((word) => one.words.some((had) => had.startsWith(word)))
  )
  const oldestFirst = found.toSorted((a, b) => time(a) - time(b) || (a.id < b.id ? -1 : 1))
  return (sort.startsWith("-") ? oldestFirst.toReversed() : oldestFirst).map((one) => one.id)
}

const asked: fc.Arbitrary<Asked> = fc.record({
  words: fc.uniqueArray(
    fc.constantFrom(..."atlas a star star4 stars rivers r 9 91 917 950 early late l rare nobody".split(" ")),
    { minLength: 1, maxLength: 3 }
  ),
  sort: fc.constantFrom<RecordSort>("-createdAt", "createdAt", "-updatedAt", "updatedAt"),
  archived: fc.boolean(),
  status: fc.constantFrom(undefined, "paid", "refunded")
})

describe("a search of a module", () => {
  it.live("finds the records that a plain filter finds, by cursor and by page, and never counts more", () =>
    Effect.gen(function* () {
      const { id, asTenant, list } = yield* fill
      const part = ({ words, sort, archived, status }: Asked, page: number, after?: Place) => {
        const filter = { search: words.join(" "), sort, archived, fields: { status } }
        return asTenant(id)(list(id, filter, { page, limit, ...(after === undefined ? {} : { after }) }))
      }
      for (const one of fc.sample(asked, { numRuns: 60, seed: 29 })) {
        const all = expected(one)
        const what = JSON.stringify(one)
        let answer = yield* part(one, 1)
        const byCursor = [...answer.data]
        const alone = one.words.length === 1 && one.status === undefined
        if (alone) assert.strictEqual(answer.total, all.length, what)
        while (answer.next !== null) {
          answer = yield* part(one, 1, answer.next)
          assert.isAtMost(answer.total, all.length, what)
          byCursor.push(...answer.data)
        }
        assert.deepStrictEqual(byCursor, [...all], what)
        const second = yield* part(one, 2)
        assert.deepStrictEqual([...second.data], all.slice(limit, 2 * limit), what)
      }
    }).pipe(Effect.provide(testStores))
  )
})
