/** Lists of a module's records: filtered, sorted and searched. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Listed, Part } from "../../../domain/basics/Listing.ts"
import type { RecordFilter } from "../../../domain/business/records/ModuleRecord.ts"
import { listed } from "../tenancy/Parts.ts"
import { type Listable, makeModuleQuery } from "./ModuleQuery.ts"
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
  readonly records: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>>
}

/** Gives the function that lists a part. It runs as the tenant. */
export const makeModuleLists = <Row extends Dated, A>(
  sql: PgClient.PgClient,
  { module, columns, filters, broad, records }: ModuleList<Row, A>,
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

    const found = Effect.gen(function* () {
      const isBroad = asked.every(({ name }) => broad.includes(name))
      if (words.length > 0 && isBroad)
        return yield* searchModule(sql, query, { module, archived, words, passing }, bounds)
      const conditions = [...passing, ...having(sql, words)]
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
