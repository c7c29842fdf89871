/** The query that bypasses row-level security for carts (see `tenancy/AcrossTenants`). Times are Unix milliseconds. */
import type { SqlClient } from "effect/sql"

/** Organizations with carts whose time is over at `now`, at most `most`. */
export const organizationsWithDueCarts = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{ organizationId: string }>`SELECT organization_id FROM organizations_with_due_carts(${new Date(now)}, ${most})`
