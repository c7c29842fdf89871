/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they give the organizations that have calls to place, and the calls and
 * voicemails with something to do. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import { idsOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** Organizations that have calls to place. */
export const organizationsToDial = (sql: Sql) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_dial() AS id`)

/** Calls that are not over, oldest question first, at most 100. */
export const unfinishedCalls = (sql: Sql, begunBefore: number, askedBefore: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM unfinished_calls(${new Date(begunBefore)}, ${new Date(askedBefore)})`

/** Voicemails with something to do, at most so many, longest due first. */
export const dueVoicemails = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; recordingSid: string }>`
    SELECT organization_id, recording_sid FROM due_voicemails(${new Date(now)}, ${most})`
