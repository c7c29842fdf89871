/** Ways around row-level security (see `tenancy/AcrossTenants`): they give the organizations themselves. */
import type { SqlClient } from "effect/sql"
import { idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** All organizations, in the order of their ids: the next `most` after `after`. */
export const organizationsAfter = (sql: Sql, after: string, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organization_ids(${after}, ${most}) AS id`)
