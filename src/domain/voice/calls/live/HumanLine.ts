/** The line of callers who wait for a human: connects the next caller when the human may be free, and ends transfers, which frees the human. */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { TelephonyConnections } from "../../telephony/PhoneNumber.ts"
import { Telephony, type TelephonyError } from "../../telephony/Telephony.ts"
import { type CallRecord, Calls } from "../records/CallRecord.ts"
import { type FinalOutcome, type Transfer, Transfers } from "../records/Transfer.ts"
import { EscalationPolicy, patienceOf } from "./EscalationPolicy.ts"
import { transferInstructions } from "./TransferInstructions.ts"

const notes: Readonly<Record<FinalOutcome, string | undefined>> = {
  transferred: undefined,
  no_answer: "The human did not answer.",
  busy: "The human's line was busy.",
  failed: "The human could not be dialled.",
  abandoned: "The caller hung up before a human took the call.",
  timed_out: "The caller waited too long for a human.",
  nobody: "The agent has no human destination."
}

/** Whether the provider's error means that the call is over: code 21220 ("call is not in progress") or 404. */
const callIsOver = (error: TelephonyError): boolean => error.code === 21220 || error.status === 404

/** Needs its ports; the functions it returns need nothing. */
export const makeHumanLine = Effect.gen(function* () {
  const policy = yield* EscalationPolicy
  const transfers = yield* Transfers
  const calls = yield* Calls
  const connections = yield* TelephonyConnections
  const telephony = yield* Telephony
  const patience = patienceOf(policy)
  const { dial } = transferInstructions(policy)

  /** Leaves a note for the team, for whom the conversation stays open. A repetition changes nothing. */
  const note = ({ organizationId, callId, id }: Transfer, call: CallRecord, outcome: FinalOutcome) => {
    const reason = notes[outcome]
    if (reason === undefined) return Effect.void
    return calls.apply({
      type: "handoff",
      id: `${id}.${outcome}`,
      organizationId,
      agentId: call.agentId ?? "",
      callId,
      reason
    })
  }

  /**
   * Connects the first caller of the line if the human is free. Callers who have hung up meanwhile are skipped. `asking` is the transfer whose
   * webhook is being answered; that answer connects it, so it is not redirected here.
   */
  const advance = traced("EscalateCall.advance")(function* (
    organizationId: string,
    destination: string,
    asking?: string
  ) {
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const first = yield* transfers.next(organizationId, destination, now, patience)
      // A caller who has not arrived in the line yet is connected on arrival.
      if (first === undefined || !first.arrived || first.id === asking) return
      const call = yield* calls.find(organizationId, first.callId)
      const connection = yield* connections.find(organizationId)
      if (call?.callSid == null || connection === undefined) return
      const failure = yield* telephony.redirect(connection, call.callSid, dial(first, call, destination)).pipe(
        Effect.as(undefined),
        Effect.catch((error) => Effect.succeed(error))
      )
      if (failure === undefined) return
      if (!callIsOver(failure))
        // The call is connected when the line next asks what the caller should hear.
        return yield* Effect.logWarning("a waiting call could not be redirected", { callId: call.id, ...failure })
      yield* transfers.end(organizationId, first.id, "abandoned", now)
      yield* note(first, call, "abandoned")
    }
  })

  /** Ends a transfer. `first`: the transfer was still open. `advance`: an effect that gives the human to the next caller. */
  const conclude = Effect.fnUntraced(function* (transfer: Transfer, call: CallRecord, outcome: FinalOutcome) {
    const { organizationId, id, destination } = transfer
    const first = yield* transfers.end(organizationId, id, outcome, yield* Clock.currentTimeMillis)
    if (first) yield* note(transfer, call, outcome)
    return { first, advance: destination === null ? Effect.void : advance(organizationId, destination) }
  })

  return { note, advance, conclude }
})
