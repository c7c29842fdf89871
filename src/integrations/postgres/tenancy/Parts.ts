/** Pages of lists: how many rows a query skips, and the records of its rows. A query reads one extra row, which shows that another page exists. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Listed, Part, Place } from "../../../domain/basics/Listing.ts"
import type { makeSql } from "./Sql.ts"

/** The number of rows to skip: none when the part begins after a place. */
export const skipped = ({ page, limit, after }: Part): number => (after === undefined ? (page - 1) * limit : 0)

/** One part of a list. The query for `rows` has the limit `limit + 1`. They are decoded together, because an effect per record costs more. */
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

/** One part of a table's rows, and the total of all parts. Contacts, conversations and messages use functions of the schema instead. */
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
  /** Default: all columns. */
  readonly columns?: Statement.Fragment
  /** The SQL after FROM: a table, or a join with conditions. */
  readonly from: Statement.Fragment
  /** Default: newest first. */
  readonly order?: Statement.Fragment
  /** Runs after the transaction. */
  readonly decode: (row: Row) => Effect.Effect<A, E>
}

/** The page with this number (from 1) of a short list, which needs no places, and the total of all pages. */
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

/** The last arguments of the database's list functions (`list_contacts` and others): the part, and the names of the lists to count. */
export const asked = (sql: PgClient.PgClient, part: Part, lists: ReadonlyArray<string>) => {
  const { after, limit } = part
  return sql`${after === undefined ? null : new Date(after.at)}, ${after?.id ?? null}, ${skipped(part)}, ${limit + 1}, ${lists}::text[]`
}

/** Skipping more records than this takes noticeable time. */
const far = 5_000

/**
 * Runs a list that may take some milliseconds (a search, or one that skips many records) on a connection of its own. Statements share connections
 * and queue on them, so other statements would wait for it.
 */
export const asideIfSlow =
  (sql: PgClient.PgClient, part: Part, searches = false) =>
  <A, E>(list: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError.SqlError> =>
    searches || skipped(part) > far ? onOwnConnection(sql, list) : list

/** Runs one statement on a reserved connection, without the round trips of a transaction. */
const onOwnConnection = <A, E>(sql: PgClient.PgClient, statement: Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.flatMap(sql.reserve, (connection) =>
      Effect.provideService(statement, sql.transactionService, [connection, 0])
    )
  )

/** A row of a list function: a record with the total. If there are no records, one row holds only the total. */
export type ListRow<Row> = (Row & { readonly total: number }) | { readonly total: number; readonly id: null }

const isRecord = <Row extends { readonly id: string }>(row: ListRow<Row>): row is Row & { readonly total: number } =>
  row.id !== null

/** One part of a list from the rows of a list function, without the row that holds only the total. */
export const listedWithTotal = <Row extends { readonly id: string }, A, E>(
  rows: ReadonlyArray<ListRow<Row>>,
  part: Part,
  total: number,
  place: (row: Row) => Place,
  decode: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<Listed<A>, E> => listed<Row, A, E>(rows.filter(isRecord<Row>), part, total, place, decode)
