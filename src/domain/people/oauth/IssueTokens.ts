/** Use case: a client exchanges its code for tokens, and a refresh token for new ones; and it gives them back. */
import { createHash } from "node:crypto"
import { Clock, Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { roleScopes, type Scope } from "../access/Access.ts"
import { ApiKeys } from "../access/ApiKey.ts"
import { Acting, Audit } from "../access/Audit.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import {
  type IssuedTokens,
  OAuthGrants,
  refreshGraceMs,
  refreshTokenLifetimeMs,
  type StoredCode,
  type TokenOwner
} from "./OAuthGrant.ts"
import { OAuthRefused } from "./OAuthRefused.ts"

export interface CodeExchange {
  readonly code: string
  readonly redirectUri: string | undefined
  readonly verifier: string
}

export interface Renewal {
  readonly token: string
  /** As it was sent. A client may ask for fewer scopes, and gets all of them (RFC 6749, 6). */
  readonly scope: string | undefined
}

export interface TokenAnswer extends IssuedTokens {
  readonly scopes: ReadonlyArray<Scope>
}

const refused = (description: string) => new OAuthRefused({ code: "invalid_grant", description })

/** The one sentence for all that is wrong with a code: it does not tell a thief which part of it was right. */
const badCode = refused(
  "The code is unknown, expired, used, or was issued for another client, redirect_uri or verifier."
)
const badRefresh = refused("The refresh token is unknown, expired, revoked, or was issued to another client.")

const isVerifierOf = (verifier: string, challenge: string) =>
  createHash("sha256").update(verifier).digest("base64url") === challenge

const fits = ({ expiresAt, redirectUri, challenge }: StoredCode, exchange: CodeExchange, now: number) =>
  expiresAt > now && exchange.redirectUri === redirectUri && isVerifierOf(exchange.verifier, challenge)

const moreScopes = new OAuthRefused({
  code: "invalid_scope",
  description: "The person has not allowed these scopes. Send them to the authorization endpoint again."
})
const asksForMore = (scope: string | undefined, allowed: ReadonlyArray<string>) =>
  (scope ?? "").split(" ").some((one) => one !== "" && !allowed.includes(one))

type Origin = Pick<Acting, "ip" | "requestId">

/** Needs ApiKeys, OAuthGrants and Audit once. */
export const makeIssueTokens = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const grants = yield* OAuthGrants
  const audit = yield* Audit

  /** Ends the key with all of its tokens, in the key's own name. */
  const end = ({ organizationId, keyId }: TokenOwner, action: string, origin: Origin) =>
    audit
      .recorded(organizationId, keys.revoke(organizationId, keyId), () => ({ action, subjectId: keyId }))
      .pipe(Effect.provideService(Acting, { actor: { type: "key", id: keyId }, ...origin }))

  const redeem = Effect.fnUntraced(function* (code: string, { organizationId, ...grant }: StoredCode) {
    const { userId: makerId, clientId, clientName: name, scopes } = grant
    const expiresAt = new Date((yield* Clock.currentTimeMillis) + refreshTokenLifetimeMs)
    const { id: keyId } = yield* keys.create({ organizationId, name, scopes, makerId, clientId, expiresAt })
    if (!(yield* grants.useCode(organizationId, code, keyId))) return yield* badCode
    return { keyId, scopes, ...(yield* grants.issue({ organizationId, keyId })) }
  })

  /** Whoever sends a code a second time is not who got it, or was overheard: what came of it ends. */
  const exchange = traced("IssueTokens.exchange")(function* (
    client: Pick<OAuthClient, "id">,
    asked: CodeExchange,
    origin: Origin
  ) {
    const found = yield* grants.findCode(asked.code)
    if (found === undefined || found.clientId !== client.id) return yield* badCode
    const { organizationId, keyId, userId } = found
    if (keyId !== null) {
      yield* end({ organizationId, keyId }, "oauth.code_reused", origin)
      return yield* badCode
    }
    if (!fits(found, asked, yield* Clock.currentTimeMillis)) return yield* badCode
    return yield* audit
      .recorded(
        organizationId,
        redeem(asked.code, found),
        (key): { action: string; subjectId: string; after: object } => ({
          action: "api_key.created",
          subjectId: key.keyId,
          after: { name: found.clientName, scopes: key.scopes, clientId: found.clientId, makerId: userId }
        })
      )
      .pipe(Effect.provideService(Acting, { actor: { type: "user", id: userId }, ...origin }))
  })

  /** The new tokens; or that the token was used too long ago, so that its key must end. */
  const renew = Effect.fnUntraced(function* (
    client: Pick<OAuthClient, "id">,
    owner: TokenOwner,
    { token, scope }: Renewal
  ) {
    const key = yield* grants.lockKey(owner)
    if (key === undefined || key.clientId !== client.id || key.isOver) return yield* badRefresh
    const { makerRole } = key
    const scopes = key.scopes.filter((scope) => makerRole === null || roleScopes[makerRole].includes(scope))
    if (!scopes.includes("mcp")) return yield* badRefresh
    if (asksForMore(scope, scopes)) return yield* moreScopes
    const usedAt = yield* grants.useRefreshToken(owner.organizationId, token)
    if (usedAt === undefined) return yield* badRefresh
    if ((yield* Clock.currentTimeMillis) - usedAt > refreshGraceMs) return "reused" as const
    return { scopes, ...(yield* grants.issue(owner)) } satisfies TokenAnswer
  })

  /** Gives new tokens. A refresh token that was used more than 30 seconds ago ends its key: one of the two who have it is a thief. */
  const refresh = traced("IssueTokens.refresh")(function* (
    client: Pick<OAuthClient, "id">,
    asked: Renewal,
    origin: Origin
  ) {
    const owner = yield* grants.findToken(asked.token)
    if (owner === undefined) return yield* badRefresh
    const renewed = yield* grants.whole(owner.organizationId, renew(client, owner, asked))
    if (renewed !== "reused") return renewed
    yield* end(owner, "oauth.refresh_reused", origin)
    return yield* badRefresh
  })

  /** Ends what the token belongs to. An unknown token is no failure (RFC 7009), another client's is. */
  const revoke = traced("IssueTokens.revoke")(function* (
    client: Pick<OAuthClient, "id">,
    token: string,
    origin: Origin
  ) {
    const owner = yield* grants.findToken(token)
    if (owner === undefined) return
    const key = yield* keys.find(owner.organizationId, owner.keyId)
    if (key === undefined || key.status === "revoked") return
    if (key.clientId !== client.id) return yield* refused("The token was issued to another client.")
    yield* end(owner, "oauth.revoked", origin)
  })

  return { exchange, refresh, revoke }
})
