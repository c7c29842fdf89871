import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { addressKey } from "../../../domain/people/access/Access.ts"
import { makeSignIn } from "../../../domain/people/access/SignIn.ts"
import {
  csrfToken,
  sessionLifetimeMs,
  type UserSession,
  UserSessions
} from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { requestOrigin, requirePerson, sessionCookie } from "../../middleware/Authorization.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { clientNetwork } from "../../server/ClientAddress.ts"
import { group } from "../../server/RequestServices.ts"
import { Forbidden, passwordsBusy, Unauthorized } from "../../wire/Errors.ts"

export interface SessionOptions {
  /** With true the cookie is sent over TLS only. Use it wherever TLS is in front of the service: everywhere except on a developer's machine. */
  readonly secureCookies: boolean
}

export class CookiePolicy extends Context.Service<CookiePolicy, SessionOptions>()("parley/http/CookiePolicy") {
  static readonly layer = (options: SessionOptions) => Layer.succeed(CookiePolicy, options)
}

/**
 * Limits on attempts to sign in, successful or not, against guessing one person's password and against trying one password on many people. One
 * client gets few attempts per account, all clients together get more. Otherwise anybody who knows a person's e-mail address could lock the person
 * out with wrong passwords.
 */
const attempts = { what: "attempts to sign in", window: "15 minutes" } as const
const perAddress = { ...attempts, name: "sign-in-address", limit: 30 }
const perAccountAndAddress = { ...attempts, name: "sign-in-account-address", limit: 10 }
const perAccount = { ...attempts, name: "sign-in-account", limit: 100 }

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

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
    const { secureCookies: secure } = yield* CookiePolicy
    const countAddress = yield* makeRateLimit(perAddress)
    const countBoth = yield* makeRateLimit(perAccountAndAddress)
    const countAccount = yield* makeRateLimit(perAccount)

    const setCookie = (value: string, maxAgeMs: number) =>
      HttpApiBuilder.securitySetCookie(sessionCookie, value, {
        secure,
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        maxAge: maxAgeMs
      })

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload }) {
        const { email, password, device } = payload
        const origin = yield* requestOrigin
        const client = clientNetwork(origin.ip ?? "unknown")
        const account = addressKey(email)
        yield* countAddress(client)
        yield* countBoth(digest(`${client}|${account}`))
        yield* countAccount(digest(account))
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
