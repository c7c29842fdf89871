/**
 * Looking a row up before its organization is known: by an API key's prefix, by the telephony provider's account. These are the only
 * ways around row-level security; each is a SECURITY DEFINER function of the schema that gives one row for one exact key.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

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
export const lookUpApiKey = (prefix: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<ApiKeyRow>`SELECT * FROM lookup_api_key(${prefix})`
    return rows.at(0)
  })

export interface TelephonyConnectionRow {
  readonly organizationId: string
  readonly accountSid: string
  /** Encrypted. */
  readonly authToken: string
}

/** The connection of a provider's account. */
export const lookUpTelephonyConnection = (accountSid: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<TelephonyConnectionRow>`SELECT * FROM lookup_telephony_connection(${accountSid})`
    return rows.at(0)
  })
