/** Queries that bypass row-level security for operators (see `tenancy/AcrossTenants`): ids of organizations, and counts of them. */
import type { SqlClient } from "effect/sql"
import type { OrganizationFilter } from "../../../domain/operators/OperatedOrganization.ts"

type Sql = SqlClient.SqlClient

/** One page of the organizations that are looked for, by name. Each row has the number of all of them. */
export const searchOrganizations = (
  sql: Sql,
  { search, plan, stage }: OrganizationFilter,
  page: number,
  limit: number
) =>
  sql<{ id: string; total: number }>`SELECT id, total FROM search_organizations(${search ?? null}, ${plan ?? null},
    ${stage ?? null}, ${(page - 1) * limit}, ${limit})`

export interface FlagCountRow {
  readonly stage: "staging" | "production"
  readonly organizations: number
  readonly havingIt: number
  readonly inForce: number
}

/** How many organizations of each stage there are, have a flag, and may use it. */
export const countFlag = (sql: Sql, flag: string) => sql<FlagCountRow>`SELECT * FROM count_flag(${flag})`
