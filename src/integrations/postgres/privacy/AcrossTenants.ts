/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they give the exports that have something to do, and sweep the audit. Times are
 * Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import { goneOf } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Exports with something to do: to be made, or `expired` and to be removed. */
export const dueExports = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; id: string; expired: boolean }>`
    SELECT organization_id, id, expired FROM due_exports(${new Date(now)}, ${most})`

/** Removes what the audit says of moderated speech before a time, of the transaction's organization: its role may only add to it. At most so many. Gives how many went. */
export const expireModerations = (sql: Sql, before: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT expire_moderations(${new Date(before)}, ${most}) AS gone`)
