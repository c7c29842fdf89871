/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations that have unread events, and the deliveries
 * that are due. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import type { LogPlace } from "../../../domain/events/EventFeed.ts"
import { idsOf } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** The settled places in the event log after `after`, in order, each with its organization; at most `most`. */
export const eventsBehind = (sql: Sql, after: LogPlace, most: number) =>
  sql<LogPlace & { organizationId: string }>`SELECT organization_id, transaction, position
    FROM events_behind(${after.transaction}::xid8, ${after.position}::bigint, ${most})`

/** Organizations that have devices and events not yet read for those devices; at most `most`. */
export const organizationsToPush = (sql: Sql, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_push(${most}) AS id`)

/** Notifications that are due, the longest due first; at most `most`. */
export const duePushes = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; eventId: string; deviceId: string }>`
    SELECT organization_id, event_id, device_id FROM due_pushes(${new Date(now)}, ${most})`

/** Organizations with a webhook that has not received all settled events yet; at most `most`. `among` restricts the search to these organizations. */
export const organizationsToFanOut = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM webhooks_behind(${among ?? null}::text[], ${most}) AS id`)

/** Endpoints with a delivery that is due, except those in `without`; at most `most`. */
export const dueWebhooks = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<{ organizationId: string; endpointId: string }>`
    SELECT organization_id, endpoint_id FROM webhooks_due(${new Date(now)}, ${without}::text[], ${most})`
