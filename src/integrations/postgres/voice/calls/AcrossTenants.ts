/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations that have calls to place, and the calls and
 * voicemails that need work. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import type { CallStatus } from "../../../../domain/voice/calls/records/CallStatus.ts"
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

/**
 * Calls that the provider said were over between the two times, and that an engine should have ended but never began. The oldest come first; at most
 * 100.
 */
export const callsWithoutEngine = (sql: Sql, endedAfter: number, endedBefore: number) =>
  sql<{ organizationId: string; id: string; status: CallStatus }>`
    SELECT organization_id, id, status FROM calls_without_engine(${new Date(endedAfter)}, ${new Date(endedBefore)})`

/** Calls that are to be summed up, the longest due first; at most `most`. */
export const dueSummaries = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; callId: string }>`
    SELECT organization_id, call_id FROM due_summaries(${new Date(now)}, ${most})`

/** Voicemails that are due, the longest due first; at most `most`. */
export const dueVoicemails = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; recordingSid: string }>`
    SELECT organization_id, recording_sid FROM due_voicemails(${new Date(now)}, ${most})`
