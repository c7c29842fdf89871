/** Stripe: takes payments by links. Connected by a secret key; its webhooks are signed with a secret of their endpoint. */
import { Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import { makeStripePayments } from "./StripePayments.ts"
import { readAnswer, sent } from "./StripeRequests.ts"
import { makeWebhooks } from "./StripeWebhooks.ts"

export interface StripeOptions {
  /** `https://api.stripe.com`. */
  readonly baseUrl: string
}

const Account = Schema.Struct({
  id: Schema.String,
  email: Schema.optionalKey(Schema.NullOr(Schema.String)),
  business_profile: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ name: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
  ),
  settings: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        dashboard: Schema.optionalKey(
          Schema.NullOr(Schema.Struct({ display_name: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
        )
      })
    )
  )
})
const Sessions = Schema.Struct({ data: Schema.Array(Schema.Unknown) })

export const make = ({ baseUrl }: StripeOptions): AppAdapter => {
  const payments = makeStripePayments(baseUrl)
  return {
    // Stripe allows 100 requests a second, and 25 in test mode.
    rate: { requests: 20, windowMs: 1_000 },
    atOnce: 4,
    problem: ({ credentials: { secretKey = "", webhookSecret } }) => {
      if (!/^[rs]k_(live|test)_\w+$/.test(secretKey))
        return "credentials.secretKey is invalid: it must begin with sk_live_, sk_test_, rk_live_ or rk_test_."
      return webhookSecret === undefined || /^whsec_\S+$/.test(webhookSecret)
        ? undefined
        : "credentials.webhookSecret is invalid: it must begin with whsec_."
    },
    identify: Effect.fnUntraced(function* (session) {
      const mode = payments.isLive(session) ? "live" : "test mode"
      const answer = yield* sent(baseUrl, session, { method: "GET", path: "/v1/account" })
      if (answer.status === 403) {
        // A restricted key may not read the account, but must be able to do what it is for.
        const asked = { method: "GET", path: "/v1/checkout/sessions", fields: { limit: 1 } } as const
        yield* readAnswer(Sessions, yield* sent(baseUrl, session, asked))
        return { id: "restricted", name: `Stripe, restricted key (${mode})` }
      }
      const { id, email, business_profile: profile, settings } = yield* readAnswer(Account, answer)
      const name = settings?.dashboard?.display_name ?? profile?.name ?? email ?? id
      return { id, name: `${name} (${mode})` }
    }),
    inbound: makeWebhooks(baseUrl),
    payments
  }
}
