/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they give the organizations that have events to look at, and the deliveries
 * that are due. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import type { LogPlace } from "../../../domain/events/EventFeed.ts"
import { idsOf } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

/** The settled places of the event log behind `after`, in order, and whose they are; at most so many. */
export const eventsBehind = (sql: Sql, after: LogPlace, most: number) =>
  sql<LogPlace & { organizationId: string }>`SELECT organization_id, transaction, position
    FROM events_behind(${after.transaction}::xid8, ${after.position}::bigint, ${most})`

/** Organizations with devices, and with events that were not looked at for them yet; at most so many. */
export const organizationsToPush = (sql: Sql, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_to_push(${most}) AS id`)

/** Notifications that are due, longest first. */
export const duePushes = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; eventId: string; deviceId: string }>`
    SELECT organization_id, event_id, device_id FROM due_pushes(${new Date(now)}, ${most})`

/** Organizations with a webhook that has not been given all settled events yet, of these or of all; at most so many. */
export const organizationsToFanOut = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM webhooks_behind(${among ?? null}::text[], ${most}) AS id`)

/** Endpoints with a delivery that is due, but for some; at most so many. */
export const dueWebhooks = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<{ organizationId: string; endpointId: string }>`
    SELECT organization_id, endpoint_id FROM webhooks_due(${new Date(now)}, ${without}::text[], ${most})`
