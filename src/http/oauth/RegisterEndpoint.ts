/** `POST /oauth/register`: a client registers itself (RFC 7591). Anybody may, so each address may a few times an hour. */
import { Clock, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { authMethods, clientMetadata } from "../../domain/people/oauth/ClientMetadata.ts"
import { OAuthClients } from "../../domain/people/oauth/OAuthClient.ts"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"
import { requestOrigin } from "../middleware/Authorization.ts"
import { makeRateLimit } from "../middleware/RateLimit.ts"
import { clientNetwork } from "../server/ClientAddress.ts"
import { jsonOf } from "./FormBody.ts"
import { withOAuthErrors } from "./OAuthAnswers.ts"

const perAddress = { name: "oauth-register", what: "registrations of clients", limit: 20, window: "1 hour" } as const
/** What RFC 7591 says of a client that names none. */
const usualMethod = "client_secret_basic"

/** Needs OAuthClients and RateLimiter. */
export const makeRegisterEndpoint = Effect.gen(function* () {
  const clients = yield* OAuthClients
  const count = yield* makeRateLimit(perAddress)

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* count(clientNetwork((yield* requestOrigin).ip ?? "unknown"))
    const metadata = clientMetadata(yield* jsonOf(request))
    if (metadata instanceof OAuthRefused) return yield* metadata
    const { name, redirectUris, applicationType } = metadata
    const method = authMethods.find((known) => known === (metadata.authMethod ?? usualMethod))
    if (method === undefined)
      return yield* new OAuthRefused({
        code: "invalid_client_metadata",
        description: `token_endpoint_auth_method must be one of ${authMethods.join(", ")}.`
      })
    const { id, secret } = yield* clients.register({ name, redirectUris, confidential: method !== "none" })
    return HttpServerResponse.jsonUnsafe(
      {
        client_id: id,
        client_id_issued_at: Math.floor((yield* Clock.currentTimeMillis) / 1_000),
        ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
        client_name: name,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: method,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        ...(applicationType === undefined ? {} : { application_type: applicationType })
      },
      { status: 201, headers: { "cache-control": "no-store" } }
    )
  }).pipe(withOAuthErrors)
})
