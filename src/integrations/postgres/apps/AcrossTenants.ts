/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They give the organizations and connections that have something to do for the
 * workers of integrations. Times are Unix milliseconds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { FairWork, Lane } from "../../../domain/basics/FairWork.ts"
import type { Plan } from "../../../domain/people/organizations/Organization.ts"
import { idsOf, lookUp } from "../tenancy/AcrossTenants.ts"
import { outlasting } from "../tenancy/Unreachable.ts"

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
  (sql: Sql, what: "changes" | "arrivals" | "posts" | "pages"): FairWork["due"] =>
  (now, without, most) =>
    Effect.orDie(
      sql<Lane>`SELECT organization_id, connection_id AS lane FROM apps_due(${what}, ${new Date(now)}, ${without}::text[], ${most})`
    )

interface AddressedPlace extends Place {
  /** Another one after every change of the connection's row. */
  readonly version: string
  readonly plan: Plan
}

/** For each address the connection whose webhooks arrive there (by the SHA-256 of its token, in hexadecimal), and the plan of its organization. */
export const connectionsWithWebhooks = (sql: Sql, hashes: ReadonlyArray<string>) =>
  Effect.map(
    outlasting(
      sql<
        AddressedPlace & { readonly hash: string }
      >`SELECT asked.hash, c.organization_id, c.connection_id, c.version, c.plan FROM unnest(${hashes}::text[]) AS asked (hash), app_with_webhook(asked.hash) c`
    ),
    (rows) => hashes.map((hash) => rows.find((row) => row.hash === hash))
  )

/** Connections whose back-fill is running; at most `most`. */
export const connectionsToFill = (sql: Sql, most: number) =>
  sql<Place>`SELECT organization_id, connection_id FROM apps_to_fill(${most})`

/** Who has a place of a team chat's workspace, with the organization's connection to it. */
export const chatOwner = (sql: Sql, provider: string, teamId: string, place: string) =>
  lookUp(sql<Place>`SELECT organization_id, connection_id FROM chat_owner(${provider}, ${teamId}, ${place})`)

/** The connections to a workspace. */
export const chatConnections = (sql: Sql, provider: string, teamId: string) =>
  sql<Place>`SELECT organization_id, connection_id FROM chat_connections(${provider}, ${teamId})`

/** Of these places of a workspace those that other organizations have. */
export const chatPlacesTaken = (sql: Sql, butBy: string, teamId: string, places: ReadonlyArray<string>) =>
  sql<{ place: string }>`SELECT place FROM chat_places_taken(${butBy}, ${teamId}, ${places}::text[]) AS place`

/** Organizations with a daily summary that is due at `at`; at most `most`. */
export const summariesDue = (sql: Sql, at: number, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM chat_summaries_due(${new Date(at)}, ${most}) AS id`)

/** Organizations whose team chat was not told of all settled events yet; at most `most`. `among` restricts the search to these organizations. */
export const chatsBehind = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  idsOf(sql<{ id: string }>`SELECT id FROM chats_behind(${among ?? null}::text[], ${most}) AS id`)
