/** The absorbers in Postgres: one line for each subject, its code in the wing that owns the tables. */
import { Effect, Layer, Semaphore } from "effect"
import { type Absorb, AppAbsorbers } from "../../../domain/apps/AppAbsorbers.ts"
import type { AppRecordTag } from "../../../domain/apps/AppRecord.ts"
import { PaymentLinks } from "../../../domain/payments/PaymentLink.ts"
import { makeContactAbsorber } from "./ContactAbsorber.ts"
import { makeStoreAbsorbers } from "./StoreAbsorbers.ts"

/**
 * So many records are taken over at the same time in this process. Each holds a connection to the database for some twenty statements: with more of them
 * webhooks, which are stored before they are answered, would wait for a connection.
 */
const atOnce = 4

/** Needs Contacts, Orders, Products, PaymentLinks and the database. */
export const layer = Layer.effect(
  AppAbsorbers,
  Effect.gen(function* () {
    const payments = yield* PaymentLinks
    const stores = yield* makeStoreAbsorbers(yield* makeContactAbsorber)
    const turns = yield* Semaphore.make(atOnce)
    const inTurn =
      <Tag extends AppRecordTag>(absorb: Absorb<Tag>): Absorb<Tag> =>
      (from, record, now) =>
        turns.withPermits(1)(absorb(from, record, now))
    return AppAbsorbers.of({
      contact: inTurn<"contact">(stores.contact),
      customer: inTurn<"customer">(stores.customer),
      product: inTurn<"product">(stores.product),
      order: inTurn<"order">(stores.order),
      checkout: inTurn<"checkout">(stores.checkout),
      payment: inTurn<"payment">(({ organizationId, provider }, record, now) =>
        record._tag === "removed"
          ? Effect.succeed([])
          : Effect.as(payments.absorb(organizationId, provider, record, now), [])
      )
    })
  })
)
