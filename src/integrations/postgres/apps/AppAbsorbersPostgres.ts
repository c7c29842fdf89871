/** The absorbers in Postgres: one line for each subject, its code in the wing that owns the tables. */
import { Effect, Layer } from "effect"
import { AppAbsorbers } from "../../../domain/apps/AppAbsorbers.ts"
import { PaymentLinks } from "../../../domain/payments/PaymentLink.ts"
import { makeContactAbsorber } from "./ContactAbsorber.ts"
import { makeStoreAbsorbers } from "./StoreAbsorbers.ts"

/** Needs Contacts, Orders, Products, PaymentLinks and the database. */
export const layer = Layer.effect(
  AppAbsorbers,
  Effect.gen(function* () {
    const payments = yield* PaymentLinks
    return AppAbsorbers.of({
      ...(yield* makeStoreAbsorbers(yield* makeContactAbsorber)),
      payment: ({ organizationId, provider }, record, now) =>
        record._tag === "removed"
          ? Effect.succeed([])
          : Effect.as(payments.absorb(organizationId, provider, record, now), [])
    })
  })
)
