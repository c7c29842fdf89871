import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { mostPreferences, PersonalSettingsStore } from "../../../domain/people/access/PersonalSettings.ts"
import { makeSignIn } from "../../../domain/people/access/SignIn.ts"
import { sessionLifetimeMs, UserSessions } from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { requirePerson, sessionCookie, signInOrigin } from "../../middleware/Authorization.ts"
import { CookiePolicy, cookieAttributes } from "../../middleware/CookiePolicy.ts"
import { makeSignInAttempts } from "../../middleware/SignInAttempts.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, Forbidden, NotFound, passwordsBusy, Unauthorized } from "../../wire/Errors.ts"
import { makeSessionView } from "./SessionView.ts"

/** The cookie of the current request. */
const cookieOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => cookies[sessionCookie.key] ?? "")

const noPerson = "Only a person who is signed in has a session; this is an API key."
const person = requirePerson(noPerson)
const tooManyPreferences = `preferences is invalid: all of them together may have ${mostPreferences} bytes as JSON.`

/** Needs Users, UserSessions, PersonalSettingsStore, Devices, Audit, RateLimiter and CookiePolicy. */
export const layer = group(
  AppApi,
  "session",
  Effect.fn(function* (handlers) {
    const sessions = yield* UserSessions
    const settings = yield* PersonalSettingsStore
    const signIn = yield* makeSignIn
    const policy = yield* CookiePolicy
    const countAttempt = yield* makeSignInAttempts()

    const view = yield* makeSessionView

    /** The session of the current request, as it is shown. */
    const current = Effect.gen(function* () {
      yield* person
      const cookie = yield* cookieOf
      const session = yield* sessions.authenticate(cookie)
      return session === undefined ? yield* new Forbidden({ error: noPerson }) : yield* view(session, cookie)
    })

    const setCookie = (value: string, maxAgeMs: number) =>
      HttpApiBuilder.securitySetCookie(sessionCookie, value, cookieAttributes(policy, maxAgeMs))

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload }) {
        const { email, password, device } = payload
        const origin = yield* signInOrigin
        yield* countAttempt(email, origin.ip)
        const { session, cookie } = yield* signIn.start(email, password, origin, device).pipe(
          Effect.catchTags({
            WrongCredentials: () => new Unauthorized({ error: "The e-mail address or the password is wrong." }),
            PasswordsBusy: passwordsBusy
          })
        )
        yield* setCookie(cookie, sessionLifetimeMs)
        return yield* view(session, cookie)
      }),
      get: () => current,
      change: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId, userId } = yield* person
        yield* settings
          .change(organizationId, userId, payload)
          .pipe(Effect.catchTag("TooManyPreferences", () => new BadRequest({ error: tooManyPreferences })))
        return yield* current
      }),
      end: Effect.fnUntraced(function* () {
        yield* signIn.end(yield* person)
        yield* setCookie("", 0)
        return { ended: true as const }
      })
    })
  })
)

/** Needs UserSessions, Users, Devices and Audit. */
export const listLayer = group(
  AppApi,
  "sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* UserSessions
    const signIn = yield* makeSignIn
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId, userId, sessionId } = yield* person
        const own = yield* sessions.list(organizationId, userId)
        return { data: own.map((session) => ({ ...session, current: session.id === sessionId })) }
      }),
      end: Effect.fnUntraced(function* ({ params: { id } }) {
        const caller = yield* person
        if (id === caller.sessionId)
          return yield* new Conflict({ error: "This is the session that asks: sign out with DELETE /api/session." })
        if (!(yield* signIn.endOther(caller, id))) return yield* new NotFound({ error: "You have no such session." })
        return { id, ended: true as const }
      })
    })
  })
)
