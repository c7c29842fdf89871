/** Parts of lists: what a query skips, and what its rows become. One row more than asked for tells that there is another part. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Listed, Part, Place } from "../../domain/Listing.ts"

export const skipped = ({ page, limit, after }: Part): number => (after === undefined ? (page - 1) * limit : 0)

/** `rows` were asked for with `limit + 1`. They are decoded together: an effect for each record costs more than checking it. */
export const listed = <Row, A, E>(
  rows: ReadonlyArray<Row>,
  { limit }: Part,
  total: number,
  place: (row: Row) => Place,
  decode: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Listed<A>, E> => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? place(last) : null
  return Effect.map(decode(shown), (data) => ({ data, total, next }))
}

/** What the list functions (migration 41) are asked for last: the part, and the lists that are counted. */
export const asked = (sql: PgClient.PgClient, part: Part, lists: ReadonlyArray<string>) => {
  const { after, limit } = part
  return sql`${after === undefined ? null : new Date(after.at)}, ${after?.id ?? null}, ${skipped(part)}, ${limit + 1}, ${lists}::text[]`
}

/** More than so many records are not skipped in no time. */
const far = 5_000

/** Statements share connections, one behind the other. A list that may take some milliseconds has one of its own: nothing waits behind it. */
export const asideIfSlow =
  (sql: PgClient.PgClient, part: Part, searches = false) =>
  <A, E>(list: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
    searches || skipped(part) > far ? onOwnConnection(sql, list) : list

/** One statement, on a connection that nobody else uses meanwhile; without the round trips of a transaction. */
const onOwnConnection = <A, E>(sql: PgClient.PgClient, statement: Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) =>
      Effect.provideService(statement, sql.transactionService, [connection, 0])
    )
  )

/** What the list functions give: records, each with the total; without any, one row with the total alone. */
export type ListRow<Row> = (Row & { readonly total: number }) | { readonly total: number; readonly id: null }

const isRecord = <Row extends { readonly id: string }>(row: ListRow<Row>): row is Row & { readonly total: number } =>
  row.id !== null

export const listedWithTotal = <Row extends { readonly id: string }, A, E>(
  rows: ReadonlyArray<ListRow<Row>>,
  part: Part,
  total: number,
  place: (row: Row) => Place,
  decode: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Listed<A>, E> => listed<Row, A, E>(rows.filter(isRecord<Row>), part, total, place, decode)
