/**
 * Use case: hand an agent's call to a human. A free human is dialled. For a busy one the caller waits in line, first come, first served.
 * Without a human destination the conversation stays open for the team.
 *
 * Webhooks of the provider drive the next steps (`WaitInLine`, `EndTransfer`). They may be lost, late or repeated. So nothing is decided twice:
 * `Transfers.end` says whether its call was the first. If a webhook is lost, the next webhook of a waiting caller does its work.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import type { EscalationPlan } from "../../engine/EscalationPlan.ts"
import type { CallRecord } from "../records/CallRecord.ts"
import { type Transfer, Transfers } from "../records/Transfer.ts"
import { EscalationPolicy, patienceOf } from "./EscalationPolicy.ts"
import { makeHumanLine } from "./HumanLine.ts"
import { transferInstructions } from "./TransferInstructions.ts"

/** Needs its ports; the functions it returns need nothing. */
export const makePlanEscalation = Effect.gen(function* () {
  const policy = yield* EscalationPolicy
  const transfers = yield* Transfers
  const { advance, note } = yield* makeHumanLine
  const patience = patienceOf(policy)
  const { dial, enqueue } = transferInstructions(policy)

  const planOf = (transfer: Transfer, call: CallRecord): EscalationPlan => {
    const { plan, destination, position } = transfer
    if (plan === "transfer" && destination !== null)
      return { outcome: "transfer", twiml: dial(transfer, call, destination) }
    if (plan === "queue") return { outcome: "queue", position, twiml: enqueue(transfer) }
    return { outcome: "nobody" }
  }

  /** Makes the plan for a call whose agent asks for a human. A repeated request for the same tool call gives the same plan. */
  const request = traced("EscalateCall.request")(function* (
    call: CallRecord,
    toolCallId: string,
    destination: string | null
  ) {
    const { organizationId, id: callId } = call
    if (destination !== null) yield* advance(organizationId, destination)
    const now = yield* Clock.currentTimeMillis
    const transfer = yield* transfers.request({ organizationId, callId, toolCallId, destination }, now, patience)
    if (transfer.plan === "nobody") yield* note(transfer, call, "nobody")
    return planOf(transfer, call)
  })

  /** The plan of a tool call that was already answered. */
  const planAgain = traced("EscalateCall.planAgain")(function* (call: CallRecord, toolCallId: string) {
    const transfer = yield* transfers.ofToolCall(call.organizationId, call.id, toolCallId)
    return transfer === undefined ? undefined : planOf(transfer, call)
  })

  return { request, planAgain }
})
