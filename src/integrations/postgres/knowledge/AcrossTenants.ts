/** A query that bypasses row-level security (see `tenancy/AcrossTenants`). It says which sources are to be synced, and nothing of what they are. */
import type { SqlClient } from "effect/sql"

/** The sources that are due at `now` (Unix milliseconds), at most `most`, those that have waited longest first. */
export const dueKnowledgeSources = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_knowledge_sources(${new Date(now)}, ${most})`
