/**
 * Use case: an agent hands its call to a human. A free human is dialled; for a busy one the caller waits in line, first come, first
 * served; without a human the conversation is left open for the team. Who nobody took comes back to the agent.
 *
 * The provider drives it with webhooks, which may be lost, late or repeated. So nothing is decided twice (`Transfers.end` says whether it
 * was the first), and what a lost one would have done is made good by the next request of whoever waits in the line.
 */
import { Clock, Context, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import type { CallEvent } from "../../engine/CallEvent.ts"
import type { EscalationPlan } from "../../engine/EscalationPlan.ts"
import { type TelephonyConnection, TelephonyConnections } from "../../telephony/PhoneNumber.ts"
import { Telephony, type TelephonyError } from "../../telephony/Telephony.ts"
import * as Twiml from "../../telephony/twilio/Twiml.ts"
import { type CallRecord, Calls } from "../records/CallRecord.ts"
import { type FinalOutcome, type Transfer, Transfers } from "../records/Transfer.ts"
import type { Answer } from "./ConnectCall.ts"
import { type ProviderLine, spokenByProvider } from "./ProviderVoice.ts"
import { makeResumeCall, type ResumeOutcome } from "./ResumeCall.ts"

export const escalationDefaults = { ringSeconds: 30, maxWaitSeconds: 300, announceEverySeconds: 15 }

export class EscalationPolicy extends Context.Service<
  EscalationPolicy,
  {
    /** Address of the telephony webhooks, e.g. `https://app.example.com/api/webhooks/telephony`. */
    readonly webhooks: string
    /** How long a human's telephone rings. */
    readonly ringSeconds: number
    /** A caller who waits longer in line comes back to the agent. */
    readonly maxWaitSeconds: number
    /** Pause between two announcements of the caller's place. */
    readonly announceEverySeconds: number
  }
>()("parley/domain/EscalationPolicy") {}

/** How long a human may talk; the provider ends the call then, so a human is not busy for longer, whatever is lost. */
const maxTalkSeconds = 4 * 3_600
/** A caller taken out of the line before reaching it (the agent is still talking) has this long to arrive. */
const arrivalMs = 60_000

/** What the provider is told to do: an answer like that to a voice webhook, or a step of a transfer. */
export type TransferAnswer =
  | Answer
  | { readonly _tag: "Dial"; readonly twiml: string }
  | ({ readonly _tag: "Wait"; readonly pauseSeconds: number; readonly again: string } & ProviderLine)
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Nothing" }

/** What a webhook says of its call, whose account has been verified. */
export interface TransferWebhook {
  readonly connection: TelephonyConnection
  readonly transferId: string
  readonly callSid: string
  /** The provider's `CallStatus`: whether the caller is still there. */
  readonly callStatus: string
}

/** `DialCallStatus` of the provider. */
const dialOutcomes: Readonly<Record<string, FinalOutcome>> = {
  completed: "transferred",
  answered: "transferred",
  busy: "busy",
  "no-answer": "no_answer",
  canceled: "abandoned"
}

const callerGone = (callStatus: string): boolean => /^(completed|canceled|busy|failed|no-answer)$/.test(callStatus)

type CallEnd = Extract<CallEvent, { type: "call_end" }>

const notes: Readonly<Record<FinalOutcome, string | undefined>> = {
  transferred: undefined,
  no_answer: "The human did not answer.",
  busy: "The human's line was busy.",
  failed: "The human could not be dialled.",
  abandoned: "The caller hung up before a human took the call.",
  timed_out: "The caller waited too long for a human.",
  nobody: "The agent has no human destination."
}

const resumeOutcomes: Readonly<Partial<Record<FinalOutcome, ResumeOutcome>>> = {
  busy: "busy",
  failed: "failed"
}

/** The provider's "call is not in progress" and "not found". */
const callIsOver = (error: TelephonyError): boolean => error.code === 21220 || error.status === 404

/** Why a call ended does not say it: a flagged call may have been taken over, or not. An end without the field comes from a journal older than it. */
const handoverAtEnd = ({ handover, endReason }: CallEnd, { plan }: Transfer): CallEnd["handover"] => {
  if (handover !== undefined) return handover
  if (endReason === "transferred") return "taken"
  if (endReason === "queued_for_human") return plan === "transfer" ? "refused" : "taken"
  return undefined
}

/** Needs its ports once; the functions it gives need nothing. */
export const makeEscalateCall = Effect.gen(function* () {
  const policy = yield* EscalationPolicy
  const transfers = yield* Transfers
  const calls = yield* Calls
  const agents = yield* VoiceAgents
  const connections = yield* TelephonyConnections
  const telephony = yield* Telephony
  const resume = yield* makeResumeCall

  const patience = { arrivalMs, talkMs: (maxTalkSeconds + policy.ringSeconds) * 1_000 }

  const webhook = (path: string, { id }: Transfer) => `${policy.webhooks}/${path}?transfer=${encodeURIComponent(id)}`

  const dial = (transfer: Transfer, call: CallRecord, destination: string): string => {
    const own = call.direction === "inbound" ? call.to : call.from
    return Twiml.dial(destination, {
      // What the human's telephone shows must be a number of this account.
      ...(own.startsWith("+") ? { callerId: own } : {}),
      timeoutSeconds: policy.ringSeconds,
      timeLimitSeconds: maxTalkSeconds,
      action: webhook("transfer/ended", transfer)
    })
  }

  const enqueue = (transfer: Transfer): string =>
    Twiml.enqueue("humans", { waitUrl: webhook("queue/wait", transfer), action: webhook("queue/left", transfer) })

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

  /** Ends a transfer, and lets the next caller have the human. True when it was not over before. */
  const conclude = Effect.fnUntraced(function* (transfer: Transfer, call: CallRecord, outcome: FinalOutcome) {
    const { organizationId, id, destination } = transfer
    const first = yield* transfers.end(organizationId, id, outcome, yield* Clock.currentTimeMillis)
    if (first) yield* note(transfer, call, outcome)
    return { first, advance: destination === null ? Effect.void : advance(organizationId, destination) }
  })

  /** The transfer a webhook is about, when it belongs to the account and the call that the webhook names. */
  const owned = Effect.fnUntraced(function* ({ connection, transferId, callSid }: TransferWebhook) {
    const { organizationId } = connection
    const transfer = yield* transfers.find(organizationId, transferId)
    const call = transfer === undefined ? undefined : yield* calls.find(organizationId, transfer.callId)
    return transfer === undefined || call?.callSid !== callSid ? undefined : { transfer, call }
  })

  const finish = Effect.fnUntraced(function* (call: CallRecord, endReason: "transferred" | "caller_hangup") {
    yield* calls.finished(call.organizationId, call.id, endReason, yield* Clock.currentTimeMillis)
    return { _tag: "HangUp" } as const
  })

  /** Back to the agent, while the human goes to the next caller. Not when the call has asked for a human again since. */
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

  const planOf = (transfer: Transfer, call: CallRecord): EscalationPlan => {
    const { plan, destination, position } = transfer
    if (plan === "transfer" && destination !== null)
      return { outcome: "transfer", twiml: dial(transfer, call, destination) }
    if (plan === "queue") return { outcome: "queue", position, twiml: enqueue(transfer) }
    return { outcome: "nobody" }
  }

  /** Decides what becomes of a call whose agent asks for a human; asked again for the same tool call it gives the same plan. */
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

  /** The plan of a tool call that was answered before. */
  const planAgain = traced("EscalateCall.planAgain")(function* (call: CallRecord, toolCallId: string) {
    const transfer = yield* transfers.ofToolCall(call.organizationId, call.id, toolCallId)
    return transfer === undefined ? undefined : planOf(transfer, call)
  })

  /** The `<Dial>` is over. `undefined`: no transfer of this account and call. */
  const dialEnded = traced("EscalateCall.dialEnded")(function* (hook: TransferWebhook, dialStatus: string) {
    const found = yield* owned(hook)
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

  /** A caller in the line asks what to hear next. */
  const wait = traced("EscalateCall.wait")(function* (hook: TransferWebhook) {
    const found = yield* owned(hook)
    if (found === undefined) return undefined
    const { call } = found
    const { organizationId } = call
    const now = yield* Clock.currentTimeMillis
    const before = yield* transfers.arrive(organizationId, found.transfer.id, now, patience)
    if (before?.transfer.outcome !== "queued" || before.transfer.destination === null) return { _tag: "Leave" } as const
    const { transfer } = before
    if (now - Date.parse(transfer.requestedAt) >= policy.maxWaitSeconds * 1_000) {
      const { advance: advanced } = yield* conclude(transfer, call, "timed_out")
      yield* advanced
      return { _tag: "Leave" } as const
    }
    // A human may have become free without a word of the provider.
    yield* advance(organizationId, before.transfer.destination, transfer.id)
    const after = yield* transfers.arrive(organizationId, transfer.id, now, patience)
    if (after?.transfer.outcome !== "queued") return { _tag: "Leave" } as const
    const agent = call.agentId === null ? undefined : yield* agents.find(organizationId, call.agentId)
    return {
      _tag: "Wait",
      ...spokenByProvider(agent?.primaryLanguage ?? "en-US", ({ queue }) => queue(after.place)),
      pauseSeconds: policy.announceEverySeconds,
      again: webhook("queue/wait", transfer)
    } as const
  })

  /** The call has left the line: the caller hung up, was taken out of it, or could not be let in. */
  const leftLine = traced("EscalateCall.leftLine")(function* (hook: TransferWebhook, queueResult: string) {
    const found = yield* owned(hook)
    if (found === undefined) return undefined
    const { transfer, call } = found
    if (queueResult === "hangup" || callerGone(hook.callStatus)) {
      const { first, advance: advanced } = yield* conclude(transfer, call, "abandoned")
      yield* advanced
      return first ? yield* finish(call, "caller_hangup") : ({ _tag: "HangUp" } as const)
    }
    // Redirected over REST: it already obeys another document.
    if (/^(redirected|bridged)/.test(queueResult)) return { _tag: "Nothing" } as const
    if (transfer.outcome === "dialing" && transfer.destination !== null)
      return { _tag: "Dial", twiml: dial(transfer, call, transfer.destination) } as const
    if (transfer.outcome === "transferred" || transfer.outcome === "abandoned") return { _tag: "HangUp" } as const
    const outcome = transfer.outcome === "queued" ? "failed" : (transfer.outcome as FinalOutcome)
    const { advance: advanced } = yield* conclude(transfer, call, outcome)
    return yield* comeBack(hook, call, transfer, outcome, advanced)
  })

  /**
   * The engine's part of a call is over. Handed over as planned: the transcript is complete. Otherwise the call is over for good, or the
   * provider refused to transfer it, and the human goes to the next caller.
   */
  const engineEnded = traced("EscalateCall.engineEnded")(function* (event: CallEnd) {
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

  return { request, planAgain, dialEnded, wait, leftLine, engineEnded }
})
