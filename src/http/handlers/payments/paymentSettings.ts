import { Effect } from "effect"
import { makeManagePaymentSettings } from "../../../domain/payments/ManagePaymentSettings.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"

/** Needs PaymentSettingsStore, Audit, and what opens connections to providers. */
export const layer = group(
  AppApi,
  "paymentSettings",
  Effect.fn(function* (handlers) {
    const { get, put } = yield* makeManagePaymentSettings
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { organizationId } = yield* requireScope("admin")
        return yield* get(organizationId)
      }),
      put: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* requireScope("admin")
        return yield* put(organizationId, payload)
      })
    })
  })
)
