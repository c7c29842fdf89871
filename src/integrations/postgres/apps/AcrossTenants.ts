/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations and connections that have something to do for the
 * workers of integrations. Times are Unix milliseconds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { FairWork, Lane } from "../../../domain/basics/FairWork.ts"
import { idsOf, lookUp } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

interface Place {
  readonly organizationId: string
  readonly connectionId: string
}

/** Organizations with a connection that was not given all settled events yet; at most `most`. `among` restricts the search to these organizations. */
export const organizationsToSync = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM apps_behind(${among ?? null}::text[], ${most}) AS id`)

/** Gives the connections that have such work, the longest due first, except those in `without`; at most `most`. */
export const connectionsDue =
  (sql: Sql, what: "changes" | "arrivals" | "pages"): FairWork["due"] =>
  (now, without, most) =>
    Effect.orDie(
      sql<Lane>`SELECT organization_id, connection_id AS lane FROM apps_due(${what}, ${new Date(now)}, ${without}::text[], ${most})`
    )

/** The connection whose webhooks arrive at the address with this token; its SHA-256, in hexadecimal. */
export const connectionWithWebhook = (sql: Sql, hash: string) =>
  lookUp(sql<Place>`SELECT organization_id, connection_id FROM app_with_webhook(${hash})`)

/** Connections whose back-fill is running; at most `most`. */
export const connectionsToFill = (sql: Sql, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM apps_to_fill(${most})`
