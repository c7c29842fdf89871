/**
 * Authenticates the caller: an API key (`Authorization: Bearer mk_…`), or a signed-in person by the session's cookie. Provides the caller and the
 * rules for all requests of callers: changes are made in the caller's name (`Acting`), they are completed even if the client disconnects, and a POST
 * with an Idempotency-Key runs once. Who lacks what the route needs (`CallerNeeds`) is refused before the body is checked; the handlers check scopes, too
 * (`requireScope`), because some depend on the record.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { parsedJson } from "../../domain/basics/Json.ts"
import { storable } from "../../domain/basics/PlainText.ts"
import type { Principal, Scope } from "../../domain/people/access/Access.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { Acting, type Actor } from "../../domain/people/access/Audit.ts"
import { isCsrfToken, UserSessions } from "../../domain/people/access/UserSession.ts"
import { Organizations } from "../../domain/people/organizations/Organization.ts"
import { AdmittedOrganization } from "../../domain/people/organizations/PlanGate.ts"
import { isOfMcp } from "../server/McpAddress.ts"
import { UwsRequest } from "../server/UwsRequest.ts"
import { type CallerNeeds, needsOf } from "../wire/caller/CallerNeeds.ts"
import { errorResponse, Forbidden, Unauthorized } from "../wire/Errors.ts"
import { ShownOnce } from "../wire/ShownOnce.ts"
import { isStreamed } from "../wire/StreamedBody.ts"
import { makeIdempotency } from "./Idempotency.ts"
import { KnownSessions } from "./KnownSessions.ts"
import { CurrentRequestId } from "./RequestId.ts"

/** The caller of the current request. */
export class Caller extends Context.Service<Caller, Principal>()("parley/http/Caller") {}

/** The session's cookie. */
export const sessionCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "parley_session" })

/** Every change of a session must carry its CSRF token in this header. */
export const csrfHeader = "x-csrf-token"

export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "parley/http/Authorization",
  { security: { bearer: HttpApiSecurity.bearer, session: sessionCookie }, error: Unauthorized }
) {}

const missing = "Send an API key (Authorization: Bearer <key>), or sign in."
const unknown = "This API key is not valid: it is malformed, unknown, revoked or expired."
const ofMcp =
  "This access token was issued for the MCP server (/api/mcp), and is good for nothing else. Send an API key."
export const over = "Your session is over. Please sign in again."
export const forged = "This change lacks the session's CSRF token: send it in the header X-CSRF-Token."

/** Requests that change nothing. A page of another site may cause them, but it cannot read the answer. */
export const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS"

/**
 * Lets a request that changes something continue when its client disconnects. After the commit there may be more to do: removing the files of an
 * erased contact, or subscribing to the channel's webhooks. Nothing else would complete it, and the client cannot always repeat the request. Requests
 * that only read or wait end with the client.
 */
export const goOn = (request: HttpServerRequest.HttpServerRequest): void => {
  if (!isSafe(request.method) && request instanceof UwsRequest) request.goOn()
}

const actorOf = (caller: Principal): Actor =>
  "keyId" in caller ? { type: "key", id: caller.keyId } : { type: "user", id: caller.userId }

/** The origin of the current request: the client's address (null when unknown) and the request id. */
export const requestOrigin = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  return { ip: Option.getOrNull(request.remoteAddress), requestId: yield* CurrentRequestId }
})

const longestUserAgent = 300

/** The origin of a person who signs in, with what their browser calls itself. */
export const signInOrigin = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const named = storable((headers["user-agent"] ?? "").slice(0, longestUserAgent))
  return { ...(yield* requestOrigin), userAgent: named === "" ? null : named }
})

/** The session of the current request's cookie; undefined when there is none. */
export const sessionOfRequest = (sessions: UserSessions["Service"]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
    sessions.authenticate(cookies[sessionCookie.key] ?? "")
  )

const refusal = (caller: Principal, scope: Scope) =>
  "keyId" in caller
    ? `This API key lacks the scope ${scope}.`
    : `The role ${caller.role} may not do this: it lacks ${scope}. An OWNER${scope === "mcp" ? "" : " or ADMIN"} may.`

/** Why this caller may not use a route with these needs, as far as that does not depend on the organization; `undefined` when it may. */
const callerRefusal = (caller: Principal, { scopes, leaders }: CallerNeeds): string | undefined => {
  if (scopes.length > 0 && !scopes.some((scope) => caller.scopes.includes(scope))) return refusal(caller, scopes[0])
  return leaders !== undefined && "role" in caller && caller.role === "AGENT"
    ? `The role AGENT may not ${leaders}. An OWNER or ADMIN may.`
    : undefined
}

/** Whether the current request asks only for what every plan has. Few routes have such a body, and no other is read before it is admitted. */
const isOnEveryPlan = Effect.fnUntraced(function* ({ plan }: CallerNeeds) {
  if (plan?.onEveryPlan === undefined) return false
  const request = yield* HttpServerRequest.HttpServerRequest
  return plan.onEveryPlan(parsedJson(yield* Effect.orDie(request.text)))
})

/** Needs ApiKeys, UserSessions, Organizations and IdempotencyKeys. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const sessions = yield* UserSessions
    const organizations = yield* Organizations
    const idempotent = yield* makeIdempotency
    const known = yield* KnownSessions

    const admit = Effect.fnUntraced(function* <E, R>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Caller>,
      caller: Principal,
      endpoint: HttpApiEndpoint.Top
    ) {
      const needs = needsOf(endpoint)
      const refused = callerRefusal(caller, needs)
      if (refused !== undefined) return errorResponse(403, refused)
      const organization = needs.plan === undefined ? undefined : yield* organizations.find(caller.organizationId)
      // An organization that is gone is refused by the handler.
      const unplanned = organization === undefined ? undefined : needs.plan?.refusal(organization)
      if (unplanned !== undefined && !(yield* isOnEveryPlan(needs))) return errorResponse(403, unplanned)
      goOn(yield* HttpServerRequest.HttpServerRequest)
      const acting = { actor: actorOf(caller), ...(yield* requestOrigin) }
      return yield* idempotent(
        caller,
        handler,
        Context.get(endpoint.annotations, ShownOnce),
        isStreamed(endpoint)
      ).pipe(
        Effect.provideService(Caller, caller),
        Effect.provideService(Acting, acting),
        Effect.provideService(AdmittedOrganization, organization)
      )
    })

    return {
      // After a failure here the library tries the session. A wrong key must not be tried as a session, so it gets an answer instead of a failure.
      bearer: Effect.fnUntraced(function* (handler, { credential, endpoint }) {
        const key = Redacted.value(credential)
        if (key === "") return yield* new Unauthorized({ error: missing })
        const caller = yield* keys.authenticate(key)
        if (caller === undefined) return errorResponse(401, unknown)
        const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
        if (caller.clientId !== undefined && !isOfMcp(originalUrl)) return errorResponse(401, ofMcp)
        return yield* admit(handler, caller, endpoint)
      }),
      session: Effect.fnUntraced(function* (handler, { credential, endpoint }) {
        const cookie = Redacted.value(credential)
        if (cookie === "") return yield* new Unauthorized({ error: missing })
        const session = yield* sessions.authenticate(cookie)
        if (session === undefined) {
          yield* known.remove(cookie)
          return yield* new Unauthorized({ error: over })
        }
        yield* known.add(cookie, session.principal.sessionId)
        const { method, headers } = yield* HttpServerRequest.HttpServerRequest
        if (!isSafe(method) && !isCsrfToken(cookie, headers[csrfHeader])) return errorResponse(403, forged)
        return yield* admit(handler, session.principal, endpoint)
      })
    }
  })
)

/** The caller, when its key or role has the scope; otherwise 403 that names the scope. */
export const requireScope = Effect.fnUntraced(function* (scope: Scope) {
  const caller = yield* Caller
  if (!caller.scopes.includes(scope)) return yield* new Forbidden({ error: refusal(caller, scope) })
  return caller
})

/** The caller, when it is a signed-in person; 403 with `refusal` for an API key. */
export const requirePerson = Effect.fnUntraced(function* (refusal: string) {
  const caller = yield* Caller
  return "keyId" in caller ? yield* new Forbidden({ error: refusal }) : caller
})
