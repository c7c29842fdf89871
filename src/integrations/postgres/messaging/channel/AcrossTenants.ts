/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They find the organization of a connection to the messaging channel, and
 * the items of the inbox that are due. Times are Unix milliseconds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Places } from "../../../../domain/messaging/channel/ChannelInbox.ts"
import { goneOf } from "../../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

export interface ReceiverRow {
  readonly organizationId: string
  readonly phoneNumberId: string
  readonly businessAccountId: string
  /** Encrypted. */
  readonly appSecret: string
}

/** The connections to the messaging channel that have these phone numbers or business accounts. */
export const lookUpChannelConnections = (
  sql: Sql,
  phoneNumberIds: ReadonlyArray<string>,
  businessAccountIds: ReadonlyArray<string>
) =>
  sql<ReceiverRow>`SELECT * FROM lookup_channel_connections(${phoneNumberIds}::text[], ${businessAccountIds}::text[])`

/** Whether any connection to the messaging channel has the verify token with this SHA-256, in hexadecimal. */
export const knowsVerifyToken = (sql: Sql, tokenHash: string) =>
  Effect.map(sql<{ known: boolean }>`SELECT knows_verify_token(${tokenHash}) AS known`, ([{ known }]) => known)

/**
 * Items of the channel inbox that are due at `now`, as many as there are free places. Items that send a request to the channel (for files or lists
 * of templates) use the places in `files`, all others those in `items`.
 */
export const dueInboxItems = (sql: Sql, now: number, { items, files }: Readonly<Record<"items" | "files", Places>>) => {
  const at = new Date(now)
  const filling = ({ free, perOrganization, underWay }: Places) =>
    sql`${Math.max(0, free)}, ${perOrganization}, ${[...underWay]}::text[]`
  return sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_letters_in_channel_inbox(${at}, ${filling(items)})
    UNION ALL SELECT organization_id, id FROM due_files_in_channel_inbox(${at}, ${filling(files)})`
}

/**
 * Removes items of the channel inbox that were settled before `doneBefore` or given up before `failedBefore`; at most `most`. Gives the number of
 * items removed.
 */
export const expireInboxItems = (sql: Sql, doneBefore: number, failedBefore: number, most: number) =>
  goneOf(sql<{ gone: number }>`
      SELECT expire_channel_inbox(${new Date(doneBefore)}, ${new Date(failedBefore)}, ${most}) AS gone`)

/** The numbers of items of the channel inbox that are waiting, and that were given up. */
export const countInboxItems = (sql: Sql) =>
  Effect.map(
    sql<{ waiting: string; failed: string }>`SELECT waiting, failed FROM count_channel_inbox()`,
    ([{ waiting, failed }]) => ({ waiting: Number(waiting), failed: Number(failed) })
  )
