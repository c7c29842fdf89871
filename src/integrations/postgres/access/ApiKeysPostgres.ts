/** API keys in Postgres. A key is found by its public prefix across all organizations and compared by the SHA-256 of the whole key. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Clock, Effect, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { defaultScopes, roleScopes, Scope } from "../../../domain/people/access/Access.ts"
import { ApiKey, ApiKeys } from "../../../domain/people/access/ApiKey.ts"
import { base62 } from "../../secrets/Base62.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../tenancy/Sql.ts"
import { type ApiKeyRow, lookUpApiKey } from "./AcrossTenants.ts"

const format = /^mk_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}$/

/** `lastUsedAt` is written at most once in this time. */
const useResolutionMs = 60_000

const sha256 = (secret: string) => createHash("sha256").update(secret).digest()
const decodeScopes = Schema.decodeUnknownEffect(Schema.Array(Scope))
const decodeKey = Schema.decodeUnknownEffect(ApiKey)

interface Row {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string | null
  readonly scopes: ReadonlyArray<string>
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly makerId: string | null
  readonly clientId: string | null
  readonly rotatedTo: string | null
}

const statusOf = ({ revokedAt, expiresAt }: Row, now: number): ApiKey["status"] => {
  if (revokedAt !== null) return "revoked"
  return expiresAt !== null && expiresAt.getTime() <= now ? "expired" : "active"
}

const decode = (row: Row) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    decodeKey({
      ...row,
      prefix: `mk_${row.prefix}`,
      status: statusOf(row, now),
      createdAt: iso(row.createdAt),
      expiresAt: isoOrNull(row.expiresAt),
      revokedAt: isoOrNull(row.revokedAt),
      lastUsedAt: isoOrNull(row.lastUsedAt)
    })
  )

export const layer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const touch = (organizationId: string, keyId: string, now: Date) =>
      asTenant(organizationId)(sql`UPDATE api_keys SET last_used_at = ${now} WHERE id = ${keyId}`)

    /** When the access token of an assistant's key expires; undefined when it is none of this key. Expired ones are removed now and then. */
    const tokenEnd = Effect.fnUntraced(function* ({ organizationId, id }: ApiKeyRow, secret: string) {
      const [token] = yield* asTenant(organizationId)(
        sql<{ readonly expiresAt: Date }>`SELECT expires_at FROM oauth_tokens
          WHERE token_hash = ${tokenHash(secret)} AND key_id = ${id} AND kind = 'access'`
      )
      return token?.expiresAt
    })

    /** When the secret of a key expires, null for never; undefined when it is not the key's. */
    const secretEnd = Effect.fnUntraced(function* (key: ApiKeyRow, secret: string) {
      if (key.clientId === null) return timingSafeEqual(key.secretHash, sha256(secret)) ? key.expiresAt : undefined
      return yield* tokenEnd(key, secret)
    })

    return ApiKeys.of({
      create: traced("ApiKeys.create")(function* ({ organizationId, name, scopes, expiresAt, makerId, clientId }) {
        const id = newId("key")
        const prefix = base62(8)
        const secret = `mk_${prefix}_${base62(32)}`
        yield* asTenant(organizationId)(
          sql`INSERT INTO api_keys (organization_id, id, name, prefix, last_four, secret_hash, scopes, expires_at, maker_id, client_id)
            VALUES (${organizationId}, ${id}, ${name}, ${prefix}, ${secret.slice(-4)}, ${sha256(secret)},
              ${scopes ?? defaultScopes}, ${expiresAt ?? null}, ${makerId ?? null}, ${clientId ?? null})`
        )
        return { id, secret }
      }, Effect.orDie),

      authenticate: traced("ApiKeys.authenticate")(function* (secret) {
        const prefix = format.exec(secret)?.[1]
        if (prefix === undefined) return undefined
        const key = yield* lookUpApiKey(sql, prefix)
        if (key === undefined) return undefined
        const endsAt = yield* secretEnd(key, secret)
        if (endsAt === undefined) return undefined
        const now = yield* Clock.currentTimeMillis
        if (key.revokedAt !== null || (endsAt !== null && endsAt.getTime() <= now)) return undefined
        // A key that was made while its maker was deactivated or demoted may have been missed by that change.
        if (key.makerDeactivatedAt !== null) return undefined
        const scopes = yield* decodeScopes(key.scopes)
        const { makerRole } = key
        if (key.lastUsedAt === null || now - key.lastUsedAt.getTime() >= useResolutionMs)
          yield* touch(key.organizationId, key.id, new Date(now))
        return {
          organizationId: key.organizationId,
          keyId: key.id,
          scopes: makerRole === null ? scopes : scopes.filter((scope) => roleScopes[makerRole].includes(scope)),
          ...(endsAt === null ? {} : { validUntil: endsAt.getTime() }),
          ...(key.clientId === null ? {} : { clientId: key.clientId })
        }
      }, Effect.orDie),

      list: traced("ApiKeys.list")(
        (organizationId, page, limit) =>
          numbered({ sql, asTenant }, organizationId, { from: sql`api_keys`, decode }, page, limit),
        Effect.orDie
      ),

      find: traced("ApiKeys.find")(function* (organizationId, keyId) {
        const rows = yield* asTenant(organizationId)(sql<Row>`SELECT * FROM api_keys WHERE id = ${keyId}`)
        return rows.length === 0 ? undefined : yield* decode(rows[0])
      }, Effect.orDie),

      supersede: traced("ApiKeys.supersede")(function* (organizationId, keyId, successorId, endsAt) {
        const now = new Date(yield* Clock.currentTimeMillis)
        // The hooks of automation tools go on with the new key.
        const rows = yield* asTenant(organizationId)(
          sql`WITH superseded AS (UPDATE api_keys SET rotated_to = ${successorId}, expires_at = LEAST(expires_at, ${endsAt}::timestamptz)
            WHERE id = ${keyId} AND rotated_to IS NULL AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > ${now}) RETURNING id),
            hooks AS (SELECT id FROM webhook_endpoints WHERE hook_key_id IN (SELECT id FROM superseded) ORDER BY id FOR NO KEY UPDATE),
            moved AS (UPDATE webhook_endpoints SET hook_key_id = ${successorId} WHERE id IN (SELECT id FROM hooks))
            SELECT id FROM superseded`
        )
        return rows.length > 0
      }, Effect.orDie),

      change: traced("ApiKeys.change")(function* (organizationId, keyId, { name, expiresAt }) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* asTenant(organizationId)(
          sql<Row>`UPDATE api_keys SET name = COALESCE(${name ?? null}, name),
              expires_at = CASE WHEN ${expiresAt !== undefined} THEN ${expiresAt ?? null}::timestamptz ELSE expires_at END
            WHERE id = ${keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}) RETURNING *`
        )
        return rows.length === 0 ? undefined : yield* decode(rows[0])
      }, Effect.orDie),

      revoke: traced("ApiKeys.revoke")(function* (organizationId, keyId) {
        yield* asTenant(organizationId)(
          sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${keyId} AND revoked_at IS NULL`
        )
      }, Effect.orDie)
    })
  })
)
