/** Ways around row-level security (see `tenancy/AcrossTenants`): they give the media that were not settled in time. */
import type { SqlClient } from "effect/sql"

type Sql = SqlClient.SqlClient

/** Media that have been pending or removing since before `before`, at most so many, longest first. */
export const unsettledMedia = (sql: Sql, before: Date, most: number) =>
  sql<{ organizationId: string; mediaId: string }>`
    SELECT organization_id, media_id FROM unsettled_media(${before}, ${most})`
