/** The statements of one list of a module's records: which records it asks for, in which order, and which part of them. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Part } from "../../../domain/basics/Listing.ts"
import type { Module } from "../../../domain/business/records/Module.ts"
import { mostRecordsCounted, type RecordFilter } from "../../../domain/business/records/ModuleRecord.ts"
import { skipped } from "../tenancy/Parts.ts"

/** Records that lie close together, as the newest do, are skipped sooner than they are looked up again. */
const near = 100

type Conditions = ReadonlyArray<Statement.Fragment>

/** Rows with the ids of two linked records. */
export interface LinkTable {
  readonly table: string
  /** The column with the record's id. */
  readonly own: string
  /** The column with the other's id. */
  readonly other: string
}

export interface Listable {
  readonly module: Module
  /** Of the row `r`. */
  readonly columns: Statement.Fragment
}

/**
 * Runs a statement over lists with a plan for its own values. From the sixth run on, PostgreSQL may plan a prepared statement for any values. It then takes
 * `LIMIT` for a tenth of the table, and reads both lists of a search to their ends.
 */
const planned = <A>({ unprepared }: Statement.Statement<A>) => unprepared

/** A list is a fragment with the columns `created_at` and `id`. Conditions are about the row `r`. */
export const makeModuleQuery = <Row extends object>(
  sql: PgClient.PgClient,
  { module, columns }: Listable,
  organizationId: string,
  { archived, sort }: Pick<RecordFilter, "archived" | "sort">,
  part: Part
) => {
  const { after, limit } = part
  const table = sql(module)
  const newest = sort.startsWith("-")
  const byUpdate = sort.endsWith("updatedAt")
  const place = after === undefined ? undefined : { at: new Date(after.at), id: after.id }

  const time = sql(byUpdate ? "updated_at" : "created_at")
  const direction = sql.literal(newest ? "DESC" : "ASC")
  const order = sql`ORDER BY r.${time} ${direction}, r.id ${direction}`
  const farther = (times: Statement.Fragment, from: typeof place) =>
    from === undefined ? [] : [sql`(${times}) ${sql.literal(newest ? "<" : ">")} (${from.at}::timestamptz, ${from.id})`]
  const beyond = farther(sql`r.${time}, r.id`, place)
  const asked = sql`LIMIT ${limit + 1} OFFSET ${skipped(part)}`
  const base = [
    sql`r.organization_id = ${organizationId}`,
    archived ? sql`r.archived_at IS NOT NULL` : sql`r.archived_at IS NULL`
  ]
  const itsRecord = sql`JOIN ${table} r ON r.organization_id = ${organizationId} AND r.id = l.id`
  /** Looked up for one after the other, so that no more are read than the part takes, whatever PostgreSQL knows of the tables. */
  const eachRecord = sql`CROSS JOIN LATERAL (SELECT * FROM ${table} r WHERE r.organization_id = ${organizationId} AND r.id = l.id LIMIT 1) r`

  /** How many rows there are, counted up to a limit. */
  const count = (from: Statement.Fragment) =>
    Effect.map(
      planned(
        sql<{
          total: number
        }>`SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} LIMIT ${mostRecordsCounted}) part`
      ),
      ([{ total }]) => total
    )

  /** The part of a list. Only records that are shown are read. */
  const partOf = (list: Statement.Fragment, by = sql`created_at`) =>
    planned(
      sql<Row>`SELECT ${columns} FROM (SELECT ${by} AS at, id FROM (${list}) list ORDER BY 1 ${direction}, 2 ${direction} ${asked}) l
        ${itsRecord} ORDER BY l.at ${direction}, l.id ${direction}`
    )

  return {
    organizationId,
    newest,
    byUpdate,
    place,
    /** So many rows a part has at most, with the one that shows that there is another part. */
    most: limit + 1,
    skipped: skipped(part),
    isFirst: place === undefined && skipped(part) === 0,
    count,
    partOf,

    /** The first record of a list. */
    firstOf: (list: Statement.Fragment) =>
      planned(
        sql<{
          id: string
          createdAt: Date
        }>`SELECT created_at, id FROM (${list}) list ORDER BY 1 ${direction}, 2 ${direction} LIMIT 1`
      ),

    /** The part of those records of a list that meet the conditions. */
    partAmong: (list: Statement.Fragment, conditions: Conditions) => {
      if (byUpdate)
        return planned(
          sql<Row>`SELECT ${columns} FROM (${list}) l ${itsRecord} WHERE ${sql.and([...base, ...conditions, ...beyond])} ${order} ${asked}`
        )
      const later = sql.and([sql`true`, ...farther(sql`created_at, id`, place)])
      return planned(
        sql<Row>`SELECT ${columns} FROM (SELECT created_at, id FROM (${list}) list WHERE ${later} ORDER BY 1 ${direction}, 2 ${direction}) l
          ${eachRecord} WHERE ${sql.and([...base, ...conditions])} ORDER BY l.created_at ${direction}, l.id ${direction} ${asked}`
      )
    },

    /** How many of the newest records of a list meet the conditions. */
    countAmong: (list: Statement.Fragment, conditions: Conditions) =>
      count(sql`(SELECT created_at, id FROM (${list}) list ORDER BY 1 DESC, 2 DESC LIMIT ${mostRecordsCounted}) l
        ${eachRecord} WHERE ${sql.and([...base, ...conditions])}`),

    /** The part of all records that meet conditions that an index decides. */
    partWith: (conditions: Conditions) => {
      const where = sql.and([...base, ...conditions, ...beyond])
      return skipped(part) <= near
        ? planned(sql<Row>`SELECT ${columns} FROM ${table} r WHERE ${where} ${order} ${asked}`)
        : partOf(sql`SELECT r.${time}, r.id FROM ${table} r WHERE ${where}`, sql`${time}`)
    },
    countWith: (conditions: Conditions) => count(sql`${table} r WHERE ${sql.and([...base, ...conditions])}`),

    /** The part of those that meet `slow` among the first `most` that meet `quick`, which an index decides. */
    partWalked: (quick: Conditions, slow: Conditions, most: number) =>
      sql<Row>`SELECT ${columns} FROM (SELECT * FROM ${table} r WHERE ${sql.and([...base, ...quick, ...beyond])} ${order} LIMIT ${most}) r
        WHERE ${sql.and(slow)} ${order} ${asked}`,
    countWalked: (quick: Conditions, slow: Conditions, most: number) =>
      count(sql`(SELECT * FROM ${table} r WHERE ${sql.and([...base, ...quick])} ORDER BY r.created_at DESC, r.id DESC LIMIT ${most}) r
        WHERE ${sql.and(slow)}`),

    /** The list of the first records that meet conditions that an index decides; of all without `most`. `from`: the place after which it begins. */
    listWith: (conditions: Conditions, from: typeof place, most?: number) => {
      const where = sql.and([...base, ...conditions, ...farther(sql`r.created_at, r.id`, from)])
      return sql`SELECT r.created_at, r.id FROM ${table} r WHERE ${where} ORDER BY r.created_at ${direction}, r.id ${direction}
        ${most === undefined ? sql`` : sql`LIMIT ${most}`}`
    },

    /** Runs statements whose lists are to be read in their order. */
    inOrder: <A, E, R>(statements: Effect.Effect<A, E, R>) => {
      const hashing = (how: "on" | "off") => sql`SELECT set_config('enable_hashagg', ${how}, true)`
      return Effect.andThen(
        hashing("off"),
        Effect.tap(statements, () => hashing("on"))
      )
    },

    /** The ids of the records that are linked to another one, at most `most`. */
    linkedTo: ({ table, own, other }: LinkTable, id: string, most: number) =>
      Effect.map(
        sql<{
          id: string
        }>`SELECT l.${sql(own)} AS id FROM ${sql(table)} l WHERE l.organization_id = ${organizationId} AND l.${sql(other)} = ${id} LIMIT ${most}`,
        (rows): ReadonlyArray<string> => rows.map(({ id }) => id)
      ),

    /** How many records the organization has, without a filter. */
    kept: Effect.map(
      sql<{ total: number }>`SELECT coalesce(sum(total), 0)::int AS total FROM list_counts
        WHERE organization_id = ${organizationId} AND list = ${archived ? `${module}.archived` : module}`,
      ([{ total }]) => total
    )
  }
}
export type ModuleQuery<Row extends object> = ReturnType<typeof makeModuleQuery<Row>>
