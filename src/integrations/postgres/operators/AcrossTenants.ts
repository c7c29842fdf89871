/**
 * Queries that bypass row-level security for operators (see `tenancy/AcrossTenants`): ids of organizations, counts of them, and removing old entries of the
 * installation's log.
 */
import type { SqlClient } from "effect/sql"
import type { OrganizationFilter } from "../../../domain/operators/OperatedOrganization.ts"
import { goneOf } from "../tenancy/AcrossTenants.ts"

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

/**
 * Removes entries of the installation's log, at most `most`: of the service itself from before `seen`, of operators from before `done`. Gives the number
 * removed. The service's role may only add entries, so a function of the schema removes them.
 */
export const expireInstallationLog = (sql: Sql, seen: number, done: number, most: number) =>
  goneOf(
    sql<{ gone: number }>`SELECT expire_installation_events(${new Date(seen)}, ${new Date(done)}, ${most}) AS gone`
  )
