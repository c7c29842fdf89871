/**
 * Use case: manage the SIP credentials of an organization. They are stored before the provider gets them. Each step at the provider reuses
 * what an earlier attempt created, and `ready` is set last. So the next request finishes one that died half-way, with the same password.
 */
import { Effect } from "effect"
import { Exclusive } from "../../basics/Exclusive.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { makeVoiceGate } from "../agents/VoiceGate.ts"
import { TelephonyConnections } from "./PhoneNumber.ts"
import { Provisioning } from "./Provisioning.ts"
import { asRefused, refused } from "./ProvisioningRefused.ts"
import {
  maskedPassword,
  newPassword,
  newUsername,
  SipCredentialStore,
  type SipCredentials,
  type StoredSipCredentials,
  sipDomain
} from "./SipCredentials.ts"
import { makeTelephonyAccount, telephonyTurn } from "./TelephonyAccounts.ts"

/** Needs the stores and the provider; the functions it returns need nothing and fail with `ProvisioningRefused`. */
export const makeManageSipCredentials = Effect.gen(function* () {
  const voiceGate = yield* makeVoiceGate
  const store = yield* SipCredentialStore
  const connections = yield* TelephonyConnections
  const provider = yield* Provisioning
  const audit = yield* Audit
  const exclusive = yield* Exclusive
  const accountOf = yield* makeTelephonyAccount

  const allowed = (organizationId: string) =>
    Effect.mapError(voiceGate(organizationId), (message) => refused("not_allowed", message))

  const turn =
    (organizationId: string) =>
    <A, E>(effect: Effect.Effect<A, E>) =>
      effect.pipe(exclusive.run(organizationId, telephonyTurn), asRefused)

  /** Name of the credential list at the provider. */
  const listOf = (organizationId: string) => `Parley ${organizationId}`

  /** Stores new credentials and their audit entry. Whichever request provisions them later, this entry records it. */
  const begin = Effect.fnUntraced(function* (organizationId: string, before: StoredSipCredentials | undefined) {
    const wanted: StoredSipCredentials = {
      username: before?.username ?? newUsername(),
      password: newPassword(),
      ready: false
    }
    const { username } = wanted
    yield* audit.recorded(organizationId, store.save(organizationId, wanted), () => ({
      action: before === undefined ? "sip_credentials.created" : "sip_credentials.regenerated",
      subjectId: organizationId,
      ...(before === undefined ? {} : { before: { username } }),
      after: { username }
    }))
    return wanted
  })

  const provision = Effect.fnUntraced(function* (organizationId: string, wanted: StoredSipCredentials) {
    const { username, password } = wanted
    const domain = sipDomain(organizationId, provider.sipHost)
    const account = yield* accountOf(organizationId)
    const list = yield* provider.ensureSipDomain(account, domain, listOf(organizationId))
    yield* provider.putSipCredentials(account, list, { username, password })
    yield* store.save(organizationId, { username, password, ready: true })
    yield* Effect.logInfo("SIP credentials are new", { organizationId, sipDomain: domain, username })
    return { username, password, sipDomain: domain, isNew: true } satisfies SipCredentials as SipCredentials
  })

  /** Returns the credentials, and creates them when there are none. */
  const get = traced("ManageSipCredentials.get")(function* (organizationId: string) {
    yield* allowed(organizationId)
    return yield* Effect.gen(function* () {
      const stored = yield* store.find(organizationId)
      if (stored?.ready !== true)
        return yield* provision(organizationId, stored ?? (yield* begin(organizationId, undefined)))
      return {
        username: stored.username,
        password: maskedPassword,
        sipDomain: sipDomain(organizationId, provider.sipHost),
        isNew: false
      }
    }).pipe(turn(organizationId))
  })

  /** Sets a new password for the same user name; the old password stops working. */
  const regenerate = traced("ManageSipCredentials.regenerate")(function* (organizationId: string) {
    yield* allowed(organizationId)
    return yield* Effect.gen(function* () {
      return yield* provision(organizationId, yield* begin(organizationId, yield* store.find(organizationId)))
    }).pipe(turn(organizationId))
  })

  /** Removes the credentials; domain and list stay. Every plan allows it at any time. */
  const revoke = traced("ManageSipCredentials.revoke")(function* (organizationId: string) {
    yield* Effect.gen(function* () {
      const stored = yield* store.find(organizationId)
      if (stored === undefined) return yield* refused("not_found", "This organization has no SIP credentials.")
      const account = yield* connections.find(organizationId)
      // Without an account the provider has never had the credentials.
      if (account !== undefined) yield* provider.removeSipCredentials(account, listOf(organizationId), stored.username)
      yield* audit.recorded(organizationId, store.clear(organizationId), () => ({
        action: "sip_credentials.revoked",
        subjectId: organizationId,
        before: { username: stored.username }
      }))
      yield* Effect.logInfo("SIP credentials were revoked", { organizationId, username: stored.username })
    }).pipe(turn(organizationId))
  })

  return { get, regenerate, revoke }
})
