/**
 * What reaches over the borders of organizations: looking a row up before its organization is known (by an API key's prefix, by the telephony
 * provider's account), which organizations have work, and sweeping for all at once. Each way around row-level security is a SECURITY DEFINER
 * function of the schema that gives one row for one exact key, ids, or counts alone. Only files named `AcrossTenants` call these functions: one in
 * each folder that needs some, over what is here. (Other such functions, as those of lists, may more than their caller, but keep to the
 * transaction's organization; a test holds the schema to both.)
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type OutlastingOptions, outlasting } from "./Unreachable.ts"

type Sql = SqlClient.SqlClient
type Rows<Row> = Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

/** The row with a key that only its owner knows; waits for a database that is away. */
export const lookUp = <Row>(rows: Rows<Row>, options?: OutlastingOptions) =>
  Effect.map(outlasting(rows, options), (found): Row | undefined => found.at(0))

/** Ids of organizations. */
export const idsOf = (rows: Rows<{ readonly id: string }>) =>
  Effect.map(rows, (found): ReadonlyArray<string> => found.map(({ id }) => id))

/** How many rows a sweep removed. */
export const goneOf = (rows: Rows<{ readonly gone: number }>) => Effect.map(rows, ([{ gone }]) => gone)

/** Puts together what connections have counted for lists; lists with fewer than `crowded` rows of it are left. Gives how many rows went. */
export const compactListCounts = (sql: Sql, crowded: number) =>
  goneOf(sql<{ gone: number }>`SELECT compact_list_counts(${crowded}) AS gone`)
