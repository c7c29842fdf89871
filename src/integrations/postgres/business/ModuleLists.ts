/** Lists of a module's records: filtered, sorted and searched. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Listed, Part } from "../../../domain/basics/Listing.ts"
import type { RecordFilter } from "../../../domain/business/records/ModuleRecord.ts"
import { listed } from "../tenancy/Parts.ts"
import { type LinkTable, type Listable, makeModuleQuery } from "./ModuleQuery.ts"
import { having, searchModule, usualBounds } from "./ModuleSearch.ts"
import { wordsOf } from "./SearchWords.ts"

interface Dated {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface ModuleList<Row, A> extends Listable {
  readonly filters: Readonly<Record<string, (sql: PgClient.PgClient, value: string) => Statement.Fragment>>
  /** The filters that many records may pass. */
  readonly broad: ReadonlyArray<string>
  /** The filter by a link. */
  readonly links?: (LinkTable & { readonly filter: string }) | undefined
  readonly records: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>>
}

/** Gives the function that lists a part. It runs as the tenant. */
export const makeModuleLists = <Row extends Dated, A>(
  sql: PgClient.PgClient,
  { module, columns, filters, broad, links, records }: ModuleList<Row, A>,
  bounds: typeof usualBounds = usualBounds
) =>
  Effect.fnUntraced(function* (organizationId: string, filter: RecordFilter, part: Part) {
    const query = makeModuleQuery<Row>(sql, { module, columns }, organizationId, filter, part)
    const asked = Object.entries(filter.fields).flatMap(([name, value]) =>
      value === undefined || filters[name] === undefined ? [] : [{ name, condition: filters[name](sql, value) }]
    )
    const passing = asked.map(({ condition }) => condition)
    const words = wordsOf([filter.search ?? ""])
    const { archived } = filter

    /** Few linked records are looked up; of many each record says for itself that it is. PostgreSQL makes no join of a sub-select. */
    const linked = Effect.gen(function* () {
      const id = links === undefined ? undefined : filter.fields[links.filter]
      if (links === undefined || id === undefined) return { few: [], beside: [] }
      const ids = yield* query.linkedTo(links, id, bounds.linked + 1)
      if (ids.length <= bounds.linked) return { few: [sql`r.id = ANY (${ids}::text[])`], beside: [] }
      const { table, own, other } = links
      const one = sql`(SELECT 1 FROM ${sql(table)} l
        WHERE l.organization_id = r.organization_id AND l.${sql(other)} = ${id} AND l.${sql(own)} = r.id LIMIT 1) IS NOT NULL`
      return { few: [], beside: [one] }
    })

    const found = Effect.gen(function* () {
      const { few, beside } = yield* linked
      const isBroad = asked.every(({ name }) => broad.includes(name))
      if (words.length > 0 && isBroad && few.length === 0)
        return yield* searchModule(sql, query, { module, archived, words, passing, beside }, bounds)
      const conditions = [...passing, ...few, ...beside, ...having(sql, words)]
      const rows = yield* query.partWith(conditions)
      return { rows, total: yield* conditions.length === 0 ? query.kept : query.countWith(conditions) }
    })
    const { rows, total } = yield* found
    const at = (row: Row) => ({
      at: (filter.sort.endsWith("updatedAt") ? row.updatedAt : row.createdAt).getTime(),
      id: row.id
    })
    return (yield* listed(rows, part, total, at, records)) satisfies Listed<A>
  })
