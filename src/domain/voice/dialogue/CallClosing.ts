/** How a call ends: last words, a human, or the line that closes. */
import type { EndReason } from "../engine/EndReason.ts"
import type { EscalationPlan } from "../engine/EscalationPlan.ts"
import { type CallAction, type CallState, type Closing, phrases, type Step, say } from "./CallState.ts"

/** The disclosure is always heard to its end: what follows is said behind it. */
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

/** Last words, then the end: nothing the caller says can stop it any more. */
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
  /** Why a human is needed. Kept in the audit log for good, so never anybody's own words: those are in the transcript. */
  readonly note: string
  /** Why the call ends, when that is not simply that a human was asked for. */
  readonly reason?: EndReason
  /** Said at once, while the plan is being made. */
  readonly opening?: string
  /** Said when there is no human to reach now. */
  readonly nobody: string
  /** When the model's own tool call has made it already. */
  readonly plan?: EscalationPlan
}

/** Hands the caller to a human: by a plan that the escalation tool makes. */
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

/** The plan is there: the caller is told, and it is carried out when that was heard. */
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

/** The provider has taken over: why the agent's part is over. */
const takenOver = ({ reason, plan }: Closing): EndReason =>
  reason ?? (plan?.outcome === "transfer" ? "transferred" : "queued_for_human")

/** What became of giving the call away, for the record of its end; nothing when it did not come to that. */
export const handoverOf = ({ closing }: CallState): "taken" | "refused" | undefined =>
  closing?.handover === "asked" ? "taken" : closing?.handover

/** After the last words: to the human, or the end. */
export const finish = (state: CallState, ...first: ReadonlyArray<CallAction>): Step => {
  const { closing } = state
  if (closing?.plan !== undefined && closing.plan.outcome !== "nobody")
    return [
      { ...state, closing: { ...closing, handover: "asked" } },
      [...first, { _tag: "Transfer", twiml: closing.plan.twiml }]
    ]
  return end(state, closing?.reason ?? "agent_hangup", ...first, { _tag: "HangUp" })
}

/** Not even the last words can be said, but the human can still be reached. */
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

/** The caller hung up, unless the end had been settled before. */
export const lineClosed = (state: CallState): Step => {
  const { closing } = state
  if (closing?.handover === "asked") return end(state, takenOver(closing))
  return end(state, closing?.reason ?? "caller_hangup")
}
