/**
 * `McpOAuth` by the protocol's own library. Every address, of documents, registration, tokens and revocation, is asked through the guard for addresses that
 * others gave; the person's browser is sent to web addresses only.
 */
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type OAuthServerInfo,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  resourceUrlFromServerUrl,
  selectClientAuthMethod,
  startAuthorization,
  validateAuthorizationResponseIssuer
} from "@modelcontextprotocol/client"
import { Effect, Layer } from "effect"
import { listedScopes, type McpOAuthClient, type McpPending, type McpTokens } from "../../domain/ai/tools/McpGrant.ts"
import { type McpAuthorizationRequest, McpOAuth, ownMetadata } from "../../domain/ai/tools/McpOAuth.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { makeGuardedFetch, urlRefusal } from "../web/GuardedFetch.ts"
import { oauthFailure, oauthRefused } from "./OAuthFailures.ts"

export interface McpOAuthOptions {
  /** Lets authorization servers be on loopback and private addresses: for demo and development. */
  readonly allowPrivateNetwork?: boolean
}

/** The limits of one answer: a document, a registration, tokens. */
const answerLimits = { maxBytes: 256 * 1_024, maxMs: 8_000 }
/** The longest that a person waits for all requests of one step. */
const stepMs = 20_000
/** The scope that some authorization servers want before they give a refresh token. */
const offline = "offline_access"

/** The client as the library wants it. */
const information = ({ clientId, clientSecret, authMethod }: McpOAuthClient) => ({
  client_id: clientId,
  ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod })
})

/** The document of the authorization server, as far as tokens need it. A server without one has its endpoints at fixed paths. */
const documentOf = ({ server }: Pick<McpTokens, "server">): AuthorizationServerMetadata | undefined =>
  server.issuer === null
    ? undefined
    : {
        issuer: server.issuer,
        authorization_endpoint: server.tokenEndpoint,
        token_endpoint: server.tokenEndpoint,
        response_types_supported: ["code"],
        token_endpoint_auth_methods_supported: [...server.authMethods],
        authorization_response_iss_parameter_supported: server.namesItself
      }

/** A document of OpenID Connect may have it too, though the library does not know. */
const revocationEndpointOf = (found: object | undefined): string | null => {
  const address = found !== undefined && "revocation_endpoint" in found ? found.revocation_endpoint : undefined
  return typeof address === "string" ? address : null
}

const serverOf = ({ authorizationServerUrl: url, authorizationServerMetadata: found }: OAuthServerInfo) => ({
  url,
  issuer: found?.issuer ?? null,
  tokenEndpoint: found?.token_endpoint ?? new URL("/token", url).href,
  revocationEndpoint: revocationEndpointOf(found),
  authMethods: found?.token_endpoint_auth_methods_supported ?? [],
  namesItself: found?.authorization_response_iss_parameter_supported === true
})

const tokensOf = (
  { server, client, resource, scope }: Pick<McpTokens, "server" | "client" | "resource" | "scope">,
  given: OAuthTokens,
  before: string | null,
  now: number
): McpTokens => ({
  ...{ server, client, resource },
  accessToken: given.access_token,
  refreshToken: given.refresh_token ?? before,
  expiresAt: given.expires_in === undefined ? null : now + given.expires_in * 1_000,
  scope: given.scope ?? scope
})

export const layer = ({ allowPrivateNetwork = false }: McpOAuthOptions = {}) =>
  Layer.effect(
    McpOAuth,
    Effect.gen(function* () {
      const guarded = yield* Effect.acquireRelease(
        Effect.sync(() => makeGuardedFetch({ allowPrivateNetwork, ...answerLimits })),
        ({ close }) => Effect.promise(close)
      )
      const fetchFn = guarded.fetch

      const step = <A>(run: (signal: AbortSignal) => Promise<A>) =>
        Effect.tryPromise({ try: run, catch: oauthFailure }).pipe(
          Effect.timeoutOrElse({
            duration: stepMs,
            orElse: () => Effect.fail(oauthRefused("The authorization server did not answer in time."))
          })
        )

      /** What the MCP server says to a request without a token: where its document is, and which scopes it wants. */
      const challenge = async (url: string) => {
        const answer = await fetchFn(url, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" })
        })
        await answer.body?.cancel()
        return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {}
      }

      const clientAt = async (
        { given, earlier, own }: McpAuthorizationRequest,
        { authorizationServerUrl: url, authorizationServerMetadata: metadata }: OAuthServerInfo,
        scope: string
      ): Promise<McpOAuthClient> => {
        const issuer = metadata?.issuer ?? null
        if (given !== undefined) {
          if (earlier !== undefined && earlier.client.clientId === given.clientId && earlier.issuer !== issuer)
            throw oauthRefused(
              "The server names another authorization server than before. The secret of your client is not sent there: remove the server and add it again."
            )
          return given
        }
        if (metadata?.client_id_metadata_document_supported === true && own.metadataUrl.startsWith("https://"))
          return { clientId: own.metadataUrl }
        // What we are called at one authorization server means nothing at another one.
        if (earlier !== undefined && earlier.issuer === issuer) return earlier.client
        if (metadata !== undefined && metadata.registration_endpoint === undefined)
          throw oauthRefused(
            "The authorization server has no way to register us. Make a client there, and enter its id and secret."
          )
        const registered = await registerClient(url, {
          ...(metadata === undefined ? {} : { metadata }),
          clientMetadata: ownMetadata(own),
          ...(scope === "" ? {} : { scope }),
          fetchFn
        })
        return {
          clientId: registered.client_id,
          ...(registered.client_secret === undefined ? {} : { clientSecret: registered.client_secret }),
          ...(registered.token_endpoint_auth_method === undefined
            ? {}
            : { authMethod: registered.token_endpoint_auth_method })
        }
      }

      const begin = async (request: McpAuthorizationRequest) => {
        const { url, own, state, scopes } = request
        const { resourceMetadataUrl, scope: asked } = await challenge(url)
        const found = await discoverOAuthServerInfo(url, {
          fetchFn,
          ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl })
        })
        const { authorizationServerMetadata: metadata, resourceMetadata } = found
        const isOurs = (resource: string) =>
          checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource })
        if (resourceMetadata !== undefined && !isOurs(resourceMetadata.resource))
          throw oauthRefused("The server's document is about another resource, so no token is asked for it.")
        if (metadata !== undefined && metadata.code_challenge_methods_supported?.includes("S256") !== true)
          throw oauthRefused("The authorization server does not support PKCE with S256.")
        const named = listedScopes(asked ?? resourceMetadata?.scopes_supported?.join(" ") ?? "")
        const chosen = scopes.length > 0 ? scopes : named
        const renews = chosen.length > 0 && metadata?.scopes_supported?.includes(offline) === true
        const scope = listedScopes(...chosen, renews ? offline : "").join(" ")
        const client = await clientAt(request, found, scope)
        const resource = resourceMetadata?.resource ?? null
        const { authorizationUrl, codeVerifier } = await startAuthorization(found.authorizationServerUrl, {
          ...(metadata === undefined ? {} : { metadata }),
          clientInformation: information(client),
          redirectUrl: own.redirectUri,
          state,
          ...(scope === "" ? {} : { scope }),
          ...(resource === null ? {} : { resource })
        })
        const refusal = urlRefusal(authorizationUrl.href, allowPrivateNetwork)
        if (refusal !== undefined || (authorizationUrl.protocol !== "https:" && !allowPrivateNetwork))
          throw oauthRefused(`The address to send a person to ${refusal ?? "is not https."}`)
        const pending: McpPending = { server: serverOf(found), client, resource, verifier: codeVerifier, scope }
        return { address: authorizationUrl.href, pending }
      }

      const finish = async (
        pending: McpPending,
        { code, iss, error }: Parameters<McpOAuth["Service"]["finish"]>[1],
        redirectUri: string,
        now: number
      ) => {
        const { server, client, resource, verifier } = pending
        // Who answers is checked before anything of the answer is believed, also of a refusal.
        validateAuthorizationResponseIssuer({
          iss,
          expectedIssuer: server.issuer ?? undefined,
          issParameterSupported: server.namesItself
        })
        if (error !== undefined)
          throw oauthRefused(
            error === "access_denied"
              ? "It was not agreed to."
              : `The authorization server refuses (${error.replace(/[^\w.-]/g, "").slice(0, 60)}).`
          )
        if (code === undefined) throw oauthRefused("The authorization server sent no code.")
        const metadata = documentOf(pending)
        const given = await exchangeAuthorization(server.url, {
          ...(metadata === undefined ? {} : { metadata }),
          clientInformation: information(client),
          authorizationCode: code,
          ...(iss === undefined ? {} : { iss }),
          codeVerifier: verifier,
          redirectUri,
          ...(resource === null ? {} : { resource }),
          fetchFn
        })
        return tokensOf(pending, given, null, now)
      }

      const renew = async (tokens: McpTokens, now: number) => {
        const { server, client, resource, refreshToken } = tokens
        if (refreshToken === null) throw oauthRefused("There is no refresh token.", true)
        const metadata = documentOf(tokens)
        const given = await refreshAuthorization(server.url, {
          ...(metadata === undefined ? {} : { metadata }),
          clientInformation: information(client),
          refreshToken,
          ...(resource === null ? {} : { resource }),
          fetchFn
        })
        return tokensOf(tokens, given, refreshToken, now)
      }

      /** RFC 7009. The refresh token ends the whole grant. */
      const revoke = async ({ server, client, accessToken, refreshToken }: McpTokens) => {
        if (server.revocationEndpoint === null) return
        const form = new URLSearchParams({
          token: refreshToken ?? accessToken,
          token_type_hint: refreshToken === null ? "access_token" : "refresh_token"
        })
        const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" })
        const { clientId, clientSecret = "" } = client
        const method = selectClientAuthMethod(information(client), [...server.authMethods])
        if (method === "client_secret_basic")
          headers.set("authorization", `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`)
        else form.set("client_id", clientId)
        if (method === "client_secret_post") form.set("client_secret", clientSecret)
        if (!allowPrivateNetwork && !server.revocationEndpoint.startsWith("https://"))
          throw oauthRefused("The authorization server does not use https, so no secret is sent to it.")
        const answer = await fetchFn(server.revocationEndpoint, { method: "POST", headers, body: form })
        await answer.body?.cancel()
        if (!answer.ok) throw oauthRefused(`The authorization server answers ${answer.status}.`)
      }

      return McpOAuth.of({
        begin: traced("McpOAuth.begin")((request) => step(() => begin(request))),
        finish: traced("McpOAuth.finish")((pending, answer, redirectUri, now) =>
          step(() => finish(pending, answer, redirectUri, now))
        ),
        renew: traced("McpOAuth.renew")((tokens, now) => step(() => renew(tokens, now))),
        revoke: traced("McpOAuth.revoke")((tokens) => step(() => revoke(tokens)))
      })
    })
  )
