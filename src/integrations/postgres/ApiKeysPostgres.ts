/** API keys in Postgres: found by their public prefix over all organizations, compared by the SHA-256 of the whole key. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys, defaultScopes, Scope } from "../../domain/Access.ts"
import { newId } from "../../domain/Ids.ts"
import { lookUpApiKey } from "./CrossTenant.ts"
import { makeSql } from "./Sql.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const format = /^mk_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}$/

/** `lastUsedAt` is written at most this often. */
const useResolutionMs = 60_000

/** Random base62 text. Bytes of 248 and more are skipped: they would make the first letters likelier. */
const base62 = (length: number): string => {
  let text = ""
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}

const sha256 = (secret: string) => createHash("sha256").update(secret).digest()
const decodeScopes = Schema.decodeUnknownEffect(Schema.Array(Scope))

export const layer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const touch = (organizationId: string, keyId: string, now: Date) =>
      asTenant(organizationId)(sql`UPDATE api_keys SET last_used_at = ${now} WHERE id = ${keyId}`)

    return ApiKeys.of({
      create: Effect.fn("ApiKeys.create")(function* ({ organizationId, name, scopes, expiresAt }) {
        const id = newId("key")
        const prefix = base62(8)
        const secret = `mk_${prefix}_${base62(32)}`
        yield* asTenant(organizationId)(
          sql`INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes, expires_at) VALUES
            (${organizationId}, ${id}, ${name}, ${prefix}, ${sha256(secret)}, ${scopes ?? defaultScopes}, ${expiresAt ?? null})`
        )
        return { id, secret }
      }, Effect.orDie),

      authenticate: Effect.fn("ApiKeys.authenticate")(function* (secret) {
        const prefix = format.exec(secret)?.[1]
        if (prefix === undefined) return undefined
        const key = yield* lookUpApiKey(prefix).pipe(Effect.provideService(SqlClient.SqlClient, sql))
        if (key === undefined || !timingSafeEqual(key.secretHash, sha256(secret))) return undefined
        const now = yield* Clock.currentTimeMillis
        if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt.getTime() <= now)) return undefined
        if (key.lastUsedAt === null || now - key.lastUsedAt.getTime() >= useResolutionMs)
          yield* touch(key.organizationId, key.id, new Date(now))
        return { organizationId: key.organizationId, keyId: key.id, scopes: yield* decodeScopes(key.scopes) }
      }, Effect.orDie),

      revoke: Effect.fn("ApiKeys.revoke")(function* (organizationId, keyId) {
        yield* asTenant(organizationId)(
          sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${keyId} AND revoked_at IS NULL`
        )
      }, Effect.orDie)
    })
  })
)
