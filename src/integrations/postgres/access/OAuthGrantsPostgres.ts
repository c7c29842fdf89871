/** Codes and tokens of assistants in Postgres, by their SHA-256. All tokens of a key begin with the key's public prefix, by which they are found. */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { type Role, Scope } from "../../../domain/people/access/Access.ts"
import {
  accessTokenLifetimeMs,
  codeLifetimeMs,
  OAuthGrants,
  refreshTokenLifetimeMs
} from "../../../domain/people/oauth/OAuthGrant.ts"
import { base62 } from "../../secrets/Base62.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { makeSql, within } from "../tenancy/Sql.ts"
import { lookUpOAuthCode, lookUpOAuthToken } from "./AcrossTenants.ts"

/** The most tokens of each kind that a key keeps. Who refreshes more often than others loses the oldest ones. */
const mostTokens = 100

const decodeScopes = Schema.decodeUnknownEffect(Schema.Array(Scope))

interface KeyRow {
  readonly clientId: string | null
  readonly scopes: ReadonlyArray<string>
  readonly revokedAt: Date | null
  readonly makerRole: Role | null
  readonly deactivatedAt: Date | null
}

export const layer = Layer.effect(
  OAuthGrants,
  Effect.gen(function* () {
    const { sql, asTenant, asTenantAsOne } = yield* makeSql

    return OAuthGrants.of({
      allow: traced("OAuthGrants.allow")(function* ({ organizationId, userId, clientId, clientName, ...grant }) {
        const code = randomBytes(32).toString("base64url")
        const expiresAt = new Date((yield* Clock.currentTimeMillis) + codeLifetimeMs)
        yield* asTenant(organizationId)(
          sql`INSERT INTO oauth_codes (organization_id, code_hash, user_id, client_id, client_name, scopes, redirect_uri, challenge,
              expires_at)
            VALUES (${organizationId}, ${tokenHash(code)}, ${userId}, ${clientId}, ${clientName}, ${grant.scopes},
              ${grant.redirectUri}, ${grant.challenge}, ${expiresAt})`
        )
        return code
      }, Effect.orDie),

      findCode: traced("OAuthGrants.findCode")(function* (code) {
        const row = yield* lookUpOAuthCode(sql, tokenHash(code))
        if (row === undefined) return undefined
        return { ...row, scopes: yield* decodeScopes(row.scopes), expiresAt: row.expiresAt.getTime() }
      }, Effect.orDie),

      useCode: traced("OAuthGrants.useCode")(function* (organizationId, code, keyId) {
        const used = yield* asTenant(organizationId)(
          sql`UPDATE oauth_codes SET key_id = ${keyId} WHERE code_hash = ${tokenHash(code)} AND key_id IS NULL RETURNING 1`
        )
        return used.length > 0
      }, Effect.orDie),

      findToken: traced("OAuthGrants.findToken")((token) => lookUpOAuthToken(sql, tokenHash(token)), Effect.orDie),

      whole: (organizationId, change) => within(asTenantAsOne(organizationId))(change),

      lockKey: traced("OAuthGrants.lockKey")(function* ({ organizationId, keyId }) {
        const [row] = yield* asTenant(organizationId)(
          sql<KeyRow>`SELECT k.client_id, k.scopes, k.revoked_at, u.role AS maker_role, u.deactivated_at
            FROM api_keys k LEFT JOIN users u ON u.id = k.maker_id WHERE k.id = ${keyId} FOR NO KEY UPDATE OF k`
        )
        if (row === undefined) return undefined
        return {
          clientId: row.clientId,
          scopes: yield* decodeScopes(row.scopes),
          isOver: row.revokedAt !== null || row.deactivatedAt !== null,
          makerRole: row.makerRole
        }
      }, Effect.orDie),

      useRefreshToken: traced("OAuthGrants.useRefreshToken")(function* (organizationId, token) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const [row] = yield* asTenant(organizationId)(
          sql<{ readonly usedAt: Date }>`UPDATE oauth_tokens SET used_at = coalesce(used_at, ${now})
            WHERE token_hash = ${tokenHash(token)} AND kind = 'refresh' AND expires_at > ${now} RETURNING used_at`
        )
        return row?.usedAt.getTime()
      }, Effect.orDie),

      issue: traced("OAuthGrants.issue")(function* ({ organizationId, keyId }) {
        const now = yield* Clock.currentTimeMillis
        const [accessEnd, refreshEnd] = [new Date(now + accessTokenLifetimeMs), new Date(now + refreshTokenLifetimeMs)]
        const [secret, refreshToken] = [base62(32), `mr_${randomBytes(32).toString("base64url")}`]
        const store = Effect.gen(function* () {
          const [{ prefix }] = yield* sql<{ readonly prefix: string }>`UPDATE api_keys
            SET expires_at = ${refreshEnd}, last_four = ${secret.slice(-4)} WHERE id = ${keyId} RETURNING prefix`
          const accessToken = `mk_${prefix}_${secret}`
          yield* sql`INSERT INTO oauth_tokens (organization_id, token_hash, key_id, kind, expires_at) VALUES
            (${organizationId}, ${tokenHash(accessToken)}, ${keyId}, 'access', ${accessEnd}),
            (${organizationId}, ${tokenHash(refreshToken)}, ${keyId}, 'refresh', ${refreshEnd})`
          yield* sql`DELETE FROM oauth_tokens WHERE key_id = ${keyId} AND token_hash IN (SELECT token_hash FROM (
            SELECT token_hash, row_number() OVER (PARTITION BY kind ORDER BY expires_at DESC) AS place FROM oauth_tokens
            WHERE key_id = ${keyId}) AS placed WHERE place > ${mostTokens})`
          return { accessToken, refreshToken }
        })
        return yield* asTenant(organizationId)(store)
      }, Effect.orDie)
    })
  })
)
