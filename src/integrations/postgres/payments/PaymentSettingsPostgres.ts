/** How organizations ask for payments, in Postgres. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { noPaymentSettings, PaymentSettings, PaymentSettingsStore } from "../../../domain/payments/PaymentSettings.ts"
import { makeSql } from "../tenancy/Sql.ts"

const decode = Schema.decodeUnknownEffect(PaymentSettings)

export const layer = Layer.effect(
  PaymentSettingsStore,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return PaymentSettingsStore.of({
      get: traced("PaymentSettingsStore.get")(function* (organizationId) {
        const [row] = yield* asTenant(organizationId)(
          sql<{ settings: unknown }>`SELECT settings FROM payment_settings WHERE organization_id = ${organizationId}`
        )
        return row === undefined ? noPaymentSettings : yield* decode(row.settings)
      }, Effect.orDie),
      put: traced("PaymentSettingsStore.put")(function* (organizationId, settings) {
        yield* asTenant(organizationId)(
          sql`INSERT INTO payment_settings (organization_id, settings) VALUES (${organizationId}, ${sql.json(settings)})
            ON CONFLICT (organization_id) DO UPDATE SET settings = excluded.settings`
        )
        return settings
      }, Effect.orDie)
    })
  })
)
