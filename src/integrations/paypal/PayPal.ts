/**
 * PayPal: takes payments on a page of ours that leads to PayPal's. Connected by client id and secret of an app; the webhook is registered by itself. PayPal's
 * own payment links are not used: what it tells of them names no id of ours, so nobody would know which link was paid.
 */
import { Clock, Effect } from "effect"
import type { AppAdapter } from "../../domain/apps/AppAdapter.ts"
import type { AppSession } from "../../domain/apps/AppSession.ts"
import { makePayPalKeys } from "./PayPalCertificates.ts"
import { makePayPalPayments } from "./PayPalPayments.ts"
import { type PayPalHosts, renewedToken } from "./PayPalRequests.ts"
import { makePayPalWebhooks } from "./PayPalWebhooks.ts"

export interface PayPalOptions extends PayPalHosts {
  /** PEM certificates that webhooks' chains may end at. By default those that Node trusts. */
  readonly roots?: ReadonlyArray<string>
}

export const make = ({ roots, ...hosts }: PayPalOptions): AppAdapter => {
  const origins = Object.values(hosts).map((url) => new URL(url).origin)
  /** What was entered may be new: a token of before may belong to another app. */
  const fresh = (session: AppSession, now: number) =>
    Effect.map(renewedToken(hosts, session.ask, session, now), (credentials) => ({ ...session, credentials }))
  return {
    // PayPal names no number; it answers 429 when it is too much.
    rate: { requests: 10, windowMs: 1_000 },
    atOnce: 4,
    problem: ({ credentials: { clientId = "", clientSecret = "" } }) => {
      if (clientId.length < 20) return "credentials.clientId is invalid: it is that of an app, of some 80 characters."
      return clientSecret.length < 20 ? "credentials.clientSecret is invalid: it has some 80 characters." : undefined
    },
    identify: Effect.fnUntraced(function* (session) {
      const { credentials, settings } = yield* fresh(session, yield* Clock.currentTimeMillis)
      // PayPal does not say whose app it is to everybody; the client id is no secret.
      const { clientId = "" } = credentials
      return { id: clientId, name: `${clientId.slice(0, 12)}… (${settings.sandbox === true ? "sandbox" : "live"})` }
    }),
    renewal: {
      isNeeded: ({ clientId, clientSecret }) => clientId !== undefined && clientSecret !== undefined,
      renew: (ask, given, now) => renewedToken(hosts, ask, given, now)
    },
    inbound: makePayPalWebhooks(hosts, makePayPalKeys(origins, roots), fresh),
    payments: makePayPalPayments(hosts)
  }
}
