/**
 * Ways around row-level security (see `tenancy/AcrossTenants`): they find who asks, by an API key's prefix, an address or the hash of a token,
 * and sweep what has expired. Times are Unix milliseconds.
 */
import type { SqlClient } from "effect/sql"
import type { Role } from "../../../domain/people/access/Access.ts"
import { goneOf, lookUp } from "../tenancy/AcrossTenants.ts"

type Sql = SqlClient.SqlClient

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

/** The person who signs in with this address. */
export const lookUpUser = (sql: Sql, email: string) => lookUp(sql<UserRow>`SELECT * FROM lookup_user(${email})`)

/** Whose invitation has a token with this SHA-256, in hexadecimal. */
export const lookUpInvitation = (sql: Sql, tokenHash: string) =>
  lookUp(sql<UserRow>`SELECT * FROM lookup_invitation(${tokenHash})`)

export interface SessionRow extends Omit<UserRow, "passwordHash" | "deactivatedAt" | "invitedUntil"> {
  readonly userId: string
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

/** The session whose cookie has this SHA-256, in hexadecimal. `id` is the session's. */
export const lookUpSession = (sql: Sql, tokenHash: string) =>
  lookUp(sql<SessionRow>`SELECT * FROM lookup_session(${tokenHash})`)

/** Removes idempotency keys and sessions that are over at `now`, at most so many of each. Gives how many went. */
export const deleteExpired = (sql: Sql, now: number, idleSince: number, most: number) =>
  goneOf(sql<{ gone: number }>`SELECT delete_expired(${new Date(now)}, ${new Date(idleSince)}, ${most}) AS gone`)

/** Takes a device's token (by its SHA-256, in hexadecimal) away from whoever has it: it is somebody else's now, perhaps in another organization. */
export const freeDeviceToken = (sql: Sql, tokenHash: string) => sql`SELECT free_device_token(${tokenHash})`
