import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { makeSignIn } from "../../../domain/people/access/SignIn.ts"
import {
  csrfToken,
  sessionLifetimeMs,
  type UserSession,
  UserSessions
} from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { requestOrigin, requirePerson, sessionCookie } from "../../middleware/Authorization.ts"
import { CookiePolicy, cookieAttributes } from "../../middleware/CookiePolicy.ts"
import { makeSignInAttempts } from "../../middleware/SignInAttempts.ts"
import { group } from "../../server/RequestServices.ts"
import { Forbidden, passwordsBusy, Unauthorized } from "../../wire/Errors.ts"

const view = ({ user, principal, expiresAt }: UserSession, cookie: string) => {
  const { organizationId, ...person } = user
  return { user: person, organizationId, scopes: principal.scopes, csrfToken: csrfToken(cookie), expiresAt }
}

/** The cookie of the current request. */
const cookieOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => cookies[sessionCookie.key] ?? "")

const noPerson = "Only a person who is signed in has a session; this is an API key."
const person = requirePerson(noPerson)

/** Needs Users, UserSessions, Devices, Audit, RateLimiter and CookiePolicy. */
export const layer = group(
  AppApi,
  "session",
  Effect.fn(function* (handlers) {
    const sessions = yield* UserSessions
    const signIn = yield* makeSignIn
    const policy = yield* CookiePolicy
    const countAttempt = yield* makeSignInAttempts

    const setCookie = (value: string, maxAgeMs: number) =>
      HttpApiBuilder.securitySetCookie(sessionCookie, value, cookieAttributes(policy, maxAgeMs))

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload }) {
        const { email, password, device } = payload
        const origin = yield* requestOrigin
        yield* countAttempt(email, origin.ip)
        const { session, cookie } = yield* signIn.start(email, password, origin, device).pipe(
          Effect.catchTags({
            WrongCredentials: () => new Unauthorized({ error: "The e-mail address or the password is wrong." }),
            PasswordsBusy: passwordsBusy
          })
        )
        yield* setCookie(cookie, sessionLifetimeMs)
        return view(session, cookie)
      }),
      get: Effect.fnUntraced(function* () {
        yield* person
        const cookie = yield* cookieOf
        const session = yield* sessions.authenticate(cookie)
        return session === undefined ? yield* new Forbidden({ error: noPerson }) : view(session, cookie)
      }),
      end: Effect.fnUntraced(function* () {
        yield* signIn.end(yield* person)
        yield* setCookie("", 0)
        return { ended: true as const }
      })
    })
  })
)
