/**
 * Lists of a module's records: filtered, sorted and searched. Words are searched in two ways, because a word may be in one record or in each of a million:
 * records of a rare word are looked up in `module_words`; those of frequent words are met by going through the newest.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Listed, Part } from "../../../domain/basics/Listing.ts"
import type { Module } from "../../../domain/business/records/Module.ts"
import { mostRecordsCounted, type RecordFilter } from "../../../domain/business/records/ModuleRecord.ts"
import { listed, skipped } from "../tenancy/Parts.ts"
import { wordsOf } from "./SearchWords.ts"

export const usualBounds = {
  /** A word of more records is frequent. */
  lookedUp: 1_000,
  /** So many of the newest records are gone through for a page, and to count. */
  page: 30_000,
  total: 10_000
}

interface Dated {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface ModuleList<Row, A> {
  readonly module: Module
  readonly columns: Statement.Fragment
  readonly filters: Readonly<Record<string, (sql: PgClient.PgClient, value: string) => Statement.Fragment>>
  /** The filters that many records may pass. */
  readonly broad: ReadonlyArray<string>
  readonly records: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>>
}

/** Gives the function that lists a part. It runs as the tenant. */
export const makeModuleList = <Row extends Dated, A>(
  sql: PgClient.PgClient,
  { module, columns, filters, broad, records }: ModuleList<Row, A>,
  bounds: typeof usualBounds = usualBounds
) => {
  const table = sql(module)

  /** The words of records that begin with `word`. */
  const wordRows = (organizationId: string, word: Statement.Fragment) =>
    sql`module_words w WHERE w.organization_id = ${organizationId} AND w.module = ${module}
      AND w.word >= ${word} AND w.word < ${word} || ${"\u{10ffff}"}`

  /** For each word the ids of its records; null for a frequent one. */
  const lookedUp = (organizationId: string, words: ReadonlyArray<string>) =>
    sql<{
      ids: ReadonlyArray<string> | null
    }>`SELECT found.ids FROM unnest(${words}::text[]) WITH ORDINALITY AS asked (word, place), LATERAL (
      SELECT CASE WHEN count(*) <= ${bounds.lookedUp} THEN coalesce(array_agg(DISTINCT part.record_id), '{}') END AS ids
      FROM (SELECT w.record_id FROM ${wordRows(organizationId, sql`asked.word COLLATE "C"`)} LIMIT ${bounds.lookedUp + 1}) part) found
      ORDER BY asked.place`

  const kept = (organizationId: string, archived: boolean) =>
    Effect.map(
      sql<{ total: number }>`SELECT coalesce(sum(total), 0)::int AS total FROM list_counts
        WHERE organization_id = ${organizationId} AND list = ${archived ? `${module}.archived` : module}`,
      ([{ total }]) => total
    )

  /** Counted up to a limit. */
  const counted = (from: Statement.Fragment, where: ReadonlyArray<Statement.Fragment>) =>
    Effect.map(
      sql<{ total: number }>`SELECT count(DISTINCT id)::int AS total FROM (
        SELECT r.id FROM ${from} WHERE ${sql.and(where)} LIMIT ${mostRecordsCounted}) part`,
      ([{ total }]) => total
    )

  return Effect.fnUntraced(function* (organizationId: string, filter: RecordFilter, part: Part) {
    const { after, limit } = part
    const newest = filter.sort.startsWith("-")
    const byUpdate = filter.sort.endsWith("updatedAt")
    const time = sql(byUpdate ? "updated_at" : "created_at")
    const direction = sql.literal(newest ? "DESC" : "ASC")
    const order = sql`ORDER BY r.${time} ${direction}, r.id ${direction}`
    const newestFirst = sql`ORDER BY r.created_at DESC, r.id DESC`
    const place = after === undefined ? sql`` : sql`(${new Date(after.at)}::timestamptz, ${after.id})`
    const beyond =
      after === undefined ? [] : [newest ? sql`(r.${time}, r.id) < ${place}` : sql`(r.${time}, r.id) > ${place}`]

    const base = [
      sql`r.organization_id = ${organizationId}`,
      filter.archived ? sql`r.archived_at IS NOT NULL` : sql`r.archived_at IS NULL`
    ]
    const asked = Object.entries(filter.fields).flatMap(([name, value]) =>
      value === undefined || filters[name] === undefined ? [] : [{ name, condition: filters[name](sql, value) }]
    )
    const passing = asked.map(({ condition }) => condition)
    const words = wordsOf([filter.search ?? ""])
    const having = words.map((word) => sql`r.words LIKE ${`% ${word}%`}`)

    const rowsOf = (from: Statement.Fragment, where: ReadonlyArray<Statement.Fragment>) =>
      sql<Row>`SELECT ${columns} FROM ${from} WHERE ${sql.and(where)} ${order} LIMIT ${limit + 1} OFFSET ${skipped(part)}`
    const everything = sql`${table} r`
    const newestOf = (where: ReadonlyArray<Statement.Fragment>, by: Statement.Fragment, most: number) =>
      sql`(SELECT * FROM ${table} r WHERE ${sql.and(where)} ${by} LIMIT ${most}) r`

    const plain = Effect.fnUntraced(function* (where: ReadonlyArray<Statement.Fragment>) {
      return { rows: yield* rowsOf(everything, [...where, ...beyond]), total: yield* counted(everything, where) }
    })

    /** All of the words are frequent. What the newest do not have is found in the lists of the words, which takes longer. */
    const walked = Effect.fnUntraced(function* () {
      const where = [...passing, ...having]
      const met = yield* rowsOf(newestOf([...base, ...beyond], order, bounds.page), where)
      const near = yield* counted(newestOf(base, newestFirst, bounds.total), where)
      const all = near === mostRecordsCounted ? near : yield* kept(organizationId, filter.archived)
      if (all <= bounds.total) return { rows: met, total: near }
      const longest = words.toSorted((a, b) => b.length - a.length)[0]
      const listed = sql`(SELECT w.record_id FROM ${wordRows(organizationId, sql`${longest}`)} LIMIT ${2 * mostRecordsCounted}) w
        JOIN ${table} r ON r.id = w.record_id`
      const total = Math.max(near, yield* counted(listed, [...base, ...where]))
      if (met.length > limit || all <= bounds.page) return { rows: met, total }
      const lists = words.map((word) => sql`SELECT w.record_id FROM ${wordRows(organizationId, sql`${word}`)}`)
      const ids = sql`r.id = ANY(ARRAY(${sql.join(" INTERSECT ", false)(lists)}))`
      const rows = yield* rowsOf(everything, [...base, ...beyond, ids, ...passing])
      return { rows, total: Math.max(total, Math.min(mostRecordsCounted, skipped(part) + rows.length)) }
    })

    const searched = Effect.fnUntraced(function* () {
      if (asked.some(({ name }) => !broad.includes(name))) return yield* plain([...base, ...passing, ...having])
      const rare = (yield* lookedUp(organizationId, words)).flatMap(({ ids }) => (ids === null ? [] : [ids]))
      if (rare.length === 0) return yield* walked()
      const [ids] = rare.toSorted((a, b) => a.length - b.length)
      return ids.length === 0
        ? { rows: [], total: 0 }
        : yield* plain([...base, sql`r.id = ANY(${ids}::text[])`, ...passing, ...having])
    })

    const found =
      words.length > 0
        ? yield* searched()
        : asked.length > 0
          ? yield* plain([...base, ...passing])
          : {
              rows: yield* rowsOf(everything, [...base, ...beyond]),
              total: yield* kept(organizationId, filter.archived)
            }
    const at = (row: Row) => ({ at: (byUpdate ? row.updatedAt : row.createdAt).getTime(), id: row.id })
    return (yield* listed(found.rows, part, found.total, at, records)) satisfies Listed<A>
  })
}
