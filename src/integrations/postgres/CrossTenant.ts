/**
 * Looking a row up before its organization is known: by an API key's prefix, by the telephony provider's account. And for the workers, which
 * organizations have work. These are the only ways around row-level security; each is a SECURITY DEFINER function of the schema that
 * gives one row for one exact key, or ids alone.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../domain/Access.ts"
import { outlasting, webhookPatienceMs } from "./Unreachable.ts"

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
export const lookUpApiKey = Effect.fnUntraced(function* (prefix: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* outlasting(sql<ApiKeyRow>`SELECT * FROM lookup_api_key(${prefix})`)
  return rows.at(0)
})

export interface TelephonyConnectionRow {
  readonly organizationId: string
  readonly accountSid: string
  /** Encrypted. */
  readonly authToken: string
}

/** The connection of a provider's account. */
export const lookUpTelephonyConnection = Effect.fnUntraced(function* (accountSid: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* outlasting(
    sql<TelephonyConnectionRow>`SELECT * FROM lookup_telephony_connection(${accountSid})`,
    { patienceMs: webhookPatienceMs }
  )
  return rows.at(0)
})

/** Messages with something to do, at most so many, longest due first. `now` is Unix time in milliseconds. */
export const dueVoicemails = Effect.fnUntraced(function* (now: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; recordingSid: string }>`
    SELECT organization_id, recording_sid FROM due_voicemails(${new Date(now)}, ${most})`
})

/** Media that have been pending or removing since before `before`, at most so many, longest first. */
export const unsettledMedia = Effect.fnUntraced(function* (before: Date, most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; mediaId: string }>`
    SELECT organization_id, media_id FROM unsettled_media(${before}, ${most})`
})

/** Conversations with a due time that has passed, the longest due first. `now` is Unix time in milliseconds. */
export const dueConversations = Effect.fnUntraced(function* (now: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; conversationId: string }>`
    SELECT organization_id, id AS conversation_id FROM due_conversations(${new Date(now)}, ${most})`
})

/** Forgets which commands conversations carried out before a time (Unix milliseconds), at most so many; says how many. */
export const forgetCommands = Effect.fnUntraced(function* (before: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  const [{ gone }] = yield* sql<{ gone: number }>`SELECT forget_commands(${new Date(before)}, ${most}) AS gone`
  return gone
})

/** The organizations that have calls to place. */
export const organizationsToDial = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    organizationId: string
  }>`SELECT organization_id FROM organizations_to_dial() AS organization_id`
  return rows.map(({ organizationId }) => organizationId)
})

/** The organizations that have messages to hand over at `now`, Unix time in milliseconds. */
export const organizationsToDeliver = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    organizationId: string
  }>`SELECT organization_id FROM organizations_to_deliver(${new Date(now)}) AS organization_id`
  return rows.map(({ organizationId }) => organizationId)
})

/** Calls that are not over, oldest question first, at most 100; both times are Unix milliseconds. */
export const unfinishedCalls = Effect.fnUntraced(function* (begunBefore: number, askedBefore: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; id: string }>`
    SELECT organization_id, id FROM unfinished_calls(${new Date(begunBefore)}, ${new Date(askedBefore)})`
})

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
export const lookUpUser = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* outlasting(sql<UserRow>`SELECT * FROM lookup_user(${email})`)
  return rows.at(0)
})

/** Whose invitation has a token with this SHA-256, in hexadecimal. */
export const lookUpInvitation = Effect.fnUntraced(function* (tokenHash: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* outlasting(sql<UserRow>`SELECT * FROM lookup_invitation(${tokenHash})`)
  return rows.at(0)
})

export interface SessionRow extends Omit<UserRow, "passwordHash" | "deactivatedAt" | "invitedUntil"> {
  readonly userId: string
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

/** The session whose cookie has this SHA-256, in hexadecimal. `id` is the session's. */
export const lookUpSession = Effect.fnUntraced(function* (tokenHash: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* outlasting(sql<SessionRow>`SELECT * FROM lookup_session(${tokenHash})`)
  return rows.at(0)
})

/** Removes idempotency keys and sessions that are over at `now`, at most so many of each; says how many. Unix time in milliseconds. */
export const deleteExpired = Effect.fnUntraced(function* (now: number, idleSince: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  const [{ gone }] = yield* sql<{ gone: number }>`
    SELECT delete_expired(${new Date(now)}, ${new Date(idleSince)}, ${most}) AS gone`
  return gone
})

/** The organizations with devices, and with events that were not looked at for them yet. */
export const organizationsToPush = Effect.fnUntraced(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    organizationId: string
  }>`SELECT organization_id FROM organizations_to_push(${most}) AS organization_id`
  return rows.map(({ organizationId }) => organizationId)
})

/** Notifications that are due at `now` (Unix milliseconds), longest due first. */
export const duePushes = Effect.fnUntraced(function* (now: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; eventId: string; deviceId: string }>`
    SELECT organization_id, event_id, device_id FROM due_pushes(${new Date(now)}, ${most})`
})

/** Organizations that have a broadcast running, or a scheduled one whose time has come. */
export const organizationsToBroadcast = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`SELECT id FROM organizations_to_broadcast() id`
  return rows.map(({ id }) => id)
})

/** Exports with something to do at `now` (Unix milliseconds): to be made, or `expired` and to be removed. */
export const dueExports = Effect.fnUntraced(function* (now: number, most: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ organizationId: string; id: string; expired: boolean }>`
    SELECT organization_id, id, expired FROM due_exports(${new Date(now)}, ${most})`
})

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
export const messagingBacklog = Effect.fnUntraced(function* (most: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<BacklogRow>`SELECT * FROM messaging_backlog(${most})`
  return found
})
