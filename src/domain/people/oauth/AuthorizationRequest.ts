/** The parameters with which a client sends a person's browser to `/oauth/authorize` (OAuth 2.1, RFC 7636, RFC 8707). */
import type { Scope } from "../access/Access.ts"
import { scopesOf } from "./GrantableScopes.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import { OAuthRefused } from "./OAuthRefused.ts"
import { isRegistered } from "./RedirectUri.ts"

export interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | undefined
  readonly scopes: ReadonlyArray<Scope>
  /** The SHA-256 of the client's verifier, in base64url. */
  readonly challenge: string
}

/** The client is told of this by a redirect: that it may go there was checked. */
export interface RefusedRequest {
  readonly refused: OAuthRefused
  readonly redirectUri: string
  readonly state: string | undefined
}

const longestState = 4_000
const challengeForm = /^[\w-]{43}$/

/** The only value of a parameter; `undefined` when it is absent or empty. */
export const only = (parameters: URLSearchParams, name: string): string | undefined => parameters.get(name) || undefined

/** The name of a parameter that is there more than once, which OAuth forbids; `resource` may be repeated (RFC 8707). */
export const repeated = (parameters: URLSearchParams): string | undefined =>
  [...parameters.keys()].find((name, at, all) => name !== "resource" && all.indexOf(name) !== at)

/** Whether each `resource` that the request names is one of ours. A request without one means the only server there is. */
export const isForUs = (parameters: URLSearchParams, resource: string): boolean =>
  parameters.getAll("resource").every((one) => one === resource || one === `${resource}/` || one === `${resource}/sse`)

const invalid = (description: string) => new OAuthRefused({ code: "invalid_request", description })

/** The address to go back to. Without a good one there is nobody to send the browser to, so the person is told on a page. */
const redirectOf = (parameters: URLSearchParams, client: OAuthClient): string | OAuthRefused => {
  const twice = ["client_id", "redirect_uri"].find((name) => parameters.getAll(name).length > 1)
  if (twice !== undefined) return invalid(`${twice} may be sent only once.`)
  const uri = only(parameters, "redirect_uri")
  if (uri === undefined)
    return client.redirectUris.length === 1 ? client.redirectUris[0] : invalid("redirect_uri is missing.")
  return isRegistered(client.redirectUris, uri)
    ? uri
    : new OAuthRefused({
        code: "invalid_redirect_uri",
        description: "The redirect_uri is not one that this client has registered."
      })
}

const problemOf = (parameters: URLSearchParams, resource: string): OAuthRefused | undefined => {
  const twice = repeated(parameters)
  if (twice !== undefined) return invalid("A parameter is sent more than once.")
  if ((only(parameters, "state") ?? "").length > longestState)
    return invalid(`state may have at most ${longestState} characters.`)
  const type = only(parameters, "response_type")
  if (type === undefined) return invalid("response_type is missing.")
  if (type !== "code")
    return new OAuthRefused({ code: "unsupported_response_type", description: "The only response_type is code." })
  if (only(parameters, "code_challenge") === undefined)
    return invalid("code_challenge is missing: this server needs PKCE.")
  if (only(parameters, "code_challenge_method") !== "S256") return invalid("code_challenge_method must be S256.")
  if (!challengeForm.test(parameters.get("code_challenge") ?? ""))
    return invalid("code_challenge must be a SHA-256 in base64url, 43 characters long.")
  if (!isForUs(parameters, resource))
    return new OAuthRefused({ code: "invalid_target", description: `The only resource here is ${resource}.` })
}

/**
 * Reads the request of a client. Gives `OAuthRefused` when there is no address to send the browser back to, and `RefusedRequest` when there is. `resource`
 * is the address of the MCP server.
 */
export const authorizationRequest = (
  parameters: URLSearchParams,
  client: OAuthClient,
  resource: string
): AuthorizationRequest | RefusedRequest | OAuthRefused => {
  const redirectUri = redirectOf(parameters, client)
  if (redirectUri instanceof OAuthRefused) return redirectUri
  const state = (only(parameters, "state") ?? "").length > longestState ? undefined : only(parameters, "state")
  const problem = problemOf(parameters, resource)
  if (problem !== undefined) return { refused: problem, redirectUri, state }
  const scopes = scopesOf(only(parameters, "scope"))
  if (scopes instanceof OAuthRefused) return { refused: scopes, redirectUri, state }
  return { client, redirectUri, state, scopes, challenge: parameters.get("code_challenge") ?? "" }
}
