/**
 * Authenticates an operator by a cookie of its own. A key or a session of an organization opens nothing here, and the cookie opens nothing elsewhere: browsers
 * send it to `/api/operator` only. Changes are made in the operator's name (`Acting`), and are completed even if the client disconnects.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { type OperatorSession, OperatorSessions } from "../../domain/operators/OperatorSession.ts"
import { Acting } from "../../domain/people/access/Audit.ts"
import { isCsrfToken } from "../../domain/people/access/UserSession.ts"
import { errorResponse, Unauthorized } from "../wire/Errors.ts"
import { csrfHeader, forged, goOn, isSafe, over, requestOrigin } from "./Authorization.ts"

/** Where browsers send the cookie. */
export const operatorPath = "/api/operator"

/** The operator of the current request. */
export class OperatorCaller extends Context.Service<OperatorCaller, OperatorSession>()("parley/http/OperatorCaller") {}

export const operatorCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "parley_operator" })

export class OperatorAuthorization extends HttpApiMiddleware.Service<
  OperatorAuthorization,
  { provides: OperatorCaller }
>()("parley/http/OperatorAuthorization", { security: { operator: operatorCookie }, error: Unauthorized }) {}

const missing = "Sign in as an operator. Keys and sessions of organizations are not accepted here."

/** Needs OperatorSessions. */
export const layer = Layer.effect(
  OperatorAuthorization,
  Effect.gen(function* () {
    const sessions = yield* OperatorSessions
    return {
      operator: Effect.fnUntraced(function* (handler, { credential }) {
        const cookie = Redacted.value(credential)
        if (cookie === "") return yield* new Unauthorized({ error: missing })
        const session = yield* sessions.authenticate(cookie)
        if (session === undefined) return yield* new Unauthorized({ error: over })
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!isSafe(request.method) && !isCsrfToken(cookie, request.headers[csrfHeader]))
          return errorResponse(403, forged)
        goOn(request)
        const acting = { actor: { type: "operator" as const, id: session.operator.id }, ...(yield* requestOrigin) }
        return yield* handler.pipe(
          Effect.provideService(OperatorCaller, session),
          Effect.provideService(Acting, acting)
        )
      })
    }
  })
)
