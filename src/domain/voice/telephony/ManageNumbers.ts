/**
 * Use case: manage an organization's phone numbers. A change at the provider is stored before it begins (`pending`, `releasing`) and
 * completed in the store afterwards. If the process dies in between, the next change finds the unfinished one and finishes it. So the
 * organization never pays for a number that it cannot see. A purchase without an answer may still be running, so only when it is old
 * does a missing number mean that it was not bought.
 */
import { Clock, Effect } from "effect"
import { Exclusive } from "../../basics/Exclusive.ts"
import { toE164 } from "../../basics/Phone.ts"
import { traced } from "../../basics/Traced.ts"
import { VoiceAgents } from "../agents/VoiceAgent.ts"
import { makeVoiceGate } from "../agents/VoiceGate.ts"
import { type NumberOrigin, type StoredNumber, type TelephonyConnection, TelephonyConnections } from "./PhoneNumber.ts"
import { type NumberSearch, Provisioning, ProvisioningError } from "./Provisioning.ts"
import { asRefused, refused } from "./ProvisioningRefused.ts"
import { makeRecordedNumbers } from "./RecordedNumbers.ts"
import { makeTelephonyAccount, telephonyTurn } from "./TelephonyAccounts.ts"

export interface NewNumber {
  /** With a country code, in any usual spelling. */
  readonly phoneNumber: string
  readonly origin: NumberOrigin
  /** The agent that answers; null for none. */
  readonly agentId: string | null
}

/**
 * No purchase takes longer than this at the provider, in milliseconds. A purchase is requested again only within this time, so after twice
 * this time none can be running.
 */
const purchaseMs = 5 * 60_000

const ageOf = ({ createdAt }: StoredNumber) => Effect.map(Clock.currentTimeMillis, (now) => now - Date.parse(createdAt))

/** Whether a purchase of this number may still be running at the provider. */
const mayStillBeBought = (number: StoredNumber) =>
  number.origin === "purchased" && number.sid === null
    ? Effect.map(ageOf(number), (age) => age < 2 * purchaseMs)
    : Effect.succeed(false)

const undecided = ({ phoneNumber }: StoredNumber) =>
  new ProvisioningError({
    reason: "unknown",
    message: `The telephony provider may still be buying ${phoneNumber}. Please try again in a few minutes.`
  })

const noNumber = () => refused("not_found", "There is no such phone number.")
const noAgent = () => refused("not_found", "There is no such voice agent.")

/** Needs the stores and the provider; the functions it returns need nothing and fail with `ProvisioningRefused`. */
export const makeManageNumbers = Effect.gen(function* () {
  const voiceGate = yield* makeVoiceGate
  const numbers = yield* makeRecordedNumbers
  const agents = yield* VoiceAgents
  const connections = yield* TelephonyConnections
  const provider = yield* Provisioning
  const exclusive = yield* Exclusive
  const accountOf = yield* makeTelephonyAccount

  const allowed = (organizationId: string) =>
    Effect.mapError(voiceGate(organizationId), (message) => refused("not_allowed", message))

  const existing = Effect.fnUntraced(function* (organizationId: string, id: string) {
    return (yield* numbers.find(organizationId, id)) ?? (yield* noNumber())
  })

  const agentExists = Effect.fnUntraced(function* (organizationId: string, agentId: string | null) {
    if (agentId !== null && (yield* agents.find(organizationId, agentId)) === undefined) return yield* noAgent()
  })

  const giveBack = Effect.fnUntraced(function* (
    account: TelephonyConnection | undefined,
    organizationId: string,
    number: StoredNumber
  ) {
    if (account !== undefined && number.origin !== "sip") {
      // A number whose purchase was never confirmed, or that an operator entered by hand, has no `sid` here.
      const sid = number.sid ?? (yield* provider.findNumber(account, number.phoneNumber))?.sid
      if (sid !== undefined) yield* provider.releaseNumber(account, sid)
      else if (yield* mayStillBeBought(number)) return yield* undecided(number)
    }
    yield* numbers.release(organizationId, number)
  })

  const settle = Effect.fnUntraced(function* (
    account: TelephonyConnection,
    organizationId: string,
    number: StoredNumber
  ) {
    if (number.state === "releasing") return yield* giveBack(account, organizationId, number)
    const bought = yield* provider.findNumber(account, number.phoneNumber)
    if (bought !== undefined) return yield* numbers.activate(organizationId, number.id, bought)
    if (!(yield* mayStillBeBought(number))) yield* numbers.remove(organizationId, number.id)
  })

  /** Finishes the changes that earlier requests began. A change that cannot be finished now is left for the next request. */
  const settleAll = Effect.fnUntraced(function* (organizationId: string) {
    const begun = yield* numbers.unfinished(organizationId)
    const account = begun.length === 0 ? undefined : yield* connections.find(organizationId)
    if (account === undefined) return
    yield* Effect.forEach(
      begun,
      (number) =>
        settle(account, organizationId, number).pipe(
          Effect.catch((error) =>
            Effect.logWarning("a phone number could not be settled with the provider", {
              organizationId,
              phone: number.phoneNumber,
              state: number.state,
              reason: error.message
            })
          )
        ),
      { discard: true }
    )
  })

  /** Runs one change of the organization at a time, after finishing the earlier ones. */
  const change =
    (organizationId: string) =>
    <A, E>(effect: Effect.Effect<A, E>) =>
      settleAll(organizationId).pipe(Effect.andThen(effect), exclusive.run(organizationId, telephonyTurn), asRefused)

  /** A number that is not for sale may already belong to the account: an earlier request whose answer was lost may have bought it. */
  const ownInstead = Effect.fnUntraced(function* (
    account: TelephonyConnection,
    phone: string,
    refusal: ProvisioningError
  ) {
    const own = refusal.reason === "not_available" ? yield* provider.findNumber(account, phone) : undefined
    if (own !== undefined) yield* provider.pointNumber(account, own.sid)
    return own
  })

  /** Buys the number of a stored intent. Without an answer it may have been bought; then the intent stays, and the next change asks. */
  const buyFor = Effect.fnUntraced(function* (
    account: TelephonyConnection,
    organizationId: string,
    intent: StoredNumber,
    whenRefused: (refusal: ProvisioningError) => Effect.Effect<void, ProvisioningError>
  ) {
    const { id, phoneNumber: phone } = intent
    const bought = yield* provider.buyNumber(account, phone).pipe(
      Effect.catchIf(
        ({ reason }) => reason !== "unknown",
        (refusal) =>
          Effect.flatMap(ownInstead(account, phone, refusal), (own) =>
            own === undefined ? Effect.andThen(whenRefused(refusal), refusal) : Effect.succeed(own)
          )
      )
    )
    yield* numbers.activate(organizationId, id, bought)
    return id
  })

  const buy = Effect.fnUntraced(function* (account: TelephonyConnection, organizationId: string, phone: string) {
    const intent = yield* numbers.add(organizationId, {
      phoneNumber: phone,
      origin: "purchased",
      state: "pending",
      sid: null,
      capabilities: null
    })
    return yield* buyFor(account, organizationId, intent, () => numbers.remove(organizationId, intent.id))
  })

  /** The purchase had no answer, and the account does not have the number yet. Asking again is safe, because a number is sold only once. */
  const buyAgain = Effect.fnUntraced(function* (organizationId: string, intent: StoredNumber) {
    if ((yield* ageOf(intent)) > purchaseMs) return yield* undecided(intent)
    const account = yield* accountOf(organizationId)
    // The number may be unavailable because the earlier purchase succeeds just now.
    return yield* buyFor(account, organizationId, intent, ({ reason }) =>
      reason === "not_available" ? undecided(intent) : Effect.void
    )
  })

  const connect = Effect.fnUntraced(function* (account: TelephonyConnection, organizationId: string, phone: string) {
    const found = yield* provider.findNumber(account, phone)
    if (found === undefined)
      return yield* refused("not_found", `${phone} is not in this organization's account (${account.accountSid}).`)
    yield* provider.pointNumber(account, found.sid)
    const added = yield* numbers.add(organizationId, {
      phoneNumber: phone,
      origin: "connected",
      state: "active",
      ...found
    })
    return added.id
  })

  const obtain = Effect.fnUntraced(function* (organizationId: string, origin: NumberOrigin, phone: string) {
    if (origin === "sip") {
      const route = { phoneNumber: phone, origin, state: "active", sid: null, capabilities: null } as const
      return (yield* numbers.add(organizationId, route)).id
    }
    const account = yield* accountOf(organizationId)
    return yield* origin === "purchased" ? buy(account, organizationId, phone) : connect(account, organizationId, phone)
  })

  const answerWith = Effect.fnUntraced(function* (organizationId: string, id: string, agentId: string | null) {
    if (!(yield* numbers.setAgent(organizationId, id, agentId))) return yield* noAgent()
    return yield* existing(organizationId, id)
  })

  /** Lists numbers for sale. */
  const search = traced("ManageNumbers.search")(function* (organizationId: string, wanted: NumberSearch) {
    yield* allowed(organizationId)
    return yield* asRefused(provider.searchNumbers(yield* connections.find(organizationId), wanted))
  })

  /**
   * Obtains the number and returns its id. `begun` and `settled` are its record before and after the earlier requests were finished;
   * `undefined` when there was none.
   */
  const idOf = Effect.fnUntraced(function* (
    organizationId: string,
    origin: NumberOrigin,
    phone: string,
    begun: StoredNumber | undefined,
    settled: StoredNumber | undefined
  ) {
    if (settled === undefined) return yield* obtain(organizationId, origin, phone)
    if (settled.state === "pending" && origin === "purchased") return yield* buyAgain(organizationId, settled)
    const finished = begun?.state === "pending" && settled.id === begun.id && settled.state === "active"
    return finished ? settled.id : yield* refused("conflict", `This organization has ${phone} already.`)
  })

  /** Buys a number, or connects one that exists already. Repeating a request whose purchase got no answer finishes that purchase. */
  const add = traced("ManageNumbers.add")(function* (organizationId: string, input: NewNumber) {
    yield* allowed(organizationId)
    const phone = toE164(input.phoneNumber)
    if (phone === undefined)
      return yield* refused("invalid", "phoneNumber must be a number with a country code, such as +14155550123.")
    yield* agentExists(organizationId, input.agentId)
    const begun = yield* numbers.findByPhone(organizationId, phone)
    const added = Effect.gen(function* () {
      const settled = yield* numbers.findByPhone(organizationId, phone)
      const id = yield* idOf(organizationId, input.origin, phone, begun, settled)
      yield* Effect.logInfo("a phone number was added", { organizationId, phone, origin: input.origin })
      return input.agentId === null
        ? yield* existing(organizationId, id)
        : yield* answerWith(organizationId, id, input.agentId)
    })
    return yield* added.pipe(
      Effect.catchTag("DuplicateNumber", () => refused("conflict", `${phone} belongs to another organization.`)),
      change(organizationId)
    )
  })

  /** Assigns the number to an agent from its next call on; null assigns it to none. */
  const assign = traced("ManageNumbers.assign")(function* (organizationId: string, id: string, agentId: string | null) {
    if (agentId !== null) yield* allowed(organizationId)
    yield* agentExists(organizationId, agentId)
    yield* existing(organizationId, id)
    return yield* Effect.gen(function* () {
      const { state, sid, phoneNumber } = yield* existing(organizationId, id)
      if (state !== "active") return yield* refused("conflict", `${phoneNumber} is not ready: it is ${state}.`)
      // The webhook was set when the number was added; the operator's address may have changed since.
      if (agentId !== null && sid !== null) yield* provider.pointNumber(yield* accountOf(organizationId), sid)
      return yield* answerWith(organizationId, id, agentId)
    }).pipe(change(organizationId))
  })

  /** Gives the number back to the provider. Every plan allows it at any time. */
  const release = traced("ManageNumbers.release")(function* (organizationId: string, id: string) {
    const { phoneNumber } = yield* existing(organizationId, id)
    yield* Effect.gen(function* () {
      const number = yield* numbers.find(organizationId, id)
      // Another request, or finishing the earlier changes, has released it already.
      if (number === undefined) return
      yield* numbers.beginRelease(organizationId, id)
      yield* giveBack(yield* connections.find(organizationId), organizationId, number)
    }).pipe(change(organizationId))
    yield* Effect.logInfo("a phone number was released", { organizationId, phone: phoneNumber })
  })

  return { search, add, assign, release }
})
