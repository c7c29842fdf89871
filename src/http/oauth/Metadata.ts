/** The documents by which clients find their way: the MCP server as a protected resource (RFC 9728), and its authorization server (RFC 8414). */
import { HttpServerResponse } from "effect/http"
import { authMethods } from "../../domain/people/oauth/ClientMetadata.ts"
import { grantableScopes, usualScopes } from "../../domain/people/oauth/GrantableScopes.ts"
import { mcpPath } from "../server/McpAddress.ts"

export const oauthPaths = {
  authorize: "/oauth/authorize",
  signIn: "/oauth/sign-in",
  consent: "/oauth/consent",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

/** Clients may keep these for an hour: they change with a new version of the service only. */
const kept = { headers: { "cache-control": "public, max-age=3600" } }

export const resourceMetadata = (publicBaseUrl: string) =>
  HttpServerResponse.jsonUnsafe(
    {
      resource: `${publicBaseUrl}${mcpPath}`,
      resource_name: "Parley",
      authorization_servers: [publicBaseUrl],
      scopes_supported: usualScopes,
      bearer_methods_supported: ["header"]
    },
    kept
  )

export const serverMetadata = (publicBaseUrl: string) =>
  HttpServerResponse.jsonUnsafe(
    {
      issuer: publicBaseUrl,
      authorization_endpoint: `${publicBaseUrl}${oauthPaths.authorize}`,
      token_endpoint: `${publicBaseUrl}${oauthPaths.token}`,
      registration_endpoint: `${publicBaseUrl}${oauthPaths.register}`,
      revocation_endpoint: `${publicBaseUrl}${oauthPaths.revoke}`,
      scopes_supported: grantableScopes,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: authMethods,
      revocation_endpoint_auth_methods_supported: authMethods,
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true
    },
    kept
  )
