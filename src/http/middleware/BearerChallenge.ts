/** Tells a client that the MCP server refuses where to get a token, and with which scopes: `WWW-Authenticate` (RFC 6750, RFC 9728). */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Scope } from "../../domain/people/access/Access.ts"
import { usualScopes } from "../../domain/people/oauth/GrantableScopes.ts"
import { isOfMcp, mcpPath, resourceMetadataPath } from "../server/McpAddress.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"

type BearerError = "invalid_token" | "insufficient_scope"

/** The value of the header. Without an error: the request carried no token. */
const challenge = (publicBaseUrl: string, scopes: ReadonlyArray<Scope>, error?: BearerError): string => {
  const why = error === undefined ? "" : `error="${error}", `
  return `Bearer ${why}resource_metadata="${publicBaseUrl}${resourceMetadataPath}${mcpPath}", scope="${scopes.join(" ")}"`
}

/** Adds to a 403 which scope the token lacks. */
export const lacksScope = (
  response: HttpServerResponse.HttpServerResponse,
  publicBaseUrl: string,
  scope: Scope
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(response, "www-authenticate", challenge(publicBaseUrl, [scope], "insufficient_scope"))

/** Wraps every route, and completes each 401 of the MCP server. Needs OwnAddress. */
export const layer = Layer.unwrap(
  Effect.map(OwnAddress, ({ publicBaseUrl }) =>
    HttpRouter.middleware(
      Effect.fnUntraced(function* <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) {
        const response = yield* handler
        if (response.status !== 401) return response
        const { originalUrl, headers } = yield* HttpServerRequest.HttpServerRequest
        if (!isOfMcp(originalUrl)) return response
        const value = challenge(
          publicBaseUrl,
          usualScopes,
          headers.authorization === undefined ? undefined : "invalid_token"
        )
        return HttpServerResponse.setHeader(response, "www-authenticate", value)
      }),
      { global: true }
    )
  )
)
