/** Port: OAuth 2.1 towards the authorization servers of external MCP servers. It stores nothing. */
import { Context, type Effect, Schema } from "effect"
import type { McpOAuthClient, McpPending, McpTokens } from "./McpGrant.ts"

/** It did not work; `message` is a sentence. `final`: the authorization server refuses, and will again. */
export class McpOAuthRefused extends Schema.TaggedError<McpOAuthRefused>()("McpOAuthRefused", {
  message: Schema.String,
  final: Schema.Boolean
}) {}

/** This service as a client. */
export interface McpOwnClient {
  readonly redirectUri: string
  /** Where our client id metadata document is; used when it is https. */
  readonly metadataUrl: string
}

/** The document at `metadataUrl`: what we are as a client, for authorization servers that look it up. Also what we register with. */
export const ownMetadata = ({ redirectUri }: Pick<McpOwnClient, "redirectUri">) => ({
  client_name: "Parley",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  application_type: "web"
})

export interface McpAuthorizationRequest {
  /** The MCP server. */
  readonly url: string
  readonly own: McpOwnClient
  readonly state: string
  /** The client that a person has made at the authorization server; `undefined`: we find one. */
  readonly given: McpOAuthClient | undefined
  /** The client that we have registered earlier, with the issuer where it is known. */
  readonly earlier: { readonly issuer: string | null; readonly client: McpOAuthClient } | undefined
  /** The scopes to ask for; empty: those that the server names. */
  readonly scopes: ReadonlyArray<string>
}

export class McpOAuth extends Context.Service<
  McpOAuth,
  {
    /** Finds the authorization server and a client there. Gives the address to send a person to. */
    readonly begin: (
      request: McpAuthorizationRequest
    ) => Effect.Effect<{ readonly address: string; readonly pending: McpPending }, McpOAuthRefused>
    /** Checks who answers, and takes the code for tokens. */
    readonly finish: (
      pending: McpPending,
      answer: {
        readonly code: string | undefined
        readonly iss: string | undefined
        readonly error: string | undefined
      },
      redirectUri: string,
      now: number
    ) => Effect.Effect<McpTokens, McpOAuthRefused>
    readonly renew: (tokens: McpTokens, now: number) => Effect.Effect<McpTokens, McpOAuthRefused>
    /** Ends the grant at the authorization server, if that can be asked to. */
    readonly revoke: (tokens: McpTokens) => Effect.Effect<void, McpOAuthRefused>
  }
>()("parley/domain/McpOAuth") {}
