/** Each organization works on a subaccount of its own at the telephony provider, made when it is first needed. */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { TelephonyConnections } from "./PhoneNumber.ts"
import { Provisioning } from "./Provisioning.ts"

/** What serialises changes of one organization at the provider. */
export const telephonyTurn = "telephony"

/**
 * The organization's account, made when there is none. To be called within a turn of `telephonyTurn`. The account is found by its name, so
 * one that was made by a request that died before storing it is taken over.
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
