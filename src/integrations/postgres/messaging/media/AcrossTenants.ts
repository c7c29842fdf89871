/** Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the media whose upload or removal was not finished in time. */
import type { SqlClient } from "effect/sql"

type Sql = SqlClient.SqlClient

/** Media that have been pending or removing since before `before`, the longest first; at most `most`. */
export const unsettledMedia = (sql: Sql, before: Date, most: number) =>
  sql<{ organizationId: string; mediaId: string }>`
    SELECT organization_id, media_id FROM unsettled_media(${before}, ${most})`
