/**
 * A person of the organization in a call: they whisper to the agent, talk with the caller in its place, and hand the call back. While they talk, the agent
 * says nothing and keeps what both sides say in its history, so that it can go on.
 *
 *   (none) ──(taken over)──▶ asked ──(disclosure heard)──▶ announced ──(heard)──▶ talking ──(handed back, lost)──▶ (none)
 *
 * The caller is told, in fixed sentences, when a person takes over and when the agent is back.
 */
import { type CallAction, type CallInput, type CallState, phrases, recordSpoken, type Step, say } from "./CallState.ts"
import { remember, withSaid, withUnjudged } from "./CallTurns.ts"

const note = (state: CallState, content: string): CallState => ({
  ...state,
  history: [...state.history, { role: "system", content }]
})

const takenOverNote =
  "A colleague of yours has taken over this call and talks with the caller. What the colleague says follows as notes."
const handedBackNote =
  "The colleague has handed the call back, and you talk with the caller again. Keep to what the colleague said and agreed."

/** What a person tells the agent and the caller does not hear. The agent heeds it from its next answer on. */
export const whispered = (state: CallState, text: string): Step => [
  note(
    state,
    `A colleague tells you, and the caller does not hear it: ${text} Heed it, and do not say that you were told.`
  ),
  []
]

/** What a person said to the caller, once its words are known. */
export const personSaid = (state: CallState, said: Extract<CallInput, { readonly _tag: "PersonSaid" }>): Step => {
  const { text, startMs, endMs } = said
  return [
    note(state, `Your colleague said to the caller: ${text}`),
    [{ _tag: "RecordUtterance", role: "agent", by: "person", text, interrupted: false, startMs, endMs }]
  ]
}

/** A person takes the call over. The disclosure is said to its end first. */
export const takenOver = (state: CallState): Step => {
  if (state.phase === "disclosing") return [{ ...state, person: "asked" }, []]
  if (state.phase !== "conversing" || state.person !== undefined) return [state, []]
  return announce(state, [{ _tag: "StopThinking" }, { _tag: "StopSpeaking" }, { _tag: "DisarmSilence" }])
}

/** What the caller says to the person. The content filter judges it before the model's next answer, as it judges all that the model reads. */
const heard = (state: CallState, text: string): CallState => ({
  ...state,
  history: withSaid(state.history, text),
  unjudged: withUnjudged(state, text)
})

/** The agent tells the caller who talks next. */
export const announce = (state: CallState, first: ReadonlyArray<CallAction>): Step => [
  {
    ...(state.held === undefined ? state : heard(state, state.held)),
    phase: "conversing",
    person: "announced",
    speaking: true,
    thinking: false,
    answering: false,
    apologising: false,
    guess: undefined,
    unfinished: undefined,
    awaited: undefined,
    cutOff: undefined,
    held: undefined,
    silencePrompts: 0
  },
  [...first, say(phrases(state.agent).personJoins, false)]
]

const talks = (state: CallState, ...first: ReadonlyArray<CallAction>): Step => [
  { ...note(state, takenOverNote), person: "talking", speaking: false },
  [...first, { _tag: "GiveToPerson" }]
]

/** The agent has the call again, without a word about it. */
const released = (state: CallState): CallState => ({ ...note(state, handedBackNote), person: undefined })

const handedBack = (state: CallState, lost: boolean): Step => [
  { ...released(state), speaking: true },
  [
    { _tag: "TakeFromPerson", lost },
    { _tag: "DisarmSilence" },
    { _tag: "StopThinking" },
    say(phrases(state.agent).personLeft)
  ]
]

/**
 * One event of a call that a person has, or takes over. `goesOn`: the agent has the call again; the event is handled from this state as in every call,
 * after `actions`.
 */
export const withPerson = (
  state: CallState,
  event: CallInput
): Step | { readonly goesOn: CallState; readonly actions: ReadonlyArray<CallAction> } => {
  switch (event._tag) {
    case "TurnEnded":
    case "Overheard": {
      const { text, startMs, endMs } = event
      return [
        heard(state, text),
        [{ _tag: "RecordUtterance", role: "caller", text, interrupted: false, startMs, endMs }]
      ]
    }
    case "BargedIn":
    case "HeardSoFar":
    case "Silenced":
      return [remember(state, event.spoken.text), recordSpoken(event.spoken, false)]
    case "Drained":
      return state.person === "announced" && event.spoken.text.endsWith(phrases(state.agent).personJoins)
        ? talks(remember(state, event.spoken.text), ...recordSpoken(event.spoken, false))
        : [remember(state, event.spoken.text), recordSpoken(event.spoken, false)]
    case "SpeechLost":
      // The caller hears the person without the announcement.
      return state.person === "announced"
        ? talks(remember(state, event.spoken.text), ...recordSpoken(event.spoken, false))
        : [state, recordSpoken(event.spoken, false)]
    case "HandedBack":
      return handedBack(state, event.lost)
    case "Noticed":
      return [{ ...state, notices: [...state.notices, event.text] }, []]
    case "ToolExchange":
      return [{ ...state, history: [...state.history, ...event.messages] }, []]
    case "PersonSaid":
      return personSaid(state, event)
    case "Whispered":
      return whispered(state, event.text)
    case "EndRequested":
    case "HumanRequested":
    case "MaxDurationReached":
      return { goesOn: released(state), actions: [{ _tag: "TakeFromPerson", lost: false }] }
    case "ProviderLost":
      // People understand each other without speech-to-text. The agent learns of it when it has the call again.
      return [{ ...state, deaf: true }, []]
    case "AudioFailed":
    case "LineClosed":
      return { goesOn: { ...state, person: undefined }, actions: [] }
    default:
      return [state, []]
  }
}
