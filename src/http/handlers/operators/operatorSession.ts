import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type OperatorSession, operatorSessionLifetimeMs } from "../../../domain/operators/OperatorSession.ts"
import { makeOperatorSignIn } from "../../../domain/operators/OperatorSignIn.ts"
import { csrfToken } from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { signInOrigin } from "../../middleware/Authorization.ts"
import { CookiePolicy, cookieAttributes } from "../../middleware/CookiePolicy.ts"
import { OperatorCaller, operatorCookie, operatorPath } from "../../middleware/OperatorAuthorization.ts"
import { makeSignInAttempts } from "../../middleware/SignInAttempts.ts"
import { group } from "../../server/RequestServices.ts"
import { passwordsBusy, Unauthorized } from "../../wire/Errors.ts"

const view = ({ operator, expiresAt }: OperatorSession, cookie: string) => ({
  operator,
  csrfToken: csrfToken(cookie),
  expiresAt
})

/** Needs Operators, OperatorSessions, InstallationLog, RateLimiter and CookiePolicy. */
export const layer = group(
  AppApi,
  "operatorSession",
  Effect.fn(function* (handlers) {
    const signIn = yield* makeOperatorSignIn
    const policy = yield* CookiePolicy
    const countAttempt = yield* makeSignInAttempts("operator-")

    const setCookie = (value: string, maxAgeMs: number) =>
      HttpApiBuilder.securitySetCookie(operatorCookie, value, {
        ...cookieAttributes(policy, maxAgeMs),
        sameSite: "strict",
        path: operatorPath
      })

    return handlers.handleAll({
      start: Effect.fnUntraced(function* ({ payload: { email, password } }) {
        const origin = yield* signInOrigin
        yield* countAttempt(email, origin.ip)
        const { session, cookie } = yield* signIn.start(email, password, origin).pipe(
          Effect.catchTags({
            NoSuchOperator: () => new Unauthorized({ error: "The e-mail address or the password is wrong." }),
            PasswordsBusy: passwordsBusy
          })
        )
        yield* setCookie(cookie, operatorSessionLifetimeMs)
        return view(session, cookie)
      }),
      get: Effect.fnUntraced(function* () {
        const { cookies } = yield* HttpServerRequest.HttpServerRequest
        return view(yield* OperatorCaller, cookies[operatorCookie.key] ?? "")
      }),
      end: Effect.fnUntraced(function* () {
        yield* signIn.end(yield* OperatorCaller)
        yield* setCookie("", 0)
        return { ended: true as const }
      })
    })
  })
)
