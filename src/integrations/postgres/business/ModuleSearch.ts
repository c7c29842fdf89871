/**
 * Searches among a module's records. Few records of a word are looked up one by one. Lists of frequent words, and of what filters let through, are compared:
 * both are in the order of the page, so it ends when the page is full. For what there are no such lists (many words with one beginning, or the order of
 * changes) the first records are gone through.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Module } from "../../../domain/business/records/Module.ts"
import { mostRecordsCounted } from "../../../domain/business/records/ModuleRecord.ts"
import type { ModuleQuery } from "./ModuleQuery.ts"
import { makeWordIndex, mostForms, type SearchedWord } from "./WordIndex.ts"

export const usualBounds = {
  /** A word with more entries in the index is frequent. */
  few: 2_000,
  /** So many records of each list are compared to count. */
  compared: 5_000,
  /** So many records are gone through for a page, and to count. */
  walked: 10_000,
  /** Another record with more links is linked to many. */
  linked: 5_000
}

/** So many words of a search are looked up, the longest; the others are looked for in the records. */
const mostLookedUp = 4

interface Dated {
  readonly id: string
  readonly createdAt: Date
}

type Fragments = ReadonlyArray<Statement.Fragment>

/** What is searched: words that all records have, and filters that many records may pass. `beside`: filters that no list exists for. */
interface Search {
  readonly module: Module
  readonly archived: boolean
  readonly words: ReadonlyArray<string>
  readonly passing: Fragments
  readonly beside: Fragments
}

/** So many records of a list show how close together its records are. */
const looked = 200

type Place = { readonly at: Date; readonly id: string } | undefined

interface Source {
  /** The first records after a place, at most `most`; all of them without it. */
  readonly list: (from: Place, most?: number) => Statement.Fragment
  /** That a record is in the list. */
  readonly condition: Statement.Fragment
}

/** The two lists whose first records reach furthest, so that few records are compared. PostgreSQL plans well for two lists only. */
const sparsest = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  sources: ReadonlyArray<Source>,
  place: Place,
  newest: boolean
) {
  if (sources.length <= 2) return sources
  const last = sql.literal(newest ? "min" : "max")
  const reaches = sources.map(
    ({ list }) =>
      sql`(SELECT CASE WHEN count(*) = ${looked} THEN extract(epoch FROM ${last}(created_at))::float8 END FROM (${list(place, looked)}) l)`
  )
  const [row] = yield* sql<{
    reaches: ReadonlyArray<number | null>
  }>`SELECT ARRAY[${sql.join(", ", false)(reaches)}] AS reaches`
  const reachOf = (n: number) => (row.reaches[n] ?? -Infinity) * (newest || row.reaches[n] === null ? 1 : -1)
  return [...sources.keys()]
    .toSorted((a, b) => reachOf(a) - reachOf(b))
    .slice(0, 2)
    .map((n) => sources[n])
})

/** The records that are in all lists (among the first `most` of each), after a place. */
const common = (sql: PgClient.PgClient, [first, ...others]: ReadonlyArray<Source>, from: Place, most?: number) =>
  sql`SELECT l0.created_at, l0.id FROM (${first.list(from, most)}) l0 ${sql.join(
    " ",
    false
  )(
    others.map(({ list }, n) => {
      const name = sql.literal(`l${n + 1}`)
      return sql`JOIN (${list(from, most)}) ${name} ON ${name}.created_at = l0.created_at AND ${name}.id = l0.id`
    })
  )}`

/** The condition that a record has these words. */
export const having = (sql: PgClient.PgClient, words: ReadonlyArray<string>): Fragments =>
  words.map((word) => sql`r.words LIKE ${`% ${word}%`}`)

export const searchModule = Effect.fnUntraced(function* <Row extends Dated>(
  sql: PgClient.PgClient,
  query: ModuleQuery<Row>,
  { module, archived, words, passing, beside }: Search,
  bounds: typeof usualBounds
) {
  const { organizationId, newest, byUpdate, place } = query
  const index = makeWordIndex(sql, { module, organizationId, archived })
  const known = yield* index.lookUp(words.toSorted((a, b) => b.length - a.length).slice(0, mostLookedUp), bounds.few)
  const conditions = [...passing, ...beside, ...having(sql, words)]
  /** Nothing but one word is asked for. */
  const alone = words.length === 1 && passing.length === 0 && beside.length === 0
  const records = Math.min(mostRecordsCounted, known[0].records)
  /** The total is no less than what is shown. */
  const found = (rows: ReadonlyArray<Row>, total: number) => ({
    rows,
    total: rows.length === 0 ? total : Math.max(total, Math.min(mostRecordsCounted, query.skipped + rows.length))
  })

  const lookedUp = Effect.fnUntraced(function* ({ word, entries }: SearchedWord) {
    const list = index.few(word, entries)
    const rows = yield* query.partAmong(list, conditions)
    return found(rows, alone ? records : yield* query.countAmong(list, conditions))
  })

  const [rarest] = known.filter(({ entries }) => entries <= bounds.few).toSorted((a, b) => a.records - b.records)
  if (rarest !== undefined) return rarest.records === 0 ? found([], 0) : yield* lookedUp(rarest)

  const listable = known.filter(({ forms }) => forms.length <= mostForms)
  /** What there are lists of: words, and all filters together. `condition`: that a record is in the list. */
  const sources: ReadonlyArray<Source> = [
    ...listable.map(({ word, forms }) => ({
      list: (from: typeof place, most?: number) => index.first(forms, { newest, after: from }, most),
      condition: having(sql, [word])[0]
    })),
    ...(passing.length === 0
      ? []
      : [
          {
            list: (from: typeof place, most?: number) => query.listWith(passing, from, most),
            condition: sql.and(passing)
          }
        ])
  ]

  const walked = Effect.fnUntraced(function* () {
    const slow = [...having(sql, words), ...beside]
    const rows = yield* query.partWalked(passing, slow, bounds.walked)
    const total = alone ? records : yield* query.countWalked(passing, slow, bounds.walked)
    if (rows.length === query.most || (yield* query.kept) <= bounds.walked) return found(rows, total)
    const list = listable.length === 0 ? index.all(known[0].word) : sources[0].list(undefined)
    return found(yield* query.partAmong(list, conditions), total)
  })
  if (byUpdate || listable.length === 0) return yield* walked()

  if (alone) return found(yield* query.partOf(sources[0].list(place, query.skipped + query.most)), records)

  const compared = Effect.gen(function* () {
    const pair = yield* sparsest(sql, sources, place, newest)
    const others = words.filter((word) => !listable.some((one) => one.word === word))
    const rest = [
      ...sources.filter((one) => !pair.includes(one)).map(({ condition }) => condition),
      ...having(sql, others),
      ...beside
    ]
    const partOf = (list: Statement.Fragment) => (rest.length === 0 ? query.partOf(list) : query.partAmong(list, rest))
    const rows = yield* partOf(common(sql, pair, place))
    // Lists are compared to count from where they meet: older words do not stand among the newest records.
    const [first] = query.isFirst ? rows : yield* query.firstOf(common(sql, pair, undefined))
    if (first === undefined) return found(rows, 0)
    const from = { at: first.createdAt, id: first.id }
    const later = common(sql, pair, from, bounds.compared)
    const more = yield* rest.length === 0 ? query.count(sql`(${later}) l`) : query.countAmong(later, rest)
    return found(rows, Math.min(mostRecordsCounted, more + (query.isFirst || rest.length === 0 ? 1 : 0)))
  })
  // Of the lists of several words PostgreSQL guesses that few records are left, and would read them to their ends.
  return yield* listable.some(({ forms }) => forms.length > 1) ? query.inOrder(compared) : compared
})
