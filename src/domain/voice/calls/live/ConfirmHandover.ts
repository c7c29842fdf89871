/**
 * Use case: follow up when the engine's part of a call is over. The transcript is complete then, which is noted on the transfer. If the call was
 * not handed over as planned, because it ended or the provider refused the transfer, the human is free for the next caller.
 */
import { Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import type { CallEvent } from "../../engine/CallEvent.ts"
import { Calls } from "../records/CallRecord.ts"
import { type Transfer, Transfers } from "../records/Transfer.ts"
import { makeHumanLine } from "./HumanLine.ts"

type CallEnd = Extract<CallEvent, { type: "call_end" }>

/**
 * Whether the provider took the call over. Newer events say it in `handover`. Events in a journal from before that field have only
 * `endReason`, which does not decide it for every reason: a flagged call may have been taken over or not.
 */
const handoverAtEnd = ({ handover, endReason }: CallEnd, { plan }: Transfer): CallEnd["handover"] => {
  if (handover !== undefined) return handover
  if (endReason === "transferred") return "taken"
  if (endReason === "queued_for_human") return plan === "transfer" ? "refused" : "taken"
  return undefined
}

/** Needs its ports; the function it returns needs nothing. */
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
