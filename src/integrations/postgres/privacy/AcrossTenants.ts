/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the exports that need work, and remove old entries of the audit
 * log. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import { goneOf } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Exports that need work at `now`: exports to be made, and `expired` ones to be removed. At most `most` of each. */
export const dueExports = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; id: string; expired: boolean }>`
    SELECT organization_id, id, expired FROM due_exports(${new Date(now)}, ${most})`

/**
 * Removes audit entries about moderated speech from before `before`, of the transaction's organization, at most `most`. Gives the number removed.
 * The database role of the transaction may only add entries, so a function of the schema removes them.
 */
export const expireModerations = (sql: Sql, before: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT expire_moderations(${new Date(before)}, ${most}) AS gone`)
