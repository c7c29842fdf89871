/** Carts: what customers of a store are about to order. One that does not change and becomes no order is abandoned; with its order it is recovered. */
import { Context, type Effect, Schema } from "effect"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"

export const CartLine = Schema.Struct({
  sku: Schema.NullOr(Schema.String),
  name: Schema.String,
  quantity: Schema.Int,
  unitPrice: Schema.Int,
  tax: Schema.Int
})

/** `open`: it may still become an order by itself. `ordered`: it did. `recovered`: it did after it was abandoned. */
export const CartState = Schema.Literals(["open", "abandoned", "ordered", "recovered"])
export type CartState = typeof CartState.Type

export const Cart = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** The store: `shopify:maple-books.myshopify.com`. */
  source: Schema.String,
  externalId: Schema.String,
  state: CartState,
  contactId: Schema.NullOr(Schema.String),
  /** All amounts are in the smallest unit of this currency. */
  currency: Schema.String,
  lines: Schema.Array(CartLine),
  total: Schema.Int,
  /** Where the customer can go on with it. */
  recoveryUrl: Schema.NullOr(Schema.String),
  orderId: Schema.NullOr(Schema.String),
  startedAt: Schema.String,
  /** When it changed at the store last. */
  changedAt: Schema.String,
  abandonedAt: Schema.NullOr(Schema.String),
  orderedAt: Schema.NullOr(Schema.String),
  /** When the customer was reminded of it. */
  remindedAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "Cart",
  examples: [
    {
      id: exampleIds.cart,
      organizationId: exampleIds.organization,
      source: "shopify:maple-books.myshopify.com",
      externalId: "c1-7f3a",
      state: "abandoned",
      contactId: exampleIds.contact,
      currency: "USD",
      lines: [{ sku: "BK-427", name: "Atlas of Rivers", quantity: 2, unitPrice: 2_499, tax: 425 }],
      total: 5_423,
      recoveryUrl: "https://maple-books.example/checkouts/c1-7f3a/recover",
      orderId: null,
      startedAt: "2026-11-21T09:30:00.000Z",
      changedAt: "2026-11-21T09:35:00.000Z",
      abandonedAt: "2026-11-21T10:35:00.000Z",
      orderedAt: null,
      remindedAt: null
    }
  ]
})
export type Cart = typeof Cart.Type

/** What abandoned carts have brought back, in one currency. */
export const CartTotals = Schema.Struct({
  currency: Schema.String,
  abandoned: Schema.Int,
  abandonedValue: Schema.Int,
  recovered: Schema.Int,
  /** The totals of the orders. */
  recoveredValue: Schema.Int
})
export type CartTotals = typeof CartTotals.Type

export const CartSummary = Schema.Struct({ since: Schema.String, totals: Schema.Array(CartTotals) }).annotate({
  title: "CartSummary",
  examples: [
    {
      since: "2026-10-22T00:00:00.000Z",
      totals: [{ currency: "USD", abandoned: 40, abandonedValue: 200_150, recovered: 9, recoveredValue: 48_807 }]
    }
  ]
})

/** Port of the carts. Times are Unix milliseconds. */
export class Carts extends Context.Service<
  Carts,
  {
    readonly list: (organizationId: string, state: CartState | undefined, part: Part) => Effect.Effect<Listed<Cart>>
    /** Carts that were abandoned since then, by currency. */
    readonly totals: (organizationId: string, since: number) => Effect.Effect<ReadonlyArray<CartTotals>>
    /** Organizations with carts whose time is over, at most `most`. */
    readonly due: (now: number, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Marks carts of the organization whose time is over as abandoned, once each, with the event; at most `most`. Gives how many. */
    readonly abandon: (organizationId: string, now: number, most: number) => Effect.Effect<number>
    /** Organizations with abandoned carts of which a customer is to be reminded, at most `most`. */
    readonly toRemind: (now: number, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Claims carts of which a customer is to be reminded; another process may take them over after `leaseMs`. Those that were ordered are left out. */
    readonly claimReminders: (
      organizationId: string,
      now: number,
      leaseMs: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<Cart>>
    /** Notes when the reminder was sent, and when it is tried again; null: never. */
    readonly reminded: (
      organizationId: string,
      id: string,
      outcome: { readonly nextAt: number | null; readonly sentAt: number | null }
    ) => Effect.Effect<void>
    /** When the contact was reminded of a cart last. */
    readonly lastReminder: (organizationId: string, contactId: string) => Effect.Effect<number | undefined>
  }
>()("parley/domain/Carts") {}
