/** Queries that bypass row-level security for carts (see `tenancy/AcrossTenants`). Times are Unix milliseconds. */
import type { SqlClient } from "effect/sql"

/** Organizations with carts whose time is over at `now` (`due_at`), or of which a customer is to be reminded then (`remind_at`); at most `most`. */
export const organizationsWithCarts = (
  sql: SqlClient.SqlClient,
  what: "due_at" | "remind_at",
  now: number,
  most: number
) =>
  sql<{
    organizationId: string
  }>`SELECT organization_id FROM organizations_with_carts(${what}, ${new Date(now)}, ${most})`
