/**
 * Use case: an organization connects its account at the messaging channel, sees it, and disconnects it. The credentials are tried at the
 * channel before they are stored; secrets that are not given again keep their value, as long as they are for the same number.
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

/** What somebody gives: secrets may be left out of a connection that is there. */
export interface GivenCredentials
  extends Pick<ChannelCredentials, "phoneNumberId" | "businessAccountId">,
    Partial<Pick<ChannelCredentials, "accessToken" | "appSecret" | "verifyToken">> {}

const secretNames = ["accessToken", "appSecret", "verifyToken"] as const

/** The given credentials over the stored ones; a sentence when a secret is missing. */
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

/** For the audit log: no secret, only which of them changed. */
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

  /** Tries the credentials, stores them, and has the channel tell us what happens. */
  const connect = traced("ConnectChannel.connect")(function* (organizationId: string, given: GivenCredentials) {
    const before = yield* accounts.find(organizationId)
    const wanted = completed(given, before)
    if (typeof wanted === "string") return yield* new CredentialsRefused({ message: wanted })
    const number = yield* setup.check(wanted)
    const after = yield* store(organizationId, before, { ...wanted, ...number })
    // Last, because its webhooks can only be taken once the connection is there. Asked again it does the same.
    yield* setup.subscribe(wanted)
    yield* Effect.logInfo("a messaging channel is connected", { organizationId, phoneNumberId: after.phoneNumberId })
    return after
  })

  /** False when there was none. The channel is told, but a channel that does not answer keeps nobody connected. */
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
