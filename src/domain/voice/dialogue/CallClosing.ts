/** How a call ends: last words, a human, or the line that closes. */
import type { EndReason } from "../engine/EndReason.ts"
import type { EscalationPlan } from "../engine/EscalationPlan.ts"
import { type CallAction, type CallState, type Closing, phrases, type Step, say } from "./CallState.ts"

/** The disclosure is always played to its end; the next words follow it. */
const stopSpeaking = (state: CallState): ReadonlyArray<CallAction> =>
  state.phase === "disclosing" ? [] : [{ _tag: "StopSpeaking" }]

const stopAll = (state: CallState): ReadonlyArray<CallAction> => [
  ...stopSpeaking(state),
  { _tag: "StopThinking" },
  { _tag: "DisarmSilence" }
]

const closingState = (state: CallState, closing: Closing): CallState => ({
  ...state,
  phase: "closing",
  closing,
  thinking: false,
  speaking: true,
  answering: false,
  guess: undefined,
  cutOff: undefined,
  held: undefined
})

/** Says the last words and then ends the call. Nothing the caller says can stop it. */
export const close = (state: CallState, reason: EndReason, words: string): Step => [
  closingState(state, {
    reason,
    lastWords: words,
    nobody: words,
    plan: undefined,
    mute: false,
    handover: undefined
  }),
  [...stopAll(state), say(words, false)]
]

export const end = (state: CallState, endReason: EndReason, ...first: ReadonlyArray<CallAction>): Step => [
  { ...state, phase: "ended", thinking: false, speaking: false, guess: undefined },
  [...first, { _tag: "StopThinking" }, { _tag: "DisarmSilence" }, { _tag: "End", endReason }]
]

export interface Handover {
  /** Why a human is needed. It never quotes anybody, because the audit log keeps it for good; the transcript has the words. */
  readonly note: string
  /** Why the call ends; absent when the only reason is that a human was requested. */
  readonly reason?: EndReason
  /** Words said at once, while the plan is being made. */
  readonly opening?: string
  /** Words said when no human can be reached now. */
  readonly nobody: string
  /** The plan, if the model's own tool call has already made it. */
  readonly plan?: EscalationPlan
}

/** Hands the caller to a human. The escalation tool makes the plan, unless one is given. */
export const handOver = (state: CallState, { note, reason, opening, nobody, plan }: Handover): Step => {
  const closing = { reason, lastWords: undefined, nobody, plan: undefined, mute: false, handover: undefined }
  const next = closingState(state, closing)
  const actions: ReadonlyArray<CallAction> = [
    ...stopAll(state),
    { _tag: "RecordHandoff", reason: note },
    ...(opening === undefined ? [] : [say(opening, false)])
  ]
  if (plan === undefined) return [next, [...actions, { _tag: "RunEscalation", reason: note }]]
  const [planned, more] = followPlan(next, plan)
  return [planned, [...actions, ...more]]
}

/** Tells the caller about a finished plan. The plan is carried out when the caller has heard that. */
export const followPlan = (state: CallState, plan: EscalationPlan): Step => {
  const { closing } = state
  if (closing === undefined || closing.lastWords !== undefined) return [state, []]
  const { transfer, queue } = phrases(state.agent)
  const reason = plan.outcome === "nobody" ? (closing.reason ?? "queued_for_human") : closing.reason
  const lastWords =
    plan.outcome === "transfer" ? transfer : plan.outcome === "queue" ? queue(plan.position) : closing.nobody
  const planned: CallState = { ...state, closing: { ...closing, plan, reason, lastWords } }
  return closing.mute ? finish(planned) : [planned, [say(lastWords, false)]]
}

/** The end reason when the provider has taken the call over. */
const takenOver = ({ reason, plan }: Closing): EndReason =>
  reason ?? (plan?.outcome === "transfer" ? "transferred" : "queued_for_human")

/** Whether the provider took the call over or refused, for the `call_end` event; `undefined` when it was not asked. */
export const handoverOf = ({ closing }: CallState): "taken" | "refused" | undefined =>
  closing?.handover === "asked" ? "taken" : closing?.handover

/** After the last words: transfers the call to the human, or hangs up. */
export const finish = (state: CallState, ...first: ReadonlyArray<CallAction>): Step => {
  const { closing } = state
  if (closing?.plan !== undefined && closing.plan.outcome !== "nobody")
    return [
      { ...state, closing: { ...closing, handover: "asked" } },
      [...first, { _tag: "Transfer", twiml: closing.plan.twiml }]
    ]
  return end(state, closing?.reason ?? "agent_hangup", ...first, { _tag: "HangUp" })
}

/** The agent cannot say even the last words. The human can still be reached. */
export const fallMute = (state: CallState): Step => {
  const { closing } = state
  if (closing === undefined || closing.handover === "asked") return [state, []]
  if (closing.lastWords === undefined) return [{ ...state, closing: { ...closing, mute: true } }, []]
  return finish({ ...state, closing: { ...closing, reason: closing.reason ?? "provider_failure" } })
}

export const transferDone = (state: CallState): Step =>
  state.closing?.handover === "asked" ? end(state, takenOver(state.closing)) : [state, []]

export const transferFailed = (state: CallState): Step => {
  const { closing } = state
  if (closing?.handover !== "asked") return [state, []]
  const words = phrases(state.agent).handoff
  const failed: CallState = {
    ...state,
    speaking: true,
    closing: {
      ...closing,
      reason: closing.reason ?? "queued_for_human",
      lastWords: words,
      plan: { outcome: "nobody" },
      handover: "refused"
    }
  }
  return closing.mute ? finish(failed) : [failed, [say(words, false)]]
}

/** The line closed: the caller hung up, unless the end reason was already decided. */
export const lineClosed = (state: CallState): Step => {
  const { closing } = state
  if (closing?.handover === "asked") return end(state, takenOver(closing))
  return end(state, closing?.reason ?? "caller_hangup")
}
