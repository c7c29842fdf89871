/**
 * Use case: the engine's part of a call is over. Handed over as planned: the transcript is complete. Otherwise the call is over for good, or the
 * provider refused to transfer it, and the human goes to the next caller.
 */
import { Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import type { CallEvent } from "../../engine/CallEvent.ts"
import { Calls } from "../records/CallRecord.ts"
import { type Transfer, Transfers } from "../records/Transfer.ts"
import { makeHumanLine } from "./HumanLine.ts"

type CallEnd = Extract<CallEvent, { type: "call_end" }>

/** Why a call ended does not say it: a flagged call may have been taken over, or not. An end without the field comes from a journal older than it. */
const handoverAtEnd = ({ handover, endReason }: CallEnd, { plan }: Transfer): CallEnd["handover"] => {
  if (handover !== undefined) return handover
  if (endReason === "transferred") return "taken"
  if (endReason === "queued_for_human") return plan === "transfer" ? "refused" : "taken"
  return undefined
}

/** Needs its ports once; the function it gives needs nothing. */
export const makeConfirmHandover = Effect.gen(function* () {
  const transfers = yield* Transfers
  const calls = yield* Calls
  const { conclude } = yield* makeHumanLine

  return traced("EscalateCall.engineEnded")(function* (event: CallEnd) {
    const { organizationId, callId } = event
    const transfer = yield* transfers.latestOf(organizationId, callId)
    const call = transfer === undefined ? undefined : yield* calls.find(organizationId, callId)
    if (transfer === undefined || call === undefined) return
    yield* transfers.handedOver(organizationId, callId)
    const handover = handoverAtEnd(event, transfer)
    if (handover === "taken") return
    if (transfer.outcome !== "dialing" && transfer.outcome !== "queued") return
    const { advance: advanced } = yield* conclude(transfer, call, handover === "refused" ? "failed" : "abandoned")
    yield* advanced
  })
})
