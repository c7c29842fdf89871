/** Tells a client that the MCP server refuses (401) where to get a token: `WWW-Authenticate` (RFC 6750, RFC 9728). */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { usualScopes } from "../../domain/people/oauth/GrantableScopes.ts"
import { isOfMcp, mcpPath, resourceMetadataPath } from "../server/McpAddress.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"

/** The value of the header. `sentToken`: the request carried a token, which is not good. */
const bearerChallenge = (publicBaseUrl: string, sentToken: boolean): string => {
  const error = sentToken ? 'error="invalid_token", ' : ""
  const metadata = `${publicBaseUrl}${resourceMetadataPath}${mcpPath}`
  return `Bearer ${error}resource_metadata="${metadata}", scope="${usualScopes.join(" ")}"`
}

/** Wraps every route. Needs OwnAddress. */
export const layer = Layer.unwrap(
  Effect.map(OwnAddress, ({ publicBaseUrl }) =>
    HttpRouter.middleware(
      Effect.fnUntraced(function* <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) {
        const response = yield* handler
        if (response.status !== 401) return response
        const { originalUrl, headers } = yield* HttpServerRequest.HttpServerRequest
        if (!isOfMcp(originalUrl)) return response
        const value = bearerChallenge(publicBaseUrl, headers.authorization !== undefined)
        return HttpServerResponse.setHeader(response, "www-authenticate", value)
      }),
      { global: true }
    )
  )
)
