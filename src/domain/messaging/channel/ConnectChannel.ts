/**
 * Use case: connect an organization's account at the messaging channel, show it, and disconnect it. The credentials are tested at the channel before
 * they are stored. Secrets that are left out keep their stored values when the number is the same.
 */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import {
  ChannelAccounts,
  type ChannelConnection,
  type ChannelCredentials,
  type ChannelNumber,
  ChannelSetup,
  CredentialsRefused
} from "./ChannelConnection.ts"

/** The credentials in a request. Secrets may be left out when the connection exists already. */
export interface GivenCredentials
  extends Pick<ChannelCredentials, "phoneNumberId" | "businessAccountId">,
    Partial<Pick<ChannelCredentials, "accessToken" | "appSecret" | "verifyToken">> {}

const secretNames = ["accessToken", "appSecret", "verifyToken"] as const

/** The given credentials, completed with stored secrets; a sentence when a secret is missing. */
export const completed = (
  given: GivenCredentials,
  stored: ChannelConnection | undefined
): ChannelCredentials | string => {
  const sameNumber = stored?.phoneNumberId === given.phoneNumberId
  const secrets = { ...(sameNumber ? stored : {}), ...given }
  const { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken } = secrets
  if (accessToken === undefined || appSecret === undefined || verifyToken === undefined) {
    const missing = secretNames.filter((name) => secrets[name] === undefined)
    return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} required${
      stored === undefined ? "" : ": the stored ones belong to another number"
    }.`
  }
  return { phoneNumberId, businessAccountId, accessToken, appSecret, verifyToken }
}

/** The fields of a connection in the audit log: no secrets, only the names of those that changed. */
const recordable = (
  { phoneNumberId, businessAccountId, phoneNumber }: ChannelConnection,
  changedSecrets: ReadonlyArray<string> = []
) => ({
  ...{ phoneNumberId, businessAccountId, phoneNumber },
  ...(changedSecrets.length === 0 ? {} : { changedSecrets: [...changedSecrets] })
})

/** Needs ChannelAccounts, ChannelSetup and Audit once; the functions it gives need nothing. */
export const makeConnectChannel = Effect.gen(function* () {
  const accounts = yield* ChannelAccounts
  const setup = yield* ChannelSetup
  const audit = yield* Audit

  const store = (
    organizationId: string,
    before: ChannelConnection | undefined,
    wanted: ChannelCredentials & ChannelNumber
  ) =>
    audit.recorded(organizationId, accounts.save(organizationId, wanted), (after) => ({
      action: before === undefined ? "messaging_connection.created" : "messaging_connection.updated",
      subjectId: after.id,
      ...(before === undefined ? {} : { before: recordable(before) }),
      after: recordable(
        after,
        secretNames.filter((name) => before?.[name] !== after[name])
      )
    }))

  /** Tests the credentials, stores them, and subscribes us to the channel's webhooks. */
  const connect = traced("ConnectChannel.connect")(function* (organizationId: string, given: GivenCredentials) {
    const before = yield* accounts.find(organizationId)
    const wanted = completed(given, before)
    if (typeof wanted === "string") return yield* new CredentialsRefused({ message: wanted })
    const number = yield* setup.check(wanted)
    const after = yield* store(organizationId, before, { ...wanted, ...number })
    // The subscription comes last: we can take webhooks only once the connection is stored. Repeating the request repairs a failure here.
    yield* setup.subscribe(wanted)
    yield* Effect.logInfo("a messaging channel is connected", { organizationId, phoneNumberId: after.phoneNumberId })
    return after
  })

  /** Disconnects; false when there was no connection. It also unsubscribes at the channel, but disconnects even when the channel does not answer. */
  const disconnect = traced("ConnectChannel.disconnect")(function* (organizationId: string) {
    const before = yield* accounts.find(organizationId)
    if (before === undefined) return false
    yield* audit.recorded(organizationId, accounts.remove(organizationId), () => ({
      action: "messaging_connection.removed",
      subjectId: before.id,
      before: recordable(before)
    }))
    const others = yield* accounts.receivers({ phoneNumberIds: [], businessAccountIds: [before.businessAccountId] })
    if (others.length === 0)
      yield* Effect.catch(setup.unsubscribe(before), ({ message }) =>
        Effect.logWarning("the channel still tells of an account that is not connected any more", {
          organizationId,
          reason: message
        })
      )
    return true
  })

  return { connect, disconnect, find: accounts.find }
})
