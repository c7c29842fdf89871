/** Grants of external MCP servers in Postgres. Tokens and what is under way are encrypted with the key ring. */
import { Effect, Layer, Schema } from "effect"
import {
  listedScopes,
  type McpAuthorization,
  type McpGrant,
  McpGrants,
  McpPending,
  McpTokens
} from "../../../domain/ai/tools/McpGrant.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"

interface Row {
  readonly organizationId: string
  readonly serverId: string
  readonly status: McpGrant["status"]
  readonly tokens: string
  readonly wanted: ReadonlyArray<string>
  readonly version: number
  readonly renewalFailedAt: Date | null
}

interface ShownRow extends Pick<Row, "serverId" | "status" | "wanted"> {
  readonly issuer: string
  readonly scopes: ReadonlyArray<string>
  readonly authorizedBy: string
  readonly authorizedAt: Date
}

const tokensOwner = (organizationId: string) => ({ organizationId, field: "mcp_grants.tokens" })
const pendingOwner = (organizationId: string) => ({ organizationId, field: "mcp_authorizations.pending" })
const decodeTokens = Schema.decodeUnknownEffect(Schema.fromJsonString(McpTokens))
const decodePending = Schema.decodeUnknownEffect(Schema.fromJsonString(McpPending))

const shown = ({ serverId: _, authorizedAt, ...row }: ShownRow): McpAuthorization => ({
  ...row,
  authorizedAt: iso(authorizedAt)
})

export const layer = Layer.effect(
  McpGrants,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const ring = yield* KeyRing
    const columns = sql.literal("organization_id, server_id, status, tokens, wanted, version, renewal_failed_at")

    const grantOf = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>) {
      const [row] = rows
      if (row === undefined) return undefined
      const { tokens: sealed, renewalFailedAt, ...rest } = row
      const tokens = yield* decodeTokens(yield* ring.decrypt(tokensOwner(row.organizationId), sealed))
      return { ...rest, tokens, renewalFailedAt: renewalFailedAt?.getTime() ?? null } satisfies McpGrant
    })
    const seal = (organizationId: string, tokens: McpTokens) =>
      ring.encrypt(tokensOwner(organizationId), JSON.stringify(tokens))
    const issuerOf = ({ server }: McpTokens) => server.issuer ?? server.url

    return McpGrants.of({
      list: traced("McpGrants.list")(
        (organizationId) =>
          Effect.map(
            asTenant(organizationId)(
              sql<ShownRow>`SELECT server_id, status, issuer, scopes, wanted, authorized_by, authorized_at FROM mcp_grants`
            ),
            (rows) => new Map(rows.map((row) => [row.serverId, shown(row)]))
          ),
        Effect.orDie
      ),

      find: traced("McpGrants.find")(function* (organizationId, serverId) {
        return yield* grantOf(
          yield* asTenant(organizationId)(sql<Row>`SELECT ${columns} FROM mcp_grants WHERE server_id = ${serverId}`)
        )
      }, Effect.orDie),

      save: traced("McpGrants.save")(function* (organizationId, serverId, tokens, userId, now) {
        const sealed = yield* seal(organizationId, tokens)
        yield* asTenant(organizationId)(
          sql`INSERT INTO mcp_grants (organization_id, server_id, status, issuer, scopes, tokens, authorized_by, authorized_at)
            SELECT ${organizationId}, s.id, 'authorized', ${issuerOf(tokens)}, ${listedScopes(tokens.scope)}::text[], ${sealed},
              ${userId}, ${new Date(now)} FROM mcp_servers s WHERE s.id = ${serverId} FOR KEY SHARE OF s
            ON CONFLICT (organization_id, server_id) DO UPDATE SET status = 'authorized', issuer = excluded.issuer,
              scopes = excluded.scopes, wanted = '{}', tokens = excluded.tokens, version = mcp_grants.version + 1,
              renewal_failed_at = NULL, authorized_by = excluded.authorized_by, authorized_at = excluded.authorized_at`
        )
      }, Effect.orDie),

      replace: traced("McpGrants.replace")(function* ({ organizationId, serverId, version }, tokens) {
        const sealed = yield* seal(organizationId, tokens)
        return yield* grantOf(
          yield* asTenant(organizationId)(
            sql<Row>`UPDATE mcp_grants SET tokens = ${sealed}, scopes = ${listedScopes(tokens.scope)}::text[],
                version = version + 1, renewal_failed_at = NULL
              WHERE server_id = ${serverId} AND version = ${version} RETURNING ${columns}`
          )
        )
      }, Effect.orDie),

      renewalFailed: traced("McpGrants.renewalFailed")(
        ({ organizationId, serverId }, now) =>
          asTenant(organizationId)(
            sql`UPDATE mcp_grants SET renewal_failed_at = ${new Date(now)} WHERE server_id = ${serverId}`
          ),
        Effect.orDie,
        Effect.asVoid
      ),

      lose: traced("McpGrants.lose")(
        ({ organizationId, serverId, version }) =>
          asTenant(organizationId)(
            sql`UPDATE mcp_grants SET status = 'lost' WHERE server_id = ${serverId} AND version = ${version}`
          ),
        Effect.orDie,
        Effect.asVoid
      ),

      want: traced("McpGrants.want")(
        (organizationId, serverId, scopes) =>
          asTenant(organizationId)(
            sql`UPDATE mcp_grants SET wanted = ${scopes}::text[] WHERE server_id = ${serverId}
              AND wanted IS DISTINCT FROM ${scopes}::text[]`
          ),
        Effect.orDie,
        Effect.asVoid
      ),

      remove: traced("McpGrants.remove")(
        (organizationId, serverId) =>
          asTenant(organizationId)(sql`DELETE FROM mcp_grants WHERE server_id = ${serverId}`),
        Effect.orDie,
        Effect.asVoid
      ),

      begin: traced("McpGrants.begin")(function* ({ organizationId, serverId, userId }, pending, state, endsAt, now) {
        const sealed = yield* ring.encrypt(pendingOwner(organizationId), JSON.stringify(pending))
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            // The server first, as who removes it does. Rows that somebody else is removing are not waited for.
            yield* sql`SELECT 1 FROM mcp_servers WHERE id = ${serverId} FOR KEY SHARE`
            yield* sql`DELETE FROM mcp_authorizations WHERE state_hash IN (SELECT state_hash FROM mcp_authorizations
              WHERE expires_at <= ${new Date(now)} OR user_id = ${userId} FOR NO KEY UPDATE SKIP LOCKED)`
            yield* sql`INSERT INTO mcp_authorizations (organization_id, state_hash, server_id, user_id, pending, expires_at)
              SELECT ${organizationId}, ${tokenHash(state)}, s.id, ${userId}, ${sealed}, ${new Date(endsAt)}
              FROM mcp_servers s WHERE s.id = ${serverId}`
          })
        )
      }, Effect.orDie),

      end: traced("McpGrants.end")(function* (organizationId, state, now) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ serverId: string; userId: string; pending: string }>`DELETE FROM mcp_authorizations
            WHERE state_hash = ${tokenHash(state)} AND expires_at > ${new Date(now)} RETURNING server_id, user_id, pending`
        )
        if (row === undefined) return undefined
        const pending = yield* decodePending(yield* ring.decrypt(pendingOwner(organizationId), row.pending))
        return { ...row, pending }
      }, Effect.orDie)
    })
  })
)
