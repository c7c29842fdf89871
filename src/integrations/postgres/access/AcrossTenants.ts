/**
 * Queries that bypass row-level security (see `tenancy/AcrossTenants`). They find the caller by an API key's prefix, an email address or the hash
 * of a token, and remove expired rows. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import type { Role } from "../../../domain/people/access/Access.ts"
import { goneOf, idsOf, lookUp } from "../tenancy/AcrossTenants.ts"
import { outlasting } from "../tenancy/Unreachable.ts"

type Sql = SqlClient.SqlClient

export interface ApiKeyRow {
  readonly organizationId: string
  readonly id: string
  readonly secretHash: Uint8Array
  readonly scopes: ReadonlyArray<string>
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly makerId: string | null
  /** Null when the maker is the operator. */
  readonly makerRole: Role | null
  readonly makerDeactivatedAt: Date | null
  readonly clientId: string | null
}

/** The key with this public prefix. The caller must still compare the secret. */
export const lookUpApiKey = (sql: Sql, prefix: string) =>
  lookUp(sql<ApiKeyRow>`SELECT * FROM lookup_api_key(${prefix})`)

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

/** The users with this email address, one of each organization at most, the oldest first. */
export const lookUpUsers = (sql: Sql, email: string) => outlasting(sql<UserRow>`SELECT * FROM lookup_user(${email})`)

/** The user whose invitation token has this SHA-256, in hexadecimal. */
export const lookUpInvitation = (sql: Sql, tokenHash: string) =>
  lookUp(sql<UserRow>`SELECT * FROM lookup_invitation(${tokenHash})`)

export interface SessionRow extends Omit<UserRow, "passwordHash" | "deactivatedAt" | "invitedUntil"> {
  readonly userId: string
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

/** The session whose cookie has this SHA-256, in hexadecimal. `id` is the id of the session. */
export const lookUpSession = (sql: Sql, tokenHash: string) =>
  lookUp(sql<SessionRow>`SELECT * FROM lookup_session(${tokenHash})`)

/** Removes idempotency keys and sessions that have expired at `now`, at most `most` of each kind. Gives the number of rows removed. */
export const deleteExpired = (sql: Sql, now: number, idleSince: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT delete_expired(${new Date(now)}, ${new Date(idleSince)}, ${most}) AS gone`)

/**
 * Removes the token with one of these hashes from the device that has it. Another user has taken the token over, perhaps in another organization.
 */
export const freeDeviceToken = (sql: Sql, tokenHashes: ReadonlyArray<string>) =>
  sql`SELECT free_device_tokens(${tokenHashes}::text[])`

/** Organizations with devices whose token is not encrypted yet. */
export const organizationsWithPlainTokens = (sql: Sql) =>
  idsOf(sql<{ id: string }>`SELECT id FROM organizations_with_plain_tokens() AS id`)

export interface OAuthClientRow {
  readonly id: string
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
  readonly secretHash: string | null
}

/** The OAuth client with this id, if it registered itself. */
export const lookUpOAuthClient = (sql: Sql, id: string) =>
  lookUp(sql<OAuthClientRow>`SELECT * FROM lookup_oauth_client(${id})`)

/** Stores an OAuth client. Beyond `most` clients that nobody has used, the oldest of them is removed. */
export const registerOAuthClient = (sql: Sql, client: OAuthClientRow, at: Date, most: number) =>
  sql`SELECT register_oauth_client(${client.id}, ${client.name}, ${client.redirectUris}::text[], ${client.secretHash}, ${at}, ${most})`

export const useOAuthClient = (sql: Sql, id: string, at: Date) => sql`SELECT use_oauth_client(${id}, ${at})`

export interface OAuthCodeRow {
  readonly organizationId: string
  readonly userId: string
  readonly clientId: string
  readonly clientName: string
  readonly scopes: ReadonlyArray<string>
  readonly redirectUri: string
  readonly challenge: string
  readonly expiresAt: Date
  readonly keyId: string | null
}

/** What a person allowed, by the SHA-256 of its code, in hexadecimal. */
export const lookUpOAuthCode = (sql: Sql, codeHash: string) =>
  lookUp(sql<OAuthCodeRow>`SELECT * FROM lookup_oauth_code(${codeHash})`)

/** Whose token has this SHA-256, in hexadecimal. */
export const lookUpOAuthToken = (sql: Sql, hash: string) =>
  lookUp(sql<{ readonly organizationId: string; readonly keyId: string }>`SELECT * FROM lookup_oauth_token(${hash})`)

/**
 * Removes tokens that have expired at `now`, clients and codes unused since `unusedSince`, and clients last used before `forgottenSince`; at most `most`
 * of each kind. Gives the number of rows removed.
 */
export const deleteExpiredOAuth = (sql: Sql, now: number, unusedSince: number, forgottenSince: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT delete_expired_oauth(${new Date(now)}, ${new Date(unusedSince)},
    ${new Date(forgottenSince)}, ${most}) AS gone`)
