/** How a call goes on in another process than the one in which it was thought so far. */
import type { ChatMessage } from "../../ai/providers/Reasoning.ts"
import { type CallAction, type CallState, type Step, say } from "./CallState.ts"

/** A line that was to be said and has no sound: it is said again. */
export interface UnsaidLine {
  readonly text: string
  readonly interruptible: boolean
}

/** What the sound of a call has of the agent's speech when its mind is gone. */
export interface Left {
  /** The clauses of the reply under way that were heard, or will be: they have their sound. */
  readonly reply: ReadonlyArray<string>
  readonly unsaid: ReadonlyArray<UnsaidLine>
}

/** Sent to a model that is asked to go on with an answer of which this is said already. */
const goOn: ChatMessage = {
  role: "system",
  content: "The line to you broke off there. Go on from exactly there, and do not repeat what you have said."
}

/** The rest of a call that is about to end is done again: what asks others is safe to ask twice. */
const closing = (state: CallState): ReadonlyArray<CallAction> => {
  const { closing } = state
  if (closing === undefined) return []
  if (closing.handover === "asked" && closing.plan !== undefined && closing.plan.outcome !== "nobody")
    return [{ _tag: "Transfer", twiml: closing.plan.twiml }]
  if (closing.plan === undefined && closing.lastWords === undefined)
    return [{ _tag: "RunEscalation", reason: "The caller was being handed over." }]
  return []
}

/** Goes on from the last state that was kept. What was under way is done again; a guess is dropped, since the end of its turn is still to come. */
export const takeOver = (kept: CallState, { reply, unsaid }: Left): Step => {
  if (kept.phase === "ended") return [kept, []]
  const state: CallState = kept.guess === undefined ? kept : { ...kept, guess: undefined }
  const actions: ReadonlyArray<CallAction> = [
    ...(kept.guess === undefined ? [] : [{ _tag: "StopSpeaking" } as const]),
    ...unsaid.map(({ text, interruptible }) => say(text, interruptible)),
    ...closing(state)
  ]
  if (state.thinking) {
    const said: ReadonlyArray<ChatMessage> =
      reply.length === 0 ? [] : [{ role: "assistant", content: reply.join(" ") }, goOn]
    const history = [...state.history, ...said]
    const { turn, unjudged: text } = state
    return [state, [...actions, { _tag: "Think", turn, history, text, guess: false, marked: false, said: reply }]]
  }
  const idle = state.phase === "conversing" && !state.speaking && state.awaited === undefined
  return [state, idle ? [...actions, { _tag: "ArmSilence" }] : actions]
}
