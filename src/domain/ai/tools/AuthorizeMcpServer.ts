/**
 * Use case: a person authorizes an external MCP server by OAuth. They are sent to its authorization server, and come back with a code, which is taken for
 * tokens. It must be the person who began. The audit log records it, without secrets.
 */
import { randomBytes } from "node:crypto"
import { Clock, Effect, Schema } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { makeManageMcpServers } from "./ManageMcpServers.ts"
import { McpClient } from "./McpClient.ts"
import { listedScopes, McpGrants } from "./McpGrant.ts"
import { McpOAuth, type McpOAuthRefused, type McpOwnClient } from "./McpOAuth.ts"
import { McpServers } from "./McpServer.ts"

/** HTTP 400: it could not be authorized; a sentence says why. */
export class McpNotAuthorized extends Schema.TaggedError<McpNotAuthorized>()("McpNotAuthorized", {
  message: Schema.String
}) {}

/** How long a person may take to agree, in milliseconds. */
const authorizationMs = 10 * 60_000

const notAuthorized = ({ message }: McpOAuthRefused) => new McpNotAuthorized({ message })

/** What an authorization server sends a person back with. */
export interface AuthorizationAnswer {
  readonly state: string
  readonly code: string | undefined
  readonly iss: string | undefined
  readonly error: string | undefined
}

/** Needs the stores, Organizations, Audit, McpClient and McpOAuth once; the functions it gives need nothing. */
export const makeAuthorizeMcpServer = Effect.gen(function* () {
  const { allowed, existing, asked } = yield* makeManageMcpServers
  const servers = yield* McpServers
  const grants = yield* McpGrants
  const oauth = yield* McpOAuth
  const audit = yield* Audit
  const client = yield* McpClient

  /** Gives the address to send the person to. */
  const begin = traced("AuthorizeMcpServer.begin")(function* (
    organizationId: string,
    serverId: string,
    userId: string,
    own: McpOwnClient
  ) {
    yield* allowed(organizationId)
    const { url, auth } = yield* existing(organizationId, serverId)
    if (auth.type !== "oauth")
      return yield* new McpNotAuthorized({
        message: `This server is not authorized by OAuth: set auth.type to "oauth".`
      })
    const grant = yield* grants.find(organizationId, serverId)
    const { clientSecret } = yield* servers.secrets(organizationId, serverId)
    const { clientId, scope } = auth
    const chosen = listedScopes(scope ?? "")
    // What the server has asked for in the meantime comes to what it has, so that nothing is lost.
    const wider = grant === undefined || grant.wanted.length === 0 ? [] : [grant.tokens.scope, ...grant.wanted]
    const state = randomBytes(32).toString("base64url")
    const { address, pending } = yield* Effect.mapError(
      oauth.begin({
        url,
        own,
        state,
        given:
          clientId === undefined ? undefined : { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) },
        earlier: grant === undefined ? undefined : { issuer: grant.tokens.server.issuer, client: grant.tokens.client },
        scopes: listedScopes(...chosen, ...wider)
      }),
      notAuthorized
    )
    const now = yield* Clock.currentTimeMillis
    yield* grants.begin({ organizationId, serverId, userId }, pending, state, now + authorizationMs, now)
    return address
  })

  /** Gives the server, asked with its new tokens. */
  const finish = traced("AuthorizeMcpServer.finish")(function* (
    organizationId: string,
    userId: string,
    { state, ...answer }: AuthorizationAnswer,
    redirectUri: string
  ) {
    const now = yield* Clock.currentTimeMillis
    const begun = yield* grants.end(organizationId, state, now)
    if (begun === undefined || begun.userId !== userId)
      return yield* new McpNotAuthorized({
        message: "This authorization is over, or somebody else began it. Please begin again."
      })
    yield* allowed(organizationId)
    const { serverId, pending } = begun
    const server = yield* existing(organizationId, serverId)
    const tokens = yield* Effect.mapError(oauth.finish(pending, answer, redirectUri, now), notAuthorized)
    yield* audit.recorded(organizationId, grants.save(organizationId, serverId, tokens, userId, now), () => ({
      action: "mcp_server.authorized",
      subjectId: serverId,
      after: { issuer: tokens.server.issuer ?? tokens.server.url, scopes: listedScopes(tokens.scope) }
    }))
    yield* client.forget(serverId)
    return yield* asked(server)
  })

  return { begin, finish }
})
