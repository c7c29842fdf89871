/** Chooses the provider of a payment link, and opens its connection. */
import { Clock, Data, Effect } from "effect"
import { AppAdapters, type AppFailure } from "../apps/AppAdapter.ts"
import { AppConnections, type StoredConnection } from "../apps/AppConnection.ts"
import type { AppSession } from "../apps/AppSession.ts"
import { rowOf } from "../apps/Catalogue.ts"
import { makeUseConnection } from "../apps/UseConnection.ts"
import { type PaymentProvider, paymentProviders } from "./PaymentLink.ts"
import { PaymentSettingsStore } from "./PaymentSettings.ts"

/** 400: no provider can take the payment, or the provider refuses it. The sentence says what to do. */
export class PaymentRefused extends Data.TaggedError("PaymentRefused")<{ readonly message: string }> {}
/** 500: the provider could not be asked. */
export class PaymentUnavailable extends Data.TaggedError("PaymentUnavailable")<{ readonly message: string }> {}

export const noProvider = "No payment provider is connected."

/** Needs AppAdapters, AppConnections, PaymentSettingsStore, Exclusive, HttpClient and RateLimiter once; the functions it gives need nothing. */
export const makePaymentProviders = Effect.gen(function* () {
  const adapters = yield* AppAdapters
  const connections = yield* AppConnections
  const settings = yield* PaymentSettingsStore
  const { use } = yield* makeUseConnection

  const paymentsOf = (connection: StoredConnection) => adapters[connection.provider].payments

  /** The connected providers, those that were connected first before others. */
  const connected = Effect.fnUntraced(function* (organizationId: string) {
    const made = yield* connections.list(organizationId)
    return paymentProviders
      .flatMap((provider) => {
        const connection = made.get(provider)
        return connection?.enabled === true ? [{ provider, connection }] : []
      })
      .sort((a, b) => (a.connection.createdAt < b.connection.createdAt ? -1 : 1))
  })

  /** The provider of a new link: the one that is asked for, the default, or the one that was connected first. */
  const choose = Effect.fnUntraced(function* (organizationId: string, wanted: PaymentProvider | undefined) {
    const candidates = yield* connected(organizationId)
    const asked = wanted ?? (yield* settings.get(organizationId)).provider ?? undefined
    const found = candidates.find(({ provider }) => asked === undefined || provider === asked)
    if (found !== undefined) return found.provider
    return yield* new PaymentRefused({
      message:
        asked === undefined
          ? `${noProvider} An OWNER or ADMIN connects one: Stripe, Razorpay or PayPal.`
          : `${rowOf(asked).title} is not connected, or switched off.`
    })
  })

  /** What came of asking the provider. Refused credentials are noted for the connection. */
  const failed = Effect.fnUntraced(function* ({ organizationId, id }: StoredConnection, failure: AppFailure) {
    const { action, message, final = false } = failure
    if (action === "retry" || action === "wait") return yield* new PaymentUnavailable({ message })
    if (action === "reconnect")
      yield* connections.note(organizationId, id, { problem: message, final }, yield* Clock.currentTimeMillis)
    return yield* new PaymentRefused({ message })
  })

  /** What a provider does for payments, and what asks it: with tokens that are fresh, so what it is asked may be asked twice. */
  const connection = Effect.fnUntraced(function* (organizationId: string, provider: PaymentProvider) {
    const stored = yield* connections.find(organizationId, provider)
    const payments = stored === undefined ? undefined : paymentsOf(stored)
    if (stored === undefined || payments === undefined)
      return yield* new PaymentRefused({ message: `${rowOf(provider).title} is not connected any more.` })
    const asked = <A>(question: (session: AppSession) => Effect.Effect<A, AppFailure>) =>
      Effect.catchTag(
        use(stored, ({ session }) => question(session)),
        "AppFailure",
        (failure) => failed(stored, failure)
      )
    return { payments, asked }
  })

  /** Whether the stored credentials of a provider move money. */
  const isLive = Effect.fnUntraced(function* (organizationId: string, provider: PaymentProvider) {
    const stored = yield* connections.find(organizationId, provider)
    return stored === undefined ? false : (paymentsOf(stored)?.isLive(stored) ?? false)
  })

  return { choose, connected, connection, isLive }
})
