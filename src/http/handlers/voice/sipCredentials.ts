import { Effect } from "effect"
import { makeManageSipCredentials } from "../../../domain/voice/telephony/ManageSipCredentials.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { makeRateLimit } from "../../middleware/RateLimit.ts"
import { group } from "../../server/RequestServices.ts"
import { provisioningError } from "./provisioning.ts"

/** Needs Organizations, SipCredentialStore, TelephonyConnections, Provisioning, Exclusive, Audit and RateLimiter. */
export const layer = group(
  AppApi,
  "sipCredentials",
  Effect.fn(function* (handlers) {
    const manage = yield* makeManageSipCredentials
    const limit = yield* makeRateLimit({
      name: "sip-credentials",
      what: "requests for SIP credentials",
      limit: 5,
      window: "1 minute"
    })

    /** The administrator's organization. Counts one request. */
    const administered = Effect.gen(function* () {
      const { organizationId } = yield* requireScope("admin")
      yield* limit(organizationId)
      return organizationId
    })

    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        return yield* Effect.mapError(manage.get(yield* administered), provisioningError)
      }),
      regenerate: Effect.fnUntraced(function* () {
        return yield* Effect.mapError(manage.regenerate(yield* administered), provisioningError)
      }),
      revoke: Effect.fnUntraced(function* () {
        yield* Effect.mapError(manage.revoke(yield* administered), provisioningError)
        return { revoked: true as const }
      })
    })
  })
)
