/**
 * What payment links are asked for, and what a provider tells of payments. Amounts are integers of the smallest unit of their currency (ISO 4217). Times are
 * Unix milliseconds.
 */

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
  /** The payer has paid, and the provider still checks it, Unix milliseconds. */
  readonly pendingAt?: number
  readonly expiredAt?: number
  readonly canceledAt?: number
  /** How much was given back, all refunds together. */
  readonly refunded?: ToldAmount
  readonly dispute?: DisputeState
  /** The provider has more to say when it is asked: the payer has agreed, and the money is to be taken. */
  readonly askNow?: true
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
  /** The provider's ids of payments that were begun on our page, oldest first. */
  readonly attempts: ReadonlyArray<string>
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
  /** As those of `AskedLink`. */
  readonly attempts: ReadonlyArray<string>
  /** Whether it can still be paid: only then money is taken that the payer has agreed to. */
  readonly isOpen: boolean
}

/** A payment that was begun on our page. */
export interface BegunPayment {
  readonly attempt: string
  /** Where the payer goes on. */
  readonly url: string
}
