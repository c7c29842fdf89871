/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`): which organizations have payments to ask about, and whose the page of a link is.
 */
import type { SqlClient } from "effect/sql"
import { idsOf, lookUp } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations with a link that is due at `now` (Unix milliseconds), except those in `without`; at most `most`. */
export const organizationsToAsk = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM payments_due(${new Date(now)}, ${without}::text[], ${most}) AS id`)

/** The organization of the link with this id, which nobody can guess. */
export const organizationOfLink = (sql: Sql, id: string) =>
  lookUp(sql<{ id: string }>`SELECT id FROM organization_of_payment(${id}) AS id`)
