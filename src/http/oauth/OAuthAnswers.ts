/** Answers of the endpoints that programs use: OAuth has a shape of its own for errors (RFC 6749, 5.2). */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"
import { errorResponse, type TooMany } from "../wire/Errors.ts"

/** 401 for a client that is unknown or cannot prove who it is, 400 for everything else. */
const refusal = ({ code, description }: OAuthRefused) =>
  code === "invalid_client"
    ? HttpServerResponse.jsonUnsafe(
        { error: code, error_description: description },
        { status: 401, headers: { "www-authenticate": 'Basic realm="OAuth client"' } }
      )
    : HttpServerResponse.jsonUnsafe({ error: code, error_description: description }, { status: 400 })

/** Refusals as answers. Too many requests are told as everywhere. */
export const withOAuthErrors = <R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, OAuthRefused | TooMany, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(handler, (error) =>
    Effect.succeed(error instanceof OAuthRefused ? refusal(error) : errorResponse(429, error.error))
  )
