/** Payment links: an amount that somebody is asked for, the address where it is paid, and what became of it. Also the port of the stored links. */
import { Context, Data, type Effect, Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"
import type { Listed, Part } from "../basics/Listing.ts"
import type { MadeLink, PaymentNews } from "../business/payments/PaymentNews.ts"
import { type PaymentFacts, paymentStatuses } from "./PaymentState.ts"

/** The integrations that take payments. */
export const paymentProviders = ["stripe", "razorpay", "paypal"] as const
export const PaymentProvider = Schema.Literals(paymentProviders)
export type PaymentProvider = typeof PaymentProvider.Type

export const PaymentStatus = Schema.Literals(paymentStatuses)

export const PaymentLink = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** The integration that takes the money. */
  provider: PaymentProvider,
  /** False: it was made with credentials for tests, and no money moves. */
  live: Schema.Boolean,
  status: PaymentStatus,
  /** A decimal with the currency's own number of decimals: "24.99" USD, "2499" JPY, "2.499" KWD. */
  amount: Schema.String,
  currency: Schema.String,
  /** What it is for. Whoever pays reads it. */
  description: Schema.String,
  /** Where it is paid. */
  url: Schema.String,
  contactId: Schema.NullOr(Schema.String),
  orderId: Schema.NullOr(Schema.String),
  /** The conversation in which it was asked for. */
  conversationId: Schema.NullOr(Schema.String),
  /** The call in which it was asked for. */
  callId: Schema.NullOr(Schema.String),
  /** Id of a person, an API key or an AI agent. */
  createdBy: Schema.String,
  /** It cannot be paid after this. */
  expiresAt: Schema.String,
  /** What was paid, as `amount` is written; null before. */
  paidAmount: Schema.NullOr(Schema.String),
  paidAt: Schema.NullOr(Schema.String),
  /** How much was given back. */
  refundedAmount: Schema.String,
  /** Of a payment whose payer objects: how that stands. */
  dispute: Schema.NullOr(Schema.Literals(["open", "won", "lost"])),
  /** Why the newest attempt to pay failed, in the provider's words. */
  failureReason: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  title: "PaymentLink",
  examples: [
    {
      id: exampleIds.payment,
      organizationId: exampleIds.organization,
      provider: "stripe",
      live: true,
      status: "paid",
      amount: "59.23",
      currency: "USD",
      description: "Order 427",
      url: "https://buy.stripe.com/8x2aEX0Yc3",
      contactId: exampleIds.contact,
      orderId: exampleIds.order,
      conversationId: exampleIds.conversation,
      callId: null,
      createdBy: exampleIds.key,
      expiresAt: "2026-11-28T09:30:00.000Z",
      paidAmount: "59.23",
      paidAt: "2026-11-21T09:36:00.000Z",
      refundedAmount: "0.00",
      dispute: null,
      failureReason: null,
      createdAt: "2026-11-21T09:30:00.000Z",
      updatedAt: "2026-11-21T09:36:00.000Z"
    }
  ]
})
export type PaymentLink = typeof PaymentLink.Type

/** A link that is to be made. Times are Unix milliseconds; `amount` is in the smallest unit of the currency. */
export interface NewPaymentLink {
  readonly id: string
  readonly provider: PaymentProvider
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly contactId: string | null
  readonly orderId: string | null
  readonly conversationId: string | null
  readonly callId: string | null
  readonly createdBy: string
  readonly expiresAt: number
}

/** A stored link: as it is shown, and what only we need. `made` is null until the provider has made it. */
export interface StoredPaymentLink extends NewPaymentLink {
  readonly organizationId: string
  readonly made: MadeLink | null
  readonly facts: PaymentFacts
  /** The provider's ids of payments that were begun on our page, oldest first. */
  readonly attempts: ReadonlyArray<string>
  readonly asks: number
  readonly createdAt: number
  readonly shown: PaymentLink
}

export interface PaymentFilter {
  readonly status?: PaymentLink["status"] | undefined
  readonly contactId?: string | undefined
  readonly orderId?: string | undefined
  readonly conversationId?: string | undefined
  readonly callId?: string | undefined
}

/** 400: the link names something that does not exist. */
export class InvalidPaymentLink extends Data.TaggedError("InvalidPaymentLink")<{ readonly message: string }> {}

/** The records that a link is about. */
export interface NamedRecords {
  readonly contactId?: string | null | undefined
  readonly orderId?: string | null | undefined
  readonly conversationId?: string | null | undefined
}

/** Port of the stored links. Links that the provider has not made are not shown. Times are Unix milliseconds. */
export class PaymentLinks extends Context.Service<
  PaymentLinks,
  {
    readonly list: (organizationId: string, filter: PaymentFilter, part: Part) => Effect.Effect<Listed<PaymentLink>>
    readonly find: (organizationId: string, id: string) => Effect.Effect<StoredPaymentLink | undefined>
    /** Fails with a sentence when the organization has no record with one of these ids. */
    readonly named: (organizationId: string, records: NamedRecords) => Effect.Effect<void, InvalidPaymentLink>
    /** Stores the link before the provider is asked. One with this id stays as it is, and is given. */
    readonly begin: (organizationId: string, link: NewPaymentLink, now: number) => Effect.Effect<StoredPaymentLink>
    /** Notes what the provider has made, with the event `payment.created`. */
    readonly made: (
      organizationId: string,
      id: string,
      made: MadeLink,
      now: number
    ) => Effect.Effect<StoredPaymentLink | undefined>
    /** Notes a payment that was begun on our page. One that is known changes nothing. */
    readonly began: (organizationId: string, id: string, attempt: string) => Effect.Effect<void>
    /** Removes a link that the provider has refused to make. */
    readonly drop: (organizationId: string, id: string) => Effect.Effect<void>
    /**
     * Joins what a provider tells with what is known, in one transaction with what follows from it: events, the order's status, a note in the
     * conversation, a notice to the call. News of a link of another provider, or of none, changes nothing. Gives the link.
     */
    readonly absorb: (
      organizationId: string,
      provider: string,
      news: PaymentNews,
      now: number
    ) => Effect.Effect<StoredPaymentLink | undefined>
    /** Organizations with a link about which the provider is to be asked, except those in `without`. */
    readonly due: (now: number, without: ReadonlyArray<string>, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Claims links that are due; another process may take them over after `leaseMs`. */
    readonly claim: (
      organizationId: string,
      now: number,
      leaseMs: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<StoredPaymentLink>>
    /** When the provider is asked next; null: never more. */
    readonly asked: (organizationId: string, id: string, nextAt: number | null) => Effect.Effect<void>
    /** The link with this id, of whatever organization: for its public page. */
    readonly ofPage: (id: string) => Effect.Effect<StoredPaymentLink | undefined>
  }
>()("parley/domain/PaymentLinks") {}
