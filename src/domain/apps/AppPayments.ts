/**
 * How a payment provider is asked for payment links, and what it tells of payments. Amounts are integers of the smallest unit of their currency (ISO 4217).
 * Times are Unix milliseconds.
 */
import type { Effect } from "effect"
import type { AppFailure, AppSession } from "./AppSession.ts"

/** An amount of a currency. */
export interface ToldAmount {
  readonly amount: number
  readonly currency: string
}

export type DisputeState = "open" | "won" | "lost"

/**
 * What a provider says of the payment by one link. Each part is a fact that stays true, so that what is said twice, late or in another order comes to the
 * same. An absent part is not told.
 */
export interface PaymentNews {
  /** What we call the link: the provider got it from us and gives it back. Null: the payment is not by a link of ours. */
  readonly reference: string | null
  /** The amount that was paid, all of it. */
  readonly paid?: ToldAmount & { readonly at: number }
  /** An attempt to pay failed. `reason` is in the provider's words. */
  readonly failed?: { readonly reason: string; readonly at: number }
  readonly expiredAt?: number
  readonly canceledAt?: number
  /** How much was given back, all refunds together. */
  readonly refunded?: ToldAmount
  readonly dispute?: DisputeState
}

/** What a link shall be. `reference` is ours, and the same in each attempt to make it. */
export interface AskedLink extends ToldAmount {
  readonly reference: string
  readonly description: string
  readonly expiresAt: number
  readonly customer: {
    readonly name: string | null
    readonly phone: string | null
    readonly email: string | null
  } | null
  /** Our page for this link. */
  readonly pageUrl: string
}

/** A link at the provider. */
export interface MadeLink {
  readonly externalId: string
  /** Where it is paid. */
  readonly url: string
  /** False: no money moves, because the credentials are for tests. */
  readonly live: boolean
}

/** A link as its adapter knows it again. */
export interface KnownLink extends ToldAmount {
  readonly reference: string
  readonly externalId: string
}

export interface AppPayments {
  /** Whether the credentials move money. */
  readonly isLive: (credentials: AppSession["credentials"]) => boolean
  /** Why the provider cannot ask for this, as a sentence. */
  readonly problem: (asked: ToldAmount & { readonly lifetimeMs: number }) => string | undefined
  /** Makes the link. It may have been made by an earlier attempt with the same reference: then gives that one. */
  readonly create: (session: AppSession, asked: AskedLink, now: number) => Effect.Effect<MadeLink, AppFailure>
  /** What the provider knows of the payment now. */
  readonly ask: (session: AppSession, link: KnownLink, now: number) => Effect.Effect<PaymentNews, AppFailure>
  /** Sees to it that nobody can pay by the link any more. One that is closed already stays so. */
  readonly close: (session: AppSession, link: KnownLink, now: number) => Effect.Effect<void, AppFailure>
  /** For a provider whose links are pages of ours: begins a payment, and gives the address at the provider to send the payer to. */
  readonly begin?: (session: AppSession, asked: AskedLink, now: number) => Effect.Effect<string, AppFailure>
  /** Ends a payment that the payer has agreed to. `token` is what the provider has sent the payer back with. */
  readonly capture?: (session: AppSession, token: string, now: number) => Effect.Effect<PaymentNews, AppFailure>
}
