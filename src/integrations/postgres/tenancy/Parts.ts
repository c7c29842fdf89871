/** Parts of lists: what a query skips, and what its rows become. One row more than asked for tells that there is another part. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Listed, Part, Place } from "../../../domain/basics/Listing.ts"
import type { makeSql } from "./Sql.ts"

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

export interface NewestFirst<Row, A, E> {
  readonly table: string
  readonly where: Statement.Fragment
  readonly decode: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>, E>
}

/** One part of a table's rows, and how many there are in all parts. (Contacts, conversations and messages have functions of the schema for that.) */
export const newestFirst = Effect.fnUntraced(function* <
  Row extends { readonly createdAt: Date; readonly id: string },
  A,
  E
>(sql: PgClient.PgClient, { table, where, decode }: NewestFirst<Row, A, E>, part: Part) {
  const { limit, after } = part
  const older = after === undefined ? sql`` : sql`AND (created_at, id) < (${new Date(after.at)}, ${after.id})`
  const rows = yield* sql<Row>`SELECT * FROM ${sql(table)} WHERE ${where} ${older} ORDER BY created_at DESC, id DESC
    LIMIT ${limit + 1} OFFSET ${skipped(part)}`
  const [{ total }] = yield* sql<{ total: number }>`SELECT count(*)::int AS total FROM ${sql(table)} WHERE ${where}`
  return yield* listed(rows, part, total, ({ createdAt, id }: Row) => ({ at: createdAt.getTime(), id }), decode)
})

export interface Numbered<Row, A, E> {
  /** All by default. */
  readonly columns?: Statement.Fragment
  /** A table, or whatever stands behind FROM. */
  readonly from: Statement.Fragment
  /** Newest first by default. */
  readonly order?: Statement.Fragment
  /** Runs behind the transaction. */
  readonly decode: (row: Row) => Effect.Effect<A, E>
}

/** The page with this number, from 1, of a list that is not long enough to need places, and how many records there are in all pages. */
export const numbered = Effect.fnUntraced(function* <Row extends object, A, E>(
  { sql, asTenant }: Pick<Effect.Success<typeof makeSql>, "sql" | "asTenant">,
  organizationId: string,
  { columns = sql`*`, from, order = sql`created_at DESC, id DESC`, decode }: Numbered<Row, A, E>,
  page: number,
  limit: number
) {
  const [rows, [{ total }]] = yield* asTenant(organizationId)(
    Effect.all([
      sql<Row>`SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      sql<{ total: number }>`SELECT count(*)::int AS total FROM ${from}`
    ])
  )
  return { data: yield* Effect.forEach(rows, decode), total }
})

/** What the list functions (`list_contacts` and others) are asked for last: the part, and the lists that are counted. */
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
