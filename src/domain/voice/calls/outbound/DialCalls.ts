/**
 * Use case: place the queued calls. A call is placed at most once, even if a process dies on the way. The intent is stored before the provider
 * is asked, and the request is never repeated. If the outcome is unknown, the call is looked up at the provider. If it is not there, it
 * counts as failed: not calling somebody is better than calling twice.
 */
import { Clock, Effect } from "effect"
import { Draining } from "../../../basics/Draining.ts"
import { traced } from "../../../basics/Traced.ts"
import { Organizations } from "../../../people/organizations/Organization.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import type { EndReason } from "../../engine/EndReason.ts"
import { type TelephonyConnection, TelephonyConnections } from "../../telephony/PhoneNumber.ts"
import type { TelephonyError } from "../../telephony/Telephony.ts"
import { type CallRecord, Calls } from "../records/CallRecord.ts"
import { makeOutboundGate } from "./OutboundGate.ts"
import { Placements, type Unsure } from "./Placement.ts"
import { type ProviderCall, ProviderCalls } from "./ProviderCalls.ts"
import { OutboundPolicy } from "./RequestCall.ts"
import { RingingCalls } from "./RingingCalls.ts"

/** Longer than a request to the provider can take, in milliseconds. A placement that takes longer was interrupted. */
const unsureAfterMs = 20_000

/** How much the provider's clock and ours may differ, in milliseconds. */
const clockSkewMs = 30_000

const lostReason =
  "The service was interrupted while it placed this call, and the provider does not know of it. It was not placed again."

/** What a failed request means. `again` (429, too many requests) and `refused` (other 4xx): not placed. `unsure`: it may have been placed. */
const verdict = ({ status }: TelephonyError): "again" | "refused" | "unsure" => {
  if (status === 429) return "again"
  return status !== null && status >= 400 && status < 500 ? "refused" : "unsure"
}

/** Needs its ports; the functions it returns need nothing. */
export const makeDialCalls = Effect.gen(function* () {
  const policy = yield* OutboundPolicy
  const placements = yield* Placements
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const connections = yield* TelephonyConnections
  const provider = yield* ProviderCalls
  const calls = yield* Calls
  const gate = yield* makeOutboundGate
  const ringing = yield* RingingCalls
  const { isDraining } = yield* Draining

  const paceMs = 1_000 / policy.callsPerSecond

  const order = ({ id, from, to }: CallRecord) => ({
    from,
    to,
    answerUrl: `${policy.webhooks}/outbound/${encodeURIComponent(id)}`,
    statusUrl: `${policy.webhooks}/status?call=${encodeURIComponent(id)}`,
    ringSeconds: policy.ringSeconds,
    machineDetection: policy.machineDetection
  })

  /** Stores the provider's id and state of a call that the provider has placed. */
  const adopt = Effect.fnUntraced(function* ({ organizationId, id }: CallRecord, made: ProviderCall) {
    yield* placements.placed(organizationId, id, made.callSid)
    yield* calls.told(
      organizationId,
      { id },
      {
        status: made.status,
        sequence: null,
        at: made.endedAt ?? (yield* Clock.currentTimeMillis),
        durationSeconds: made.durationSeconds,
        failureReason: null
      }
    )
  })

  const refuse = ({ organizationId, id }: CallRecord, endReason: EndReason, reason: string) =>
    placements.refused(organizationId, id, endReason, reason)

  /** Puts a call back into the queue. Only for a call that the provider has certainly not placed. */
  const putBack = ({ organizationId, id }: CallRecord) =>
    Effect.andThen(ringing.settled(id), placements.waitAgain(organizationId, id))

  const ask = Effect.fnUntraced(function* (call: CallRecord, connection: TelephonyConnection) {
    yield* ringing.placed(call.id, policy.ringSeconds)
    // The order matters: a process that starts draining after `placed` waits for this call; one that was already draining may not.
    if (yield* isDraining) return yield* putBack(call)
    const failure = yield* provider.create(connection, order(call)).pipe(
      Effect.flatMap((made) => adopt(call, made)),
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed(error))
    )
    if (failure === undefined) return
    switch (verdict(failure)) {
      case "again":
        return yield* putBack(call)
      case "refused":
        yield* ringing.settled(call.id)
        return yield* refuse(call, "error", `The telephony provider refused the call: ${failure.message}`)
      case "unsure":
        // `reconcile` looks the call up later, unless one of its webhooks comes first.
        yield* Effect.logWarning("nobody knows whether a call was placed", { callId: call.id, ...failure })
    }
  })

  /** Why the agent can no longer make this call: it was deleted, or lost its number. Otherwise `undefined`. */
  const callerGone = Effect.fnUntraced(function* ({ organizationId, agentId, from }: CallRecord) {
    const agent = agentId === null ? undefined : yield* agents.find(organizationId, agentId)
    if (agent === undefined) return "The agent was deleted before its turn to call came."
    return agent.phoneNumber === from ? undefined : `The agent lost its number ${from} before its turn to call came.`
  })

  const place = traced("DialCalls.place")(function* (call: CallRecord) {
    const { organizationId } = call
    const organization = yield* organizations.find(organizationId)
    const connection = yield* connections.find(organizationId)
    if (organization === undefined || connection === undefined)
      return yield* refuse(call, "error", "The organization has no account at the telephony provider.")
    const gone = yield* callerGone(call)
    if (gone !== undefined) return yield* refuse(call, "error", gone)
    const refusal = yield* gate(organization, call.to)
    if (refusal !== undefined) return yield* refuse(call, refusal.endReason, refusal.sentence)
    yield* ask(call, connection)
  })

  /** The provider's call for an intent with unknown outcome: the only recent one between these numbers that belongs to no record. */
  const lookFor = Effect.fnUntraced(function* (connection: TelephonyConnection, { call, since }: Unsure) {
    const recent = (yield* provider.placed(connection, call)).filter(
      ({ createdAt }) => createdAt === null || createdAt >= since - clockSkewMs
    )
    const known = yield* placements.known(
      call.organizationId,
      recent.map(({ callSid }) => callSid)
    )
    const unrecorded = recent.filter(({ callSid }) => !known.has(callSid))
    return unrecorded.length === 1 ? unrecorded[0] : undefined
  })

  const settleUnsure = traced("DialCalls.settleUnsure")(function* (unsure: Unsure) {
    const { organizationId, id } = unsure.call
    const connection = yield* connections.find(organizationId)
    const made = connection === undefined ? undefined : yield* lookFor(connection, unsure)
    if (made !== undefined) return yield* adopt(unsure.call, made)
    yield* Effect.logWarning("a call was lost while it was placed", { callId: id })
    yield* placements.lost(organizationId, id, lostReason)
  })

  /** Finds out what happened to calls whose placement was interrupted. If the provider does not answer, a later run asks again. */
  const reconcile = traced("DialCalls.reconcile")(function* (organizationId: string) {
    const before = (yield* Clock.currentTimeMillis) - unsureAfterMs
    for (const unsure of yield* placements.unsure(organizationId, before))
      yield* settleUnsure(unsure).pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning("the provider does not say whether a call was placed", { callId: unsure.call.id, message })
        )
      )
  })

  /** Places the waiting calls at the allowed pace until none is left. A process that is stopping leaves the rest to the others. */
  const drain = traced("DialCalls.drain")(function* (organizationId: string) {
    yield* reconcile(organizationId)
    while (!(yield* isDraining)) {
      // Only a crash can interrupt the steps from taking the call to storing its id.
      const next = yield* Effect.uninterruptible(
        Effect.gen(function* () {
          const taken = yield* placements.next(organizationId, yield* Clock.currentTimeMillis, paceMs)
          if (taken._tag === "Place") yield* place(taken.call)
          return taken
        })
      )
      if (next._tag === "Nothing") return
      if (next._tag === "Wait") yield* Effect.sleep(next.ms)
    }
  })

  return { drain, reconcile, organizations: placements.organizations }
})
