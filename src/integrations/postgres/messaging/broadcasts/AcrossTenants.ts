/** Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations that have broadcasts to work on. */
import type { SqlClient } from "effect/sql"
import { idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations that have a running broadcast, or a scheduled one whose time has come. */
export const organizationsToBroadcast = (sql: Sql) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_broadcast() AS id`)
