/**
 * The authorization server of the MCP endpoint: assistants connect for people who sign in and agree (docs/mcp.md#oauth). And this service as a client of other
 * authorization servers. The shapes are OAuth's, not those of the REST interface, so these routes are declared here and not in `groups`.
 */
import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { clientPaths, mcpPath, resourceMetadataPath, serverMetadataPath } from "../server/McpAddress.ts"
import { bodyLimit } from "../wire/BodyLimit.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { connectPaths } from "../wire/pages/ConnectPaths.ts"
import type { Declared, Endpoint } from "../wire/RoutePatterns.ts"
import { makeAuthorizeEndpoint } from "./AuthorizeEndpoint.ts"
import { makeClientEndpoint } from "./ClientEndpoint.ts"
import { makeConnectEndpoint } from "./ConnectEndpoint.ts"
import { oauthPaths, resourceMetadata, serverMetadata } from "./Metadata.ts"
import { makeRegisterEndpoint } from "./RegisterEndpoint.ts"
import { makeTokenEndpoint } from "./TokenEndpoint.ts"

/** Clients ask for the path of the MCP server first, and for the bare path if they know no better. */
const resourceMetadataPaths = [
  resourceMetadataPath,
  `${resourceMetadataPath}${mcpPath}`,
  `${resourceMetadataPath}${mcpPath}/sse`
] as const

const get = (path: string): Endpoint => ({ method: "GET", path, annotations: Context.empty() })
const post = (path: string, bytes: number): Endpoint => ({ method: "POST", path, annotations: bodyLimit(bytes) })

/** Which requests these routes take, for the limits of bodies and for 405. */
export const OAuthDeclared: Declared = {
  groups: {
    oauth: {
      endpoints: {
        ...Object.fromEntries(resourceMetadataPaths.map((path) => [path, get(path)])),
        server: get(serverMetadataPath),
        authorize: get(oauthPaths.authorize),
        signIn: post(oauthPaths.signIn, 32 * 1024),
        consent: post(oauthPaths.consent, 32 * 1024),
        token: post(oauthPaths.token, 16 * 1024),
        register: post(oauthPaths.register, 32 * 1024),
        revoke: post(oauthPaths.revoke, 8 * 1024),
        clientMetadata: get(clientPaths.metadata),
        clientCallback: get(clientPaths.callback),
        connectCallback: get(connectPaths.callback),
        connectSlack: get(connectPaths.slack),
        connectSlackCallback: get(connectPaths.slackCallback)
      }
    }
  }
}

/** Needs what the endpoints need. */
export const layer = HttpRouter.use(
  Effect.fn(function* (router) {
    const { publicBaseUrl } = yield* OwnAddress
    const pages = yield* makeAuthorizeEndpoint
    const { token, revoke } = yield* makeTokenEndpoint
    const register = yield* makeRegisterEndpoint
    const client = yield* makeClientEndpoint
    const connect = yield* makeConnectEndpoint
    yield* router.add("GET", connectPaths.callback, connect.callback)
    yield* router.add("GET", connectPaths.slack, connect.slack)
    yield* router.add("GET", connectPaths.slackCallback, connect.slackCallback)
    for (const path of resourceMetadataPaths) yield* router.add("GET", path, resourceMetadata(publicBaseUrl))
    yield* router.add("GET", serverMetadataPath, serverMetadata(publicBaseUrl))
    yield* router.add("GET", oauthPaths.authorize, pages.authorize)
    yield* router.add("POST", oauthPaths.signIn, pages.signingIn)
    yield* router.add("POST", oauthPaths.consent, pages.consenting)
    yield* router.add("POST", oauthPaths.token, token)
    yield* router.add("POST", oauthPaths.register, register)
    yield* router.add("POST", oauthPaths.revoke, revoke)
    yield* router.add("GET", clientPaths.metadata, client.metadata)
    yield* router.add("GET", clientPaths.callback, client.callback)
  })
)
