/** Use case: see and change how payments are asked for. The audit log records each change. */
import { Effect } from "effect"
import { rowOf } from "../apps/Catalogue.ts"
import { traced } from "../basics/Traced.ts"
import { Audit } from "../people/access/Audit.ts"
import { makePaymentProviders } from "./PaymentProviders.ts"
import { type PaymentSettings, PaymentSettingsStore } from "./PaymentSettings.ts"

/** Needs PaymentSettingsStore, Audit and what `makePaymentProviders` needs once; the functions it gives need nothing. */
export const makeManagePaymentSettings = Effect.gen(function* () {
  const store = yield* PaymentSettingsStore
  const audit = yield* Audit
  const { connected, isLive } = yield* makePaymentProviders

  const shown = Effect.fnUntraced(function* (organizationId: string, settings: PaymentSettings) {
    const providers = yield* connected(organizationId)
    const live = yield* Effect.forEach(providers, ({ provider, connection }) =>
      Effect.map(isLive(organizationId, provider), (live) => ({
        ...{ provider, title: rowOf(provider).title },
        ...{ account: connection.account.name, live }
      }))
    )
    return { ...settings, connected: live }
  })

  return {
    get: traced("ManagePaymentSettings.get")(function* (organizationId: string) {
      return yield* shown(organizationId, yield* store.get(organizationId))
    }),
    put: traced("ManagePaymentSettings.put")(function* (organizationId: string, settings: PaymentSettings) {
      const before = yield* store.get(organizationId)
      const after = yield* audit.recorded(organizationId, store.put(organizationId, settings), () => ({
        action: "payment_settings.changed",
        subjectId: organizationId,
        before,
        after: settings
      }))
      return yield* shown(organizationId, after)
    })
  }
})
