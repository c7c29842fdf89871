/** `POST /oauth/token` and `POST /oauth/revoke`: programs only, without cookies. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isForUs, only } from "../../domain/people/oauth/AuthorizationRequest.ts"
import { makeIssueTokens, type TokenAnswer } from "../../domain/people/oauth/IssueTokens.ts"
import { accessTokenLifetimeMs } from "../../domain/people/oauth/OAuthGrant.ts"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"
import { requestOrigin } from "../middleware/Authorization.ts"
import { mcpPath } from "../server/McpAddress.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { makeClientAuthentication } from "./ClientAuthentication.ts"
import { strictFormOf } from "./FormBody.ts"
import { withOAuthErrors } from "./OAuthAnswers.ts"

const invalid = (description: string) => new OAuthRefused({ code: "invalid_request", description })

/** 43 to 128 characters (RFC 7636, 4.1). */
const verifierForm = /^[\w.~-]{43,128}$/
/** Longer ones are none of ours, and are not looked for. */
const longestToken = 200

const required = (form: URLSearchParams, name: string) => {
  const value = only(form, name)
  return value === undefined ? Effect.fail(invalid(`${name} is missing.`)) : Effect.succeed(value)
}

const shown = ({ accessToken, refreshToken, scopes }: TokenAnswer) =>
  HttpServerResponse.jsonUnsafe(
    {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: accessTokenLifetimeMs / 1_000,
      refresh_token: refreshToken,
      scope: scopes.join(" ")
    },
    { headers: { "cache-control": "no-store", pragma: "no-cache" } }
  )

/** Needs OAuthClients, OAuthGrants, ApiKeys, Audit and OwnAddress. Gives the handlers of both endpoints. */
export const makeTokenEndpoint = Effect.gen(function* () {
  const { publicBaseUrl } = yield* OwnAddress
  const tokens = yield* makeIssueTokens
  const authenticate = yield* makeClientAuthentication
  const resource = `${publicBaseUrl}${mcpPath}`

  const granted = Effect.fnUntraced(function* (client: { readonly id: string }, form: URLSearchParams) {
    const origin = yield* requestOrigin
    switch (yield* required(form, "grant_type")) {
      case "authorization_code": {
        const verifier = yield* required(form, "code_verifier")
        if (!verifierForm.test(verifier)) return yield* invalid("code_verifier must have 43 to 128 characters.")
        const code = (yield* required(form, "code")).slice(0, longestToken)
        return yield* tokens.exchange(client, { code, verifier, redirectUri: only(form, "redirect_uri") }, origin)
      }
      case "refresh_token": {
        const token = (yield* required(form, "refresh_token")).slice(0, longestToken)
        return yield* tokens.refresh(client, { token, scope: only(form, "scope") }, origin)
      }
      default:
        return yield* new OAuthRefused({
          code: "unsupported_grant_type",
          description: "grant_type must be authorization_code or refresh_token."
        })
    }
  })

  const token = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const form = yield* strictFormOf(request)
    const client = yield* authenticate(form, request.headers.authorization)
    if (!isForUs(form, resource))
      return yield* new OAuthRefused({ code: "invalid_target", description: `The only resource here is ${resource}.` })
    return shown(yield* granted(client, form))
  }).pipe(withOAuthErrors)

  const revoke = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const form = yield* strictFormOf(request)
    const client = yield* authenticate(form, request.headers.authorization)
    const text = (yield* required(form, "token")).slice(0, longestToken)
    yield* tokens.revoke(client, text, yield* requestOrigin)
    return HttpServerResponse.empty({ status: 200 })
  }).pipe(withOAuthErrors)

  return { token, revoke }
})
