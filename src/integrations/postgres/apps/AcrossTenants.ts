/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations and connections that have something to do for the
 * workers of integrations. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import { idsOf, lookUp } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

interface Place {
  readonly organizationId: string
  readonly connectionId: string
}

/** Organizations with a connection that was not given all settled events yet; at most `most`. `among` restricts the search to these organizations. */
export const organizationsToSync = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM apps_behind(${among ?? null}::text[], ${most}) AS id`)

/** Connections with a change that is due, except those in `without`; at most `most`. */
export const dueConnections = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM apps_due(${new Date(now)}, ${without}::text[], ${most})`

/** Connections with an arrival that is due, except those in `without`; at most `most`. */
export const dueArrivals = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM app_arrivals_due(${new Date(now)}, ${without}::text[], ${most})`

/** Connections with a page of records that is due, except those in `without`; at most `most`. */
export const duePulls = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM app_pulls_due(${new Date(now)}, ${without}::text[], ${most})`

/** The connection whose webhooks arrive at the address with this token; its SHA-256, in hexadecimal. */
export const connectionWithWebhook = (sql: Sql, hash: string) =>
  lookUp(sql<Place>`SELECT organization_id, connection_id FROM app_with_webhook(${hash})`)

/** Connections whose back-fill is running; at most `most`. */
export const connectionsToFill = (sql: Sql, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM apps_to_fill(${most})`
