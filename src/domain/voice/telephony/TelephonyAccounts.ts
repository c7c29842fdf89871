/** Each organization has its own subaccount at the telephony provider, created when it is first needed. */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { TelephonyConnections } from "./PhoneNumber.ts"
import { Provisioning } from "./Provisioning.ts"

/** Name of the lock that serializes an organization's changes at the provider. */
export const telephonyTurn = "telephony"

/**
 * Returns the organization's account, and creates it when there is none. Call it only while holding the lock `telephonyTurn`. The account is
 * found by its name, so an account is reused if the request that created it died before storing it.
 */
export const makeTelephonyAccount = Effect.gen(function* () {
  const connections = yield* TelephonyConnections
  const provider = yield* Provisioning
  return traced("TelephonyAccounts.ensure")(function* (organizationId: string) {
    const known = yield* connections.find(organizationId)
    if (known !== undefined) return known
    const made = { organizationId, ...(yield* provider.ensureAccount(`Parley ${organizationId}`)) }
    yield* connections.save(made)
    return made
  })
})
