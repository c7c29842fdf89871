/** The query that bypasses row-level security for evaluations (see `tenancy/AcrossTenants`). It says which runs have work, and nothing of what they are. */
import type { SqlClient } from "effect/sql"

/** The runs that are due at `now` (Unix milliseconds), at most `most`, those that have waited longest first. */
export const dueEvaluationRuns = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_evaluation_runs(${new Date(now)}, ${most})`
