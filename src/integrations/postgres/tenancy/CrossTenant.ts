/**
 * What reaches over the borders of organizations: looking a row up before its organization is known (by an API key's prefix, by the telephony
 * provider's account), which organizations have work, and sweeping for all at once. These are the only ways around row-level security; each is a
 * SECURITY DEFINER function of the schema that gives one row for one exact key, ids, or counts alone. (Other such functions, as those of lists, may
 * more than their caller, but keep to the transaction's organization; a test holds the schema to this.)
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { LogPlace } from "../../../domain/events/EventFeed.ts"
import type { Places } from "../../../domain/messaging/channel/ChannelInbox.ts"
import type { Role } from "../../../domain/people/access/Access.ts"
import { outlasting, webhookPatienceMs } from "./Unreachable.ts"

type Sql = SqlClient.SqlClient

const first = <A>(rows: ReadonlyArray<A>): A | undefined => rows.at(0)
const idsOf = (rows: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => rows.map(({ id }) => id)
const goneOf = ([{ gone }]: ReadonlyArray<{ readonly gone: number }>): number => gone

// Rows by a key that only their owner knows.

export interface ApiKeyRow {
  readonly organizationId: string
  readonly id: string
  readonly secretHash: Uint8Array
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

/** The key with this public prefix. The caller must still compare the secret. */
export const lookUpApiKey = (sql: Sql, prefix: string) =>
  Effect.map(outlasting(sql<ApiKeyRow>`SELECT * FROM lookup_api_key(${prefix})`), first)

export interface TelephonyConnectionRow {
  readonly organizationId: string
  readonly accountSid: string
  /** Encrypted. */
  readonly authToken: string
}

/** The connection of a provider's account. */
export const lookUpTelephonyConnection = (sql: Sql, accountSid: string) =>
  Effect.map(
    outlasting(sql<TelephonyConnectionRow>`SELECT * FROM lookup_telephony_connection(${accountSid})`, {
      patienceMs: webhookPatienceMs
    }),
    first
  )

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

export interface UserRow {
  readonly organizationId: string
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly passwordHash: string
  readonly deactivatedAt: Date | null
  readonly invitedUntil: Date | null
}

/** The person who signs in with this address. */
export const lookUpUser = (sql: Sql, email: string) =>
  Effect.map(outlasting(sql<UserRow>`SELECT * FROM lookup_user(${email})`), first)

/** Whose invitation has a token with this SHA-256, in hexadecimal. */
export const lookUpInvitation = (sql: Sql, tokenHash: string) =>
  Effect.map(outlasting(sql<UserRow>`SELECT * FROM lookup_invitation(${tokenHash})`), first)

export interface SessionRow extends Omit<UserRow, "passwordHash" | "deactivatedAt" | "invitedUntil"> {
  readonly userId: string
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

/** The session whose cookie has this SHA-256, in hexadecimal. `id` is the session's. */
export const lookUpSession = (sql: Sql, tokenHash: string) =>
  Effect.map(outlasting(sql<SessionRow>`SELECT * FROM lookup_session(${tokenHash})`), first)

// Organizations.

/** All of them, in the order of their ids: the next `most` after `after`. */
export const organizationsAfter = (sql: Sql, after: string, most: number) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM organization_ids(${after}, ${most}) AS id`, idsOf)

/** Those that have calls to place. */
export const organizationsToDial = (sql: Sql) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM organizations_to_dial() AS id`, idsOf)

/** Those that have messages to hand over at `now`, Unix time in milliseconds. */
export const organizationsToDeliver = (sql: Sql, now: number) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM organizations_to_deliver(${new Date(now)}) AS id`, idsOf)

/** Those that have a broadcast running, or a scheduled one whose time has come. */
export const organizationsToBroadcast = (sql: Sql) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM organizations_to_broadcast() AS id`, idsOf)

/** Those with devices, and with events that were not looked at for them yet; at most so many. */
export const organizationsToPush = (sql: Sql, most: number) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM organizations_to_push(${most}) AS id`, idsOf)

/** Those with a webhook that has not been given all settled events yet, of these or of all; at most so many. */
export const organizationsToFanOut = (sql: Sql, among: ReadonlyArray<string> | undefined, most: number) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM webhooks_behind(${among ?? null}::text[], ${most}) AS id`, idsOf)

/** The settled places of the event log behind `after`, in order, and whose they are; at most so many. */
export const eventsBehind = (sql: Sql, after: LogPlace, most: number) =>
  sql<LogPlace & { organizationId: string }>`SELECT organization_id, transaction, position
    FROM events_behind(${after.transaction}::xid8, ${after.position}::bigint, ${most})`

// What is due, by its ids. `now` is Unix time in milliseconds.

/** Messages with something to do, at most so many, longest due first. */
export const dueVoicemails = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; recordingSid: string }>`
    SELECT organization_id, recording_sid FROM due_voicemails(${new Date(now)}, ${most})`

/** Media that have been pending or removing since before `before`, at most so many, longest first. */
export const unsettledMedia = (sql: Sql, before: Date, most: number) =>
  sql<{ organizationId: string; mediaId: string }>`
    SELECT organization_id, media_id FROM unsettled_media(${before}, ${most})`

/** Conversations with a due time that has passed, the longest due first. */
export const dueConversations = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; conversationId: string }>`
    SELECT organization_id, id AS conversation_id FROM due_conversations(${new Date(now)}, ${most})`

/** Calls that are not over, oldest question first, at most 100; both times are Unix milliseconds. */
export const unfinishedCalls = (sql: Sql, begunBefore: number, askedBefore: number) =>
  sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM unfinished_calls(${new Date(begunBefore)}, ${new Date(askedBefore)})`

/** Items of the channel inbox, those that ask the channel for something (files, lists of templates) in places of their own. */
export const dueInboxItems = (sql: Sql, now: number, { items, files }: Readonly<Record<"items" | "files", Places>>) => {
  const at = new Date(now)
  const filling = ({ free, perOrganization, underWay }: Places) =>
    sql`${Math.max(0, free)}, ${perOrganization}, ${[...underWay]}::text[]`
  return sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM due_letters_in_channel_inbox(${at}, ${filling(items)})
    UNION ALL SELECT organization_id, id FROM due_files_in_channel_inbox(${at}, ${filling(files)})`
}

/** Endpoints with a delivery that is due, but for some; at most so many. */
export const dueWebhooks = (sql: Sql, now: number, without: ReadonlyArray<string>, most: number) =>
  sql<{ organizationId: string; endpointId: string }>`
    SELECT organization_id, endpoint_id FROM webhooks_due(${new Date(now)}, ${without}::text[], ${most})`

/** Notifications that are due, longest first. */
export const duePushes = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; eventId: string; deviceId: string }>`
    SELECT organization_id, event_id, device_id FROM due_pushes(${new Date(now)}, ${most})`

/** Exports with something to do: to be made, or `expired` and to be removed. */
export const dueExports = (sql: Sql, now: number, most: number) =>
  sql<{ organizationId: string; id: string; expired: boolean }>`
    SELECT organization_id, id, expired FROM due_exports(${new Date(now)}, ${most})`

// Sweeping. Times are Unix milliseconds; the answer is how many rows went.

/** Forgets which commands conversations carried out before a time, at most so many. */
export const forgetCommands = (sql: Sql, before: number, most: number) =>
  Effect.map(sql<{ gone: number }>`SELECT forget_commands(${new Date(before)}, ${most}) AS gone`, goneOf)

/** Removes idempotency keys and sessions that are over at `now`, at most so many of each. */
export const deleteExpired = (sql: Sql, now: number, idleSince: number, most: number) =>
  Effect.map(
    sql<{ gone: number }>`SELECT delete_expired(${new Date(now)}, ${new Date(idleSince)}, ${most}) AS gone`,
    goneOf
  )

/** Removes items of the channel inbox that were settled, or given up, before a time; at most so many. */
export const expireInboxItems = (sql: Sql, doneBefore: number, failedBefore: number, most: number) =>
  Effect.map(
    sql<{ gone: number }>`
      SELECT expire_channel_inbox(${new Date(doneBefore)}, ${new Date(failedBefore)}, ${most}) AS gone`,
    goneOf
  )

/** Removes what the audit says of moderated speech before a time, of the transaction's organization: its role may only add to it. At most so many. */
export const expireModerations = (sql: Sql, before: number, most: number) =>
  Effect.map(sql<{ gone: number }>`SELECT expire_moderations(${new Date(before)}, ${most}) AS gone`, goneOf)

/** Puts together what connections have counted for lists; lists with fewer than `crowded` rows of it are left. */
export const compactListCounts = (sql: Sql, crowded: number) =>
  Effect.map(sql<{ gone: number }>`SELECT compact_list_counts(${crowded}) AS gone`, goneOf)

/** Takes a device's token (by its SHA-256, in hexadecimal) away from whoever has it: it is somebody else's now, perhaps in another organization. */
export const freeDeviceToken = (sql: Sql, tokenHash: string) => sql`SELECT free_device_token(${tokenHash})`

// Counts.

/** Items of the channel inbox that wait, and that were given up. */
export const countInboxItems = (sql: Sql) =>
  Effect.map(
    sql<{ waiting: string; failed: string }>`SELECT waiting, failed FROM count_channel_inbox()`,
    ([{ waiting, failed }]) => ({ waiting: Number(waiting), failed: Number(failed) })
  )

export interface BacklogRow {
  /** Messages on their way to the channel, and when the oldest was queued. */
  readonly outbox: bigint
  readonly outboxOldest: Date | null
  /** Deliveries of webhooks, and notifications to devices, that wait for their next attempt. */
  readonly webhooks: bigint
  readonly pushes: bigint
  readonly broadcastsRunning: bigint
  readonly broadcastsScheduled: bigint
  /** When the oldest event was written that a transaction under way holds back from readers. */
  readonly eventHeldBack: Date | null
}

/** What waits in all organizations; the counts of what waits go no further than `most`. */
export const messagingBacklog = (sql: Sql, most: number) =>
  Effect.map(sql<BacklogRow>`SELECT * FROM messaging_backlog(${most})`, ([found]) => found)
