import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Acting } from "../../../domain/people/access/Audit.ts"
import { makeSignIn } from "../../../domain/people/access/SignIn.ts"
import { sessionLifetimeMs } from "../../../domain/people/access/UserSession.ts"
import { makeSetUp } from "../../../domain/people/organizations/SetUp.ts"
import { AppApi } from "../../groups/Api.ts"
import { sessionCookie, signInOrigin } from "../../middleware/Authorization.ts"
import { CookiePolicy, cookieAttributes } from "../../middleware/CookiePolicy.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { clientNetwork } from "../../server/ClientAddress.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Conflict, passwordsBusy, Unauthorized } from "../../wire/Errors.ts"
import { makeSessionView } from "./SessionView.ts"

const attempts = { name: "set-up", what: "attempts to set up", limit: 10, window: "15 minutes" } as const
const isOver = () =>
  new Conflict({ error: "There is an organization already. Sign in, or ask one of its OWNERs for an invitation." })

export interface SetUpOptions {
  /** The secret of the installation, from which the token is made. */
  readonly secret: string
}

/** Needs what `makeSetUp`, `makeSignIn` and `makeSessionView` need, RateLimiter and CookiePolicy. */
export const layer = ({ secret }: SetUpOptions) =>
  group(
    AppApi,
    "setup",
    Effect.fn(function* (handlers) {
      const { isOpen, setUp } = yield* makeSetUp(secret)
      const signIn = yield* makeSignIn
      const view = yield* makeSessionView
      const policy = yield* CookiePolicy
      const countAttempt = yield* makeRateLimit(attempts)

      return handlers.handleAll({
        state: () => Effect.map(isOpen, (open) => ({ open })),
        create: Effect.fnUntraced(function* ({ payload: { token, organization, person } }) {
          const { userAgent, ...origin } = yield* signInOrigin
          yield* countAttempt(clientNetwork(origin.ip ?? "unknown"))
          yield* setUp(token, { organization: { plan: "PREMIUM", ...organization }, person }).pipe(
            Effect.provideService(Acting, { actor: { type: "operator", id: null }, ...origin }),
            Effect.catchTags({
              WrongSetUpToken: () => new Unauthorized({ error: "This is not the token that the server printed." }),
              AlreadySetUp: isOver,
              WeakOwnerPassword: ({ message }) => new BadRequest({ error: message }),
              PasswordsBusy: passwordsBusy
            })
          )
          const { session, cookie } = yield* signIn
            .start(person.email, person.password, { ...origin, userAgent })
            .pipe(Effect.catchTags({ WrongCredentials: isOver, PasswordsBusy: passwordsBusy }))
          yield* HttpApiBuilder.securitySetCookie(sessionCookie, cookie, cookieAttributes(policy, sessionLifetimeMs))
          return yield* view(session, cookie)
        })
      })
    })
  )
