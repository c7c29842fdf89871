/**
 * Use case: end the transfer of a call to a human, after the human hung up or did not answer, or the caller left the line. The next caller gets
 * the human. A caller whom nobody took comes back to the agent.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { type CallRecord, Calls } from "../records/CallRecord.ts"
import { type FinalOutcome, type Transfer, Transfers } from "../records/Transfer.ts"
import { EscalationPolicy } from "./EscalationPolicy.ts"
import { makeHumanLine } from "./HumanLine.ts"
import { makeResumeCall, type ResumeOutcome } from "./ResumeCall.ts"
import { transferInstructions } from "./TransferInstructions.ts"
import { callerGone, makeTransferOfWebhook, type TransferAnswer, type TransferWebhook } from "./TransferWebhook.ts"

/** `DialCallStatus` of the provider. */
const dialOutcomes: Readonly<Record<string, FinalOutcome>> = {
  completed: "transferred",
  answered: "transferred",
  busy: "busy",
  "no-answer": "no_answer",
  canceled: "abandoned"
}

const resumeOutcomes: Readonly<Partial<Record<FinalOutcome, ResumeOutcome>>> = {
  busy: "busy",
  failed: "failed"
}

/** Needs its ports; the functions it returns need nothing. */
export const makeEndTransfer = Effect.gen(function* () {
  const transfers = yield* Transfers
  const calls = yield* Calls
  const resume = yield* makeResumeCall
  const { conclude } = yield* makeHumanLine
  const transferOf = yield* makeTransferOfWebhook
  const { dial } = transferInstructions(yield* EscalationPolicy)

  const finish = Effect.fnUntraced(function* (call: CallRecord, endReason: "transferred" | "caller_hangup") {
    yield* calls.finished(call.organizationId, call.id, endReason, yield* Clock.currentTimeMillis)
    return { _tag: "HangUp" } as const
  })

  /** Brings the call back to its agent, while the human gets the next caller. A call that has a newer transfer is not brought back. */
  const comeBack = Effect.fnUntraced(function* (
    hook: TransferWebhook,
    call: CallRecord,
    transfer: Transfer,
    outcome: FinalOutcome,
    advanced: Effect.Effect<void>
  ) {
    const newest = yield* transfers.latestOf(call.organizationId, call.id)
    if (newest !== undefined && newest.id !== transfer.id) return { _tag: "HangUp" } as const
    const back = resume(hook.connection, call, hook.callSid, transfer, resumeOutcomes[outcome] ?? "no_answer")
    const [answer] = yield* Effect.all([back, advanced], { concurrency: 2 })
    return answer
  })

  /** Answers the webhook at the end of the `<Dial>`. `undefined`: this account and call have no such transfer. */
  const dialEnded = traced("EscalateCall.dialEnded")(function* (hook: TransferWebhook, dialStatus: string) {
    const found = yield* transferOf(hook)
    if (found === undefined) return undefined
    const { transfer, call } = found
    const gone = callerGone(hook.callStatus)
    const said = dialOutcomes[dialStatus] ?? "failed"
    const outcome = gone && said !== "transferred" ? "abandoned" : said
    const { first, advance: advanced } = yield* conclude(transfer, call, outcome)
    if (outcome === "transferred" || outcome === "abandoned") {
      const answer: TransferAnswer = first
        ? yield* finish(call, outcome === "transferred" ? "transferred" : "caller_hangup")
        : { _tag: "HangUp" }
      yield* advanced
      return answer
    }
    return yield* comeBack(hook, call, transfer, outcome, advanced)
  })

  /** Answers the webhook of a call that left the line: the caller hung up, was taken out of the line, or could not enter it. */
  const leftLine = traced("EscalateCall.leftLine")(function* (hook: TransferWebhook, queueResult: string) {
    const found = yield* transferOf(hook)
    if (found === undefined) return undefined
    const { transfer, call } = found
    if (queueResult === "hangup" || callerGone(hook.callStatus)) {
      const { first, advance: advanced } = yield* conclude(transfer, call, "abandoned")
      yield* advanced
      return first ? yield* finish(call, "caller_hangup") : ({ _tag: "HangUp" } as const)
    }
    // The call was redirected over REST, and already follows another document.
    if (/^(redirected|bridged)/.test(queueResult)) return { _tag: "Nothing" } as const
    if (transfer.outcome === "dialing" && transfer.destination !== null)
      return { _tag: "Dial", twiml: dial(transfer, call, transfer.destination) } as const
    if (transfer.outcome === "transferred" || transfer.outcome === "abandoned") return { _tag: "HangUp" } as const
    const outcome = transfer.outcome === "queued" ? "failed" : (transfer.outcome as FinalOutcome)
    const { advance: advanced } = yield* conclude(transfer, call, outcome)
    return yield* comeBack(hook, call, transfer, outcome, advanced)
  })

  return { dialEnded, leftLine }
})
