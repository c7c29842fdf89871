/** Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations themselves. */
import type { SqlClient } from "effect/sql"
import { idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** The next `most` organizations after the id `after`, in the order of their ids. */
export const organizationsAfter = (sql: Sql, after: string, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organization_ids(${after}, ${most}) AS id`)
