/** Queries that bypass row-level security (see `tenancy/AcrossTenants`). They say which sources have work, and nothing of what they are. */
import type { SqlClient } from "effect/sql"

/** The sources that are due at `now` (Unix milliseconds), at most `most`, those that have waited longest first. */
export const dueKnowledgeSources = (sql: SqlClient.SqlClient, now: number, most: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_knowledge_sources(${new Date(now)}, ${most})`

/** The sources whose passages have no vectors of this model, and that are due at `now` (Unix milliseconds), at most `most`. */
export const unembeddedKnowledgeSources = (sql: SqlClient.SqlClient, model: string, now: number, most: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM unembedded_knowledge_sources(${model}, ${new Date(now)}, ${most})`
