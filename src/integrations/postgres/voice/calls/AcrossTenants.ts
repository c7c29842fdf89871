/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations that have calls to place, and the calls and
 * voicemails that need work. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import { idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations that have calls to place. */
export const organizationsToDial = (sql: Sql) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_dial() AS id`)

/**
 * Calls older than `begunBefore` that are not over, or whose transfer to a human is still open, and whose state was not requested from the provider
 * since `askedBefore`. Calls never requested come first, then the longest not requested; at most 100.
 */
export const unfinishedCalls = (sql: Sql, begunBefore: number, askedBefore: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM unfinished_calls(${new Date(begunBefore)}, ${new Date(askedBefore)})`

/** Voicemails that are due, the longest due first; at most `most`. */
export const dueVoicemails = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; recordingSid: string }>`
    SELECT organization_id, recording_sid FROM due_voicemails(${new Date(now)}, ${most})`
