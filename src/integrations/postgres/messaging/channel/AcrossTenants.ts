/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they find whose a connection to the messaging channel is, and the work in the
 * inbox. Times are Unix milliseconds.
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

/** The connections to the messaging channel of these numbers and business accounts. */
export const lookUpChannelConnections = (
  sql: Sql,
  phoneNumberIds: ReadonlyArray<string>,
  businessAccountIds: ReadonlyArray<string>
) =>
  sql<ReceiverRow>`SELECT * FROM lookup_channel_connections(${phoneNumberIds}::text[], ${businessAccountIds}::text[])`

/** Whether some connection to the messaging channel has the verify token with this SHA-256, in hexadecimal. */
export const knowsVerifyToken = (sql: Sql, tokenHash: string) =>
  Effect.map(sql<{ known: boolean }>`SELECT knows_verify_token(${tokenHash}) AS known`, ([{ known }]) => known)

/** Items of the channel inbox, those that ask the channel for something (files, lists of templates) in places of their own. */
export const dueInboxItems = (sql: Sql, now: number, { items, files }: Readonly<Record<"items" | "files", Places>>) => {
  const at = new Date(now)
  const filling = ({ free, perOrganization, underWay }: Places) =>
    sql`${Math.max(0, free)}, ${perOrganization}, ${[...underWay]}::text[]`
  return sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_letters_in_channel_inbox(${at}, ${filling(items)})
    UNION ALL SELECT organization_id, id FROM due_files_in_channel_inbox(${at}, ${filling(files)})`
}

/** Removes items of the channel inbox that were settled, or given up, before a time; at most so many. Gives how many went. */
export const expireInboxItems = (sql: Sql, doneBefore: number, failedBefore: number, most: number) =>
  goneOf(sql<{ gone: number }>`
      SELECT expire_channel_inbox(${new Date(doneBefore)}, ${new Date(failedBefore)}, ${most}) AS gone`)

/** Items of the channel inbox that wait, and that were given up. */
export const countInboxItems = (sql: Sql) =>
  Effect.map(
    sql<{ waiting: string; failed: string }>`SELECT waiting, failed FROM count_channel_inbox()`,
    ([{ waiting, failed }]) => ({ waiting: Number(waiting), failed: Number(failed) })
  )
