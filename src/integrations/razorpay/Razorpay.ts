/** Razorpay: takes payments by links. Connected by a key and its secret; a person registers the webhook, with a secret of its own. */
import { Effect, Schema } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import { makeRazorpayPayments } from "./RazorpayPayments.ts"
import { askRazorpay, decodedRazorpay } from "./RazorpayRequests.ts"
import { makeRazorpayWebhooks } from "./RazorpayWebhooks.ts"

export interface RazorpayOptions {
  /** `https://api.razorpay.com`, without the version. */
  readonly baseUrl: string
}

const Payments = Schema.Struct({ items: Schema.Array(Schema.Unknown) })

export const make = ({ baseUrl }: RazorpayOptions): AppAdapter => {
  const payments = makeRazorpayPayments(baseUrl)
  return {
    // Razorpay names no number; it answers 429 when it is too much.
    rate: { requests: 10, windowMs: 1_000 },
    atOnce: 4,
    problem: ({ credentials: { keyId = "", keySecret = "" } }) => {
      if (!/^rzp_(live|test)_\w+$/.test(keyId))
        return "credentials.keyId is invalid: it must begin with rzp_live_ or rzp_test_."
      return /^\S+$/.test(keySecret) ? undefined : "credentials.keySecret is required."
    },
    identify: Effect.fnUntraced(function* (session) {
      yield* decodedRazorpay(
        Payments,
        yield* askRazorpay(baseUrl, session, { method: "GET", path: "/payments?count=1" })
      )
      // Razorpay does not say whose key it is; the key's id is no secret.
      const { keyId = "" } = session.credentials
      return { id: keyId, name: `${keyId} (${payments.isLive(session) ? "live" : "test mode"})` }
    }),
    inbound: makeRazorpayWebhooks(baseUrl),
    payments
  }
}
