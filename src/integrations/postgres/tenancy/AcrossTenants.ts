/**
 * Shared code for queries across organizations: looking up a row before its organization is known (by an API key's prefix, by the telephony
 * provider's account), finding organizations that have work, and removing old rows of all organizations at once. Each query that bypasses row-level
 * security is a SECURITY DEFINER function of the schema. It gives only one row for one exact key, ids, or counts. Only files named `AcrossTenants`
 * call these functions; each folder that needs some has one. Other SECURITY DEFINER functions, such as those for lists, have more rights than their
 * caller, but stay within the transaction's organization. A test checks both rules on the schema.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type OutlastingOptions, outlasting } from "./Unreachable.ts"

type Sql = SqlClient.SqlClient
type Rows<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

/** The row with a key that only its owner knows. Retries while the database is unreachable. */
export const lookUp = <Row>(rows: Rows<Row>, options?: OutlastingOptions) =>
  Effect.map(outlasting(rows, options), (found): Row | undefined => found.at(0))

/** Ids of organizations. */
export const idsOf = (rows: Rows<{ readonly id: string }>) =>
  Effect.map(rows, (found): ReadonlyArray<string> => found.map(({ id }) => id))

/** The number of rows that a removal has removed. */
export const goneOf = (rows: Rows<{ readonly gone: number }>) => Effect.map(rows, ([{ gone }]) => gone)

/**
 * Adds up the counts that single connections have stored for a list, for lists with at least `crowded` rows of counts. Gives the number of rows
 * removed.
 */
export const compactListCounts = (sql: Sql, crowded: number) =>
  goneOf(sql<{ gone: number }>`SELECT compact_list_counts(${crowded}) AS gone`)
