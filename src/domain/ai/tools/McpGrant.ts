/**
 * What an external MCP server's authorization server has granted us after a person agreed: tokens, and the client that they belong to. Also the port of the
 * stored grants. A server has at most one.
 */
import { Context, type Effect, Schema } from "effect"

/** A client of ours at an authorization server. */
export const McpOAuthClient = Schema.Struct({
  clientId: Schema.String,
  clientSecret: Schema.optionalKey(Schema.String),
  /** How it says who it is at the token endpoint, when it was told. */
  authMethod: Schema.optionalKey(Schema.String)
})
export type McpOAuthClient = typeof McpOAuthClient.Type

/** What is needed of an authorization server after the person has been there. */
const AuthorizationServer = Schema.Struct({
  /** The address that its documents were looked for at. */
  url: Schema.String,
  /** As it says itself; null when it has no document, as those of the oldest revision. */
  issuer: Schema.NullOr(Schema.String),
  tokenEndpoint: Schema.String,
  revocationEndpoint: Schema.NullOr(Schema.String),
  authMethods: Schema.Array(Schema.String),
  /** It promises to name itself in its answers (RFC 9207). */
  namesItself: Schema.Boolean
})

const Party = Schema.Struct({
  server: AuthorizationServer,
  client: McpOAuthClient,
  /** The resource that the tokens are for (RFC 8707); null when the MCP server does not name itself. */
  resource: Schema.NullOr(Schema.String)
})

/** An authorization under way. */
export const McpPending = Schema.Struct({ ...Party.fields, verifier: Schema.String, scope: Schema.String })
export type McpPending = typeof McpPending.Type

export const McpTokens = Schema.Struct({
  ...Party.fields,
  accessToken: Schema.String,
  refreshToken: Schema.NullOr(Schema.String),
  /** Unix milliseconds; null when it was not told. */
  expiresAt: Schema.NullOr(Schema.Number),
  /** The scopes that were granted, separated by blanks. */
  scope: Schema.String
})
export type McpTokens = typeof McpTokens.Type

/** A stored grant with its tokens in plain text. */
export interface McpGrant {
  readonly organizationId: string
  readonly serverId: string
  /** `lost`: the authorization server does not take it any more. */
  readonly status: "authorized" | "lost"
  readonly tokens: McpTokens
  /** Scopes that the MCP server has asked for and that were not granted. */
  readonly wanted: ReadonlyArray<string>
  /** Counts the changes of the tokens. */
  readonly version: number
  /** When the tokens could not be renewed last, Unix milliseconds; null when they could. */
  readonly renewalFailedAt: number | null
}

/** How it stands with a server's authorization, as it is shown. */
export const McpAuthorization = Schema.Struct({
  /** `needed`: nobody has authorized it. `lost`: it must be authorized again. */
  status: Schema.Literals(["needed", "authorized", "lost"]),
  /** Who granted it: the authorization server. */
  issuer: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  /** Scopes that the server wants beyond these: authorizing it again asks for them. */
  wanted: Schema.Array(Schema.String),
  /** The person who agreed. */
  authorizedBy: Schema.NullOr(Schema.String),
  authorizedAt: Schema.NullOr(Schema.String)
})
export type McpAuthorization = typeof McpAuthorization.Type

export const notAuthorized: McpAuthorization = {
  status: "needed",
  issuer: null,
  scopes: [],
  wanted: [],
  authorizedBy: null,
  authorizedAt: null
}

/** The scopes of a list separated by blanks, each once. */
export const listedScopes = (...scopes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(scopes.flatMap((scope) => scope.split(/\s+/)).filter((scope) => scope !== ""))
]

/** Port of the stored grants, and of the authorizations under way. Times are Unix milliseconds. */
export class McpGrants extends Context.Service<
  McpGrants,
  {
    /** How it stands with the servers that have a grant, by their ids. */
    readonly list: (organizationId: string) => Effect.Effect<ReadonlyMap<string, McpAuthorization>>
    readonly find: (organizationId: string, serverId: string) => Effect.Effect<McpGrant | undefined>
    /** Stores what a person has just agreed to, in place of an earlier grant. Nothing, when the server was removed. */
    readonly save: (
      organizationId: string,
      serverId: string,
      tokens: McpTokens,
      userId: string,
      now: number
    ) => Effect.Effect<void>
    /** Stores renewed tokens over the version that was read; `undefined` when another version is stored meanwhile. */
    readonly replace: (grant: McpGrant, tokens: McpTokens) => Effect.Effect<McpGrant | undefined>
    readonly renewalFailed: (grant: McpGrant, now: number) => Effect.Effect<void>
    /** Marks this version as lost. */
    readonly lose: (grant: McpGrant) => Effect.Effect<void>
    /** Remembers scopes that the server has asked for. */
    readonly want: (organizationId: string, serverId: string, scopes: ReadonlyArray<string>) => Effect.Effect<void>
    readonly remove: (organizationId: string, serverId: string) => Effect.Effect<void>
    /** Begins an authorization: the state is good until `endsAt`, for this person, once. */
    readonly begin: (
      authorization: { readonly organizationId: string; readonly serverId: string; readonly userId: string },
      pending: McpPending,
      state: string,
      endsAt: number,
      now: number
    ) => Effect.Effect<void>
    /** The authorization with this state, which it ends; `undefined` when it is unknown or over. */
    readonly end: (
      organizationId: string,
      state: string,
      now: number
    ) => Effect.Effect<{ readonly serverId: string; readonly userId: string; readonly pending: McpPending } | undefined>
  }
>()("parley/domain/McpGrants") {}
