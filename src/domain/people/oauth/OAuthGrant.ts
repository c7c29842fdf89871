/**
 * What a person allowed a client. It begins as a code, which the client exchanges once for tokens. From then on it is an API key: listed, limited,
 * audited and revoked like any other, and made by that person. Its access tokens are secrets of this key; each refresh token gives new ones.
 */
import { Context, type Effect } from "effect"
import type { Role, Scope } from "../access/Access.ts"

export const codeLifetimeMs = 60_000
export const accessTokenLifetimeMs = 60 * 60_000
/** The key ends with its last refresh token, so an assistant that is not used for this long has to be connected again. */
export const refreshTokenLifetimeMs = 30 * 24 * 60 * 60_000
/** A client that lost the answer to a refresh may repeat it for so long, or send it from two windows at once. */
export const refreshGraceMs = 30_000

export interface NewGrant {
  readonly organizationId: string
  readonly userId: string
  readonly clientId: string
  readonly clientName: string
  readonly scopes: ReadonlyArray<Scope>
  readonly redirectUri: string
  readonly challenge: string
}

export interface StoredCode extends NewGrant {
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** The key that came of it; null while it is unused. */
  readonly keyId: string | null
}

export interface TokenOwner {
  readonly organizationId: string
  readonly keyId: string
}

/** The key of a connected assistant, as it decides about a refresh. */
export interface GrantedKey {
  readonly clientId: string | null
  readonly scopes: ReadonlyArray<Scope>
  readonly isOver: boolean
  readonly makerRole: Role | null
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Codes and tokens are stored as hashes only. What changes something joins the transaction around it. */
export class OAuthGrants extends Context.Service<
  OAuthGrants,
  {
    /** Gives the code. */
    readonly allow: (grant: NewGrant) => Effect.Effect<string>
    readonly findCode: (code: string) => Effect.Effect<StoredCode | undefined>
    /** Marks the code as used for this key; false when it was used before. */
    readonly useCode: (organizationId: string, code: string, keyId: string) => Effect.Effect<boolean>
    /** Whose token it is, access or refresh, as long as it is kept. */
    readonly findToken: (token: string) => Effect.Effect<TokenOwner | undefined>
    /** Runs a change in one transaction, which its failure rolls back. */
    readonly whole: <A, E>(organizationId: string, change: Effect.Effect<A, E>) => Effect.Effect<A, E>
    /** The key, locked until the transaction ends. */
    readonly lockKey: (owner: TokenOwner) => Effect.Effect<GrantedKey | undefined>
    /** Marks a refresh token as used. Gives when it was used first, Unix milliseconds: now if it was not; `undefined` if it has expired. */
    readonly useRefreshToken: (organizationId: string, token: string) => Effect.Effect<number | undefined>
    /** Makes new tokens of the key, and lets it live as long as they do. */
    readonly issue: (owner: TokenOwner) => Effect.Effect<IssuedTokens>
  }
>()("parley/domain/OAuthGrants") {}
