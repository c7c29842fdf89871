/**
 * `/oauth/authorize` and the forms of its pages. A person signs in first: before that no request of a client is looked at, no document is fetched, and no
 * browser is sent anywhere else. So a stranger cannot use this address to lead people away (RFC 9700, 4.11.2).
 */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Acting } from "../../domain/people/access/Audit.ts"
import { makeSignIn } from "../../domain/people/access/SignIn.ts"
import {
  csrfToken,
  isCsrfToken,
  sessionLifetimeMs,
  type UserSession,
  UserSessions
} from "../../domain/people/access/UserSession.ts"
import { makeAllowClient } from "../../domain/people/oauth/AllowClient.ts"
import {
  type AuthorizationRequest,
  authorizationRequest,
  only,
  type RefusedRequest
} from "../../domain/people/oauth/AuthorizationRequest.ts"
import { makeFindClient } from "../../domain/people/oauth/FindClient.ts"
import { OAuthRefused } from "../../domain/people/oauth/OAuthRefused.ts"
import { withParameters } from "../../domain/people/oauth/RedirectUri.ts"
import { requestOrigin, sessionCookie, sessionOfRequest, signInOrigin } from "../middleware/Authorization.ts"
import { CookiePolicy, cookieAttributes } from "../middleware/CookiePolicy.ts"
import { makeSignInAttempts } from "../middleware/SignInAttempts.ts"
import { mcpPath } from "../server/McpAddress.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { problemPage } from "../wire/pages/Page.ts"
import { consentPage } from "./ConsentPage.ts"
import { formOf } from "./FormBody.ts"
import { oauthPaths } from "./Metadata.ts"
import { type SignInPageOptions, signInPage } from "./SignInPage.ts"

/** Proves that the sign-in form came from our page: there is no session yet whose token could. */
const signInCookie = "parley_sign_in"
const signInCookieMs = 60 * 60 * 1_000
const cookieForm = /^[\w-]{43}$/
const emailForm = /^[^\s\p{Cc}@]{1,200}@[^\s\p{Cc}@]{1,253}$/u
const longestPassword = 1_000
const longestRequest = 12_000

const cannot = "This assistant cannot be connected"
const stale = "The page was too old, or your browser did not send its cookie. Please try again."
const notAForm = (sentence: string) => problemPage(400, "This request could not be read", sentence)

const seeOther = (location: string) => HttpServerResponse.empty({ status: 303, headers: { location } })

/** Needs Users, UserSessions, Devices, Audit, Organizations, OAuthClients, OAuthGrants, ClientDocuments, RateLimiter, OwnAddress and CookiePolicy. */
export const makeAuthorizeEndpoint = Effect.gen(function* () {
  const { publicBaseUrl: issuer } = yield* OwnAddress
  const policy = yield* CookiePolicy
  const sessions = yield* UserSessions
  const signIn = yield* makeSignIn
  const countAttempt = yield* makeSignInAttempts()
  const findClient = yield* makeFindClient
  const { standing, allow } = yield* makeAllowClient
  const resource = `${issuer}${mcpPath}`

  /** The sign-in page, with a cookie for its form unless the browser has one. */
  const askToSignIn = (options: Omit<SignInPageOptions, "csrf">) =>
    Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
      const known = cookies[signInCookie] ?? ""
      const cookie = cookieForm.test(known) ? known : randomBytes(32).toString("base64url")
      const shown = signInPage({ ...options, csrf: csrfToken(cookie) })
      return HttpServerResponse.setCookieUnsafe(shown, signInCookie, cookie, cookieAttributes(policy, signInCookieMs))
    })

  /** Back to the client, with the issuer in each answer (RFC 9207). */
  const back = (
    { redirectUri, state }: Pick<RefusedRequest, "redirectUri" | "state">,
    answer: Readonly<Record<string, string>>
  ) => seeOther(withParameters(redirectUri, { ...answer, state, iss: issuer }))

  const backRefused = (to: Pick<RefusedRequest, "redirectUri" | "state">, { code, description }: OAuthRefused) =>
    back(to, { error: code, error_description: description })

  /** What the client asks for; or the answer when it asks for nothing that can be given. */
  const asked = Effect.fnUntraced(
    function* (request: string) {
      const parameters = new URLSearchParams(request)
      const clientId = only(parameters, "client_id")
      if (clientId === undefined)
        return yield* new OAuthRefused({ code: "invalid_request", description: "client_id is missing." })
      const read = authorizationRequest(parameters, yield* findClient(clientId), resource)
      if (read instanceof OAuthRefused) return yield* read
      return "refused" in read ? backRefused(read, read.refused) : read
    },
    Effect.catchTag("OAuthRefused", ({ description }) =>
      Effect.succeed(
        problemPage(400, cannot, `${description} Go back to the assistant and try again, or tell its makers.`)
      )
    )
  )

  const ask = Effect.fnUntraced(function* (session: UserSession, cookie: string, request: string) {
    const read = yield* asked(request)
    if (HttpServerResponse.isHttpServerResponse(read)) return read
    const { name, refusal } = yield* standing(session.principal)
    const { user: person } = session
    return consentPage({ asked: read, request, csrf: csrfToken(cookie), person, organizationName: name, refusal })
  })

  const cookieOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => cookies[sessionCookie.key] ?? "")

  const authorize = Effect.gen(function* () {
    const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
    const mark = originalUrl.indexOf("?")
    const request = mark === -1 ? "" : originalUrl.slice(mark + 1)
    const session = yield* sessionOfRequest(sessions)
    return session === undefined
      ? yield* askToSignIn({ status: 200, request })
      : yield* ask(session, yield* cookieOf, request)
  })

  /** The form of a page, and the query of the authorization request that it brings back. */
  const sent = Effect.gen(function* () {
    const form = yield* formOf(yield* HttpServerRequest.HttpServerRequest)
    const request = form.get("request") ?? ""
    if (request.length > longestRequest)
      return yield* new OAuthRefused({ code: "invalid_request", description: "The request is too long." })
    return { form, request, csrf: form.get("csrf") ?? "" }
  })

  const again = (request: string) => `${oauthPaths.authorize}?${new URLSearchParams(request)}`

  const signingIn = Effect.gen(function* () {
    const { form, request, csrf } = yield* sent
    const { cookies } = yield* HttpServerRequest.HttpServerRequest
    const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""]
    const failed = (status: number, problem: string) =>
      askToSignIn({ status, request, problem, email: emailForm.test(email) ? email : "" })
    if (!isCsrfToken(cookies[signInCookie] ?? "", csrf)) return yield* failed(400, stale)
    if (!emailForm.test(email) || password === "" || password.length > longestPassword)
      return yield* failed(400, "Write your e-mail address and your password.")
    const origin = yield* signInOrigin
    const started = yield* countAttempt(email, origin.ip).pipe(
      Effect.andThen(signIn.start(email, password, origin)),
      Effect.catchTags({
        WrongCredentials: () => failed(401, "The e-mail address or the password is wrong."),
        PasswordsBusy: () => failed(429, "Too many people sign in at this moment. Please try again.")
      })
    )
    if (HttpServerResponse.isHttpServerResponse(started)) return started
    return HttpServerResponse.setCookieUnsafe(
      seeOther(again(request)),
      sessionCookie.key,
      started.cookie,
      cookieAttributes(policy, sessionLifetimeMs)
    )
  }).pipe(
    Effect.catchTag("OAuthRefused", ({ description }) => Effect.succeed(notAForm(description))),
    Effect.catch(({ error }) => Effect.succeed(problemPage(429, "Too many attempts", error)))
  )

  const decide = Effect.fnUntraced(function* (session: UserSession, read: AuthorizationRequest, form: URLSearchParams) {
    const code = yield* allow(session.principal, read, form.getAll("scope"))
    return back(read, { code })
  })

  const decided = Effect.fnUntraced(function* (
    session: UserSession,
    { form, request }: Effect.Success<typeof sent>,
    decision: string | null
  ) {
    if (decision === "switch") {
      yield* signIn.end(session.principal)
      const gone = seeOther(again(request))
      return HttpServerResponse.setCookieUnsafe(gone, sessionCookie.key, "", cookieAttributes(policy, 0))
    }
    if (decision !== "allow" && decision !== "deny") return notAForm("Choose one of the buttons of the page.")
    const read = yield* asked(request)
    if (HttpServerResponse.isHttpServerResponse(read)) return read
    if (decision === "deny")
      return backRefused(read, new OAuthRefused({ code: "access_denied", description: "The person did not allow it." }))
    return yield* Effect.catchTag(decide(session, read, form), "OAuthRefused", (refused) =>
      Effect.succeed(backRefused(read, refused))
    )
  })

  const consenting = Effect.gen(function* () {
    const posted = yield* sent
    const { request, csrf, form } = posted
    const session = yield* sessionOfRequest(sessions)
    if (session === undefined)
      return yield* askToSignIn({ status: 401, request, problem: "Your session is over. Please sign in again." })
    const cookie = yield* cookieOf
    if (!isCsrfToken(cookie, csrf)) return problemPage(403, "Nothing was changed", stale)
    const acting = { actor: { type: "user", id: session.user.id }, ...(yield* requestOrigin) } as const
    return yield* decided(session, posted, form.get("decision")).pipe(Effect.provideService(Acting, acting))
  }).pipe(Effect.catchTag("OAuthRefused", ({ description }) => Effect.succeed(notAForm(description))))

  return { authorize, signingIn, consenting }
})
