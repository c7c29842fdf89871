/** Queries that bypass row-level security for carts (see `tenancy/AcrossTenants`). Times are Unix milliseconds. */
import type { SqlClient } from "effect/sql"

/** Organizations with carts whose time is over at `now`, at most `most`. */
export const organizationsWithDueCarts = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{ organizationId: string }>`SELECT organization_id FROM organizations_with_due_carts(${new Date(now)}, ${most})`

/** Organizations with carts of which a customer is to be reminded at `now`, at most `most`. */
export const organizationsWithCartsToRemind = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{
    organizationId: string
  }>`SELECT organization_id FROM organizations_with_carts_to_remind(${new Date(now)}, ${most})`
