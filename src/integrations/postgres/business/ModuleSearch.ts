/**
 * Searches among a module's records. Few records of a word are looked up one by one. Lists of frequent words are compared, the newest records first. For what
 * these lists do not give (many words with one beginning, or the order of changes) the newest records are gone through.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Module } from "../../../domain/business/records/Module.ts"
import { mostRecordsCounted } from "../../../domain/business/records/ModuleRecord.ts"
import type { ModuleQuery } from "./ModuleQuery.ts"
import { makeWordIndex, mostForms } from "./WordIndex.ts"

export const usualBounds = {
  /** A word with more entries in the index is frequent. */
  few: 2_000,
  /** So many records of each list are compared first. */
  compared: 5_000,
  /** So many records are gone through for a page, and to count. */
  walked: 10_000
}

/** So many words of a search are looked up, the longest; the others are looked for in the records. */
const mostLookedUp = 4

type Fragments = ReadonlyArray<Statement.Fragment>

/** What is searched: words that all records have, and filters that many records may pass. */
interface Search {
  readonly module: Module
  readonly archived: boolean
  readonly words: ReadonlyArray<string>
  readonly passing: Fragments
}

/** The condition that a record has these words. */
export const having = (sql: PgClient.PgClient, words: ReadonlyArray<string>): Fragments =>
  words.map((word) => sql`r.words LIKE ${`% ${word}%`}`)

export const searchModule = Effect.fnUntraced(function* <Row extends object>(
  sql: PgClient.PgClient,
  query: ModuleQuery<Row>,
  { module, archived, words, passing }: Search,
  bounds: typeof usualBounds
) {
  const { organizationId, newest, byUpdate, place } = query
  const index = makeWordIndex(sql, { module, organizationId, archived })
  const known = yield* index.lookUp(words.toSorted((a, b) => b.length - a.length).slice(0, mostLookedUp), bounds.few)
  const conditions = [...passing, ...having(sql, words)]
  /** Nothing but one word is asked for. */
  const alone = words.length === 1 && passing.length === 0
  const records = Math.min(mostRecordsCounted, known[0].records)
  /** The total is no less than what is shown. */
  const found = (rows: ReadonlyArray<Row>, total: number) => ({
    rows,
    total: rows.length === 0 ? total : Math.max(total, Math.min(mostRecordsCounted, query.skipped + rows.length))
  })

  const lookedUp = Effect.fnUntraced(function* (word: string) {
    const list = index.all(word)
    const rows = yield* query.partAmong(list, conditions)
    return found(rows, alone ? records : yield* query.countAmong(list, conditions))
  })

  const [rarest] = known.filter(({ entries }) => entries <= bounds.few).toSorted((a, b) => a.records - b.records)
  if (rarest !== undefined) return rarest.records === 0 ? found([], 0) : yield* lookedUp(rarest.word)

  const listable = known.filter(({ forms }) => forms.length <= mostForms)
  const lists = (from: typeof place, most: number | undefined) => [
    ...listable.map(({ forms }) => index.first(forms, { newest, after: from }, most)),
    ...(passing.length === 0 ? [] : [query.listWith(passing, from, most)])
  ]
  /** The records that are in all lists. */
  const common = ([first, ...others]: Fragments) =>
    sql`SELECT l0.created_at, l0.id FROM (${first}) l0 ${sql.join(
      " ",
      false
    )(
      others.map((list, n) => {
        const name = sql.literal(`l${n + 1}`)
        return sql`JOIN (${list}) ${name} ON ${name}.created_at = l0.created_at AND ${name}.id = l0.id`
      })
    )}`

  const walked = Effect.fnUntraced(function* () {
    const slow = having(sql, words)
    const rows = yield* query.partWalked(passing, slow, bounds.walked)
    const total = alone ? records : yield* query.countWalked(passing, slow, bounds.walked)
    if (rows.length === query.most || (yield* query.kept) <= bounds.walked) return found(rows, total)
    const list = listable.length === 0 ? index.all(known[0].word) : common(lists(undefined, undefined))
    return found(yield* query.partAmong(list, conditions), total)
  })
  if (byUpdate || listable.length === 0) return yield* walked()

  if (alone) return found(yield* query.partOf(lists(place, query.skipped + query.most)[0]), records)

  const others = having(
    sql,
    words.filter((word) => !listable.some((one) => one.word === word))
  )
  const compared = Effect.fnUntraced(function* (most: number | undefined) {
    const from = common(lists(place, most))
    const rows = yield* others.length === 0 ? query.partOf(from) : query.partAmong(from, others)
    const all = common(lists(undefined, most))
    return { rows, total: yield* others.length === 0 ? query.count(sql`(${all}) l`) : query.countAmong(all, others) }
  })
  const first = yield* compared(bounds.compared)
  if (first.rows.length === query.most) return found(first.rows, first.total)
  const whole = yield* compared(undefined)
  return found(whole.rows, Math.max(first.total, whole.total))
})
