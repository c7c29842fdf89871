/** Searches among thousands of contacts find the same people as reading all contacts, whichever plan carries them out. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Part } from "../../../../../src/domain/basics/Listing.ts"
import { Contacts, mostCounted, searchable } from "../../../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

interface Person {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly tagged: boolean
}

const size = 3_000

/** The nth newest contact. Its words are shared by many, some or few contacts; one word belongs almost only to the older half. */
const person = (n: number): Person => ({
  id: `cnt_${String(size - n).padStart(5, "0")}`,
  name: [
    "Guest",
    n % 40 === 0 ? "Maria" : "Tom",
    n % 500 === 7 ? "O'Neill-Quiñones" : "Berg",
    n > 1_200 || n % 100 === 3 ? "Hamburg" : "Köln",
    String(n)
  ].join(" "),
  phone: `+1415${1_000_000 + n * 7}`,
  tagged: n % 3 === 0
})
const people = Array.from({ length: size }, (_, n) => person(n))

const fill = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(people.map((one, n) => ({ ...one, searchable: searchable(one.name), n })))
  yield* tenant(organizationId)(
    sql`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, tags, created_at)
      SELECT ${organizationId}, p.id, p.phone, p.name, p.searchable, CASE WHEN p.tagged THEN ARRAY['vip'] ELSE '{}' END,
        timestamptz '2026-01-01' - p.n / 5 * interval '1 minute'
      FROM json_to_recordset(${rows}::json) AS p (id text, phone text, name text, searchable text, tagged boolean, n integer)`
  )
})

/** The rule: any part matches; one or two letters match only at the beginning of words and of the number. */
const matches = (text: string) => {
  const [wanted, digits] = [searchable(text), text.replace(/\D/g, "")]
  const [begins, isNumber] = [/^[a-z0-9]{1,2}$/.test(wanted), /^\d+$/.test(wanted)]
  return ({ name, phone }: Person) =>
    ` ${searchable(name)}`.includes(begins ? ` ${wanted}` : wanted) ||
    (isNumber && (begins ? phone.startsWith(`+${digits}`) : phone.includes(digits)))
}

const searches = [
  ...["guest", "maria", "hamburg", "o'neill", "quinones", "berg 1", "tom berg köln 29", "nobody", "t b"],
  ...["g", "m", "ma", "h", "o", "o'", "l-", "-", "x", "1", "14", "29", "2"],
  ...["1415", "415100", "0700", "9999999"]
]

layer(testStores)("a search among thousands of contacts", (it) => {
  it.effect("finds the same people as reading all contacts, page by page and from each part to the next", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const { id: other } = yield* newOrganization()
      yield* fill(organizationId)
      const contacts = yield* Contacts
      for (const search of searches)
        for (const tag of [undefined, "vip"]) {
          const expected = people.filter((one) => matches(search)(one) && (tag === undefined || one.tagged))
          const ids = expected.map(({ id }) => id)
          const filter = { archived: false, search, ...(tag === undefined ? {} : { tag }) }
          const list = (part: Part) => contacts.list(organizationId, filter, part)
          const about = `${search} ${tag}`
          const first = yield* list({ page: 1, limit: 30 })
          assert.strictEqual(first.total, Math.min(ids.length, mostCounted), about)
          assert.deepStrictEqual(
            first.data.map(({ id }) => id),
            ids.slice(0, 30),
            about
          )
          assert.strictEqual(first.next === null, ids.length <= 30, about)
          if (first.next !== null) {
            const second = yield* list({ page: 1, limit: 30, after: first.next })
            assert.strictEqual(second.total, first.total, about)
            assert.deepStrictEqual(
              second.data.map(({ id }) => id),
              ids.slice(30, 60),
              about
            )
          }
          const last = Math.max(1, Math.ceil(ids.length / 100))
          const end = yield* list({ page: last, limit: 100 })
          assert.deepStrictEqual(
            end.data.map(({ id }) => id),
            ids.slice((last - 1) * 100),
            about
          )
          const behind = yield* list({ page: last + 1, limit: 100 })
          assert.deepStrictEqual([behind.data, behind.total], [[], first.total], about)
          const theirs = yield* contacts.list(other, filter, { page: 1, limit: 30 })
          assert.deepStrictEqual([theirs.data, theirs.total], [[], 0], about)
        }
    })
  )
})
