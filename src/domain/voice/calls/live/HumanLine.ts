/** The line of callers who wait for a human: who is next when the human may be free, and the end of a transfer, which frees the human. */
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

/** The provider's "call is not in progress" and "not found". */
const callIsOver = (error: TelephonyError): boolean => error.code === 21220 || error.status === 404

/** Needs its ports once; the functions it gives need nothing. */
export const makeHumanLine = Effect.gen(function* () {
  const policy = yield* EscalationPolicy
  const transfers = yield* Transfers
  const calls = yield* Calls
  const connections = yield* TelephonyConnections
  const telephony = yield* Telephony
  const patience = patienceOf(policy)
  const { dial } = transferInstructions(policy)

  /** A note for the team; the conversation is open for it. Repeated, it changes nothing. */
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
   * The human may be free: the first of the line is connected. Whoever has hung up meanwhile is passed over. `asking` is the transfer
   * whose webhook is being answered: that answer connects it.
   */
  const advance = traced("EscalateCall.advance")(function* (
    organizationId: string,
    destination: string,
    asking?: string
  ) {
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const first = yield* transfers.next(organizationId, destination, now, patience)
      // Not yet in the line: dialled when it gets there.
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
        // It is dialled when the line asks again what the caller shall hear.
        return yield* Effect.logWarning("a waiting call could not be redirected", { callId: call.id, ...failure })
      yield* transfers.end(organizationId, first.id, "abandoned", now)
      yield* note(first, call, "abandoned")
    }
  })

  /** Ends a transfer. `first`: it was not over before; `advance` lets the next caller have the human. */
  const conclude = Effect.fnUntraced(function* (transfer: Transfer, call: CallRecord, outcome: FinalOutcome) {
    const { organizationId, id, destination } = transfer
    const first = yield* transfers.end(organizationId, id, outcome, yield* Clock.currentTimeMillis)
    if (first) yield* note(transfer, call, outcome)
    return { first, advance: destination === null ? Effect.void : advance(organizationId, destination) }
  })

  return { note, advance, conclude }
})
