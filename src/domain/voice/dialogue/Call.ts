/**
 * A call as a pure state machine: `(state, event) -> [state, actions]`. Events come from the audio path, the model and the line;
 * actions are data that one small interpreter (`actors/voice/call/Interpreter`) runs. Decisions are made here, without time or I/O,
 * so every race of turn-taking is a table of events.
 *
 *   disclosing ──(heard)──▶ conversing ──(hang-up, escalation, silence, …)──▶ closing ──(last words heard)──▶ ended
 */
import {
  close,
  end,
  fallMute,
  finish,
  followPlan,
  handOver,
  lineClosed,
  transferDone,
  transferFailed
} from "./CallClosing.ts"
import {
  type CallAction,
  type CallInput,
  type CallState,
  phrases,
  recordSaid,
  recordSpoken,
  type Said,
  type Spoken,
  type Step,
  say
} from "./CallState.ts"
import { answerTurn, guessOutcome, guessTurn, inputPassed, remember, think, withUnjudged } from "./CallTurns.ts"
import { isBackchannel } from "./Interjections.ts"

export { handoverOf } from "./CallClosing.ts"
export {
  type CallAction,
  type CallInput,
  type CallState,
  fixedLines,
  initialCall,
  type Spoken
} from "./CallState.ts"

/** Turns in a row that come to nothing before a human takes over. */
const maxFailures = 2

/** Runs `events` after a step, one after the other. */
const followedBy = (first: Step, events: ReadonlyArray<CallInput>): Step =>
  events.reduce<Step>(([state, actions], event) => {
    const [next, more] = step(state, event)
    return [next, [...actions, ...more]]
  }, first)

const answered = (state: CallState): Step => {
  if (state.speaking || state.closing !== undefined) return [state, []]
  const speaking: CallState = { ...state, speaking: true }
  return state.phase === "disclosing"
    ? [speaking, [say(state.agent.disclosureText, false)]]
    : [speaking, [say(state.greeting)]]
}

/** Not an interruption: the agent goes on. Real words are told to the model with the next turn. */
const overheard = (state: CallState, said: Said): Step => {
  const record = [recordSaid(said)]
  if (isBackchannel(said.text, state.agent.voice.language)) return [state, record]
  const history = [...state.history, { role: "user", content: said.text } as const]
  return [{ ...state, history, unjudged: withUnjudged(state, said.text) }, record]
}

/** An answer was heard: the providers work. The apology for one that failed, and what was heard before it, says nothing of them. */
const afterHearing = (state: CallState, text: string): CallState => {
  if (!state.apologising) return text === "" ? state : { ...state, failures: 0 }
  return { ...state, apologising: !text.endsWith(phrases(state.agent).apology) }
}

const bargedIn = (state: CallState, spoken: Spoken, meant: boolean): Step => {
  const record = recordSpoken(spoken, true)
  if (state.phase !== "conversing") return [state, record]
  return [
    {
      ...remember(afterHearing(state, spoken.text), spoken.text),
      apologising: false,
      speaking: false,
      thinking: false,
      answering: false,
      guess: undefined,
      cutOff: spoken.unheard === "" ? undefined : spoken.unheard,
      interruptions: state.interruptions + (meant ? 1 : 0)
    },
    [{ _tag: "StopThinking" }, { _tag: "DisarmSilence" }, ...record]
  ]
}

/** The caller made a sound without words. If it had silenced the agent, the agent goes on. */
const turnLost = (state: CallState): Step => {
  if (state.phase !== "conversing" || state.thinking || state.speaking) return [state, []]
  if (state.cutOff === undefined) return [state, [{ _tag: "ArmSilence" }]]
  return [{ ...state, cutOff: undefined, speaking: true }, [say(state.cutOff)]]
}

const drained = (state: CallState, spoken: Spoken): Step => {
  const record = recordSpoken(spoken, false)
  const quiet: CallState = {
    ...remember(afterHearing(state, spoken.text), spoken.text),
    speaking: false,
    answering: state.thinking,
    cutOff: undefined
  }
  switch (state.phase) {
    case "disclosing": {
      const welcomed: CallState = { ...quiet, phase: "conversing", speaking: true }
      const welcome: ReadonlyArray<CallAction> = [...record, say(state.greeting)]
      if (state.held === undefined) return [welcomed, welcome]
      const [next, actions] = think(welcomed, state.held)
      return [next, [...welcome, ...actions]]
    }
    case "conversing":
      return [quiet, state.thinking ? record : [...record, { _tag: "ArmSilence" }]]
    case "closing": {
      // Noticed before the last words were planned (or while the human is being dialled): there is more to come.
      const last = state.closing?.lastWords
      if (state.closing?.handover === "asked" || last === undefined || !spoken.text.endsWith(last))
        return [quiet, record]
      return finish(quiet, ...record)
    }
    case "ended":
      return [quiet, record]
  }
}

const silence = (state: CallState): Step => {
  if (state.phase !== "conversing" || state.thinking || state.speaking || state.guess !== undefined) return [state, []]
  const { silence } = state.agent
  if (state.silencePrompts >= silence.maxPrompts) return close(state, "silence", silence.goodbyeText)
  return [{ ...state, silencePrompts: state.silencePrompts + 1, speaking: true }, [say(silence.promptText)]]
}

/** The first time the caller is asked to say it again: the call goes on as long as one of two turns is answered. */
const turnFailed = (state: CallState, note: string): Step => {
  const failures = state.failures + 1
  if (failures >= maxFailures) return providerLost({ ...state, failures }, note)
  return [
    { ...state, failures, apologising: true, thinking: false, answering: false, speaking: true },
    [say(phrases(state.agent).apology)]
  ]
}

const replyFailed = (state: CallState): Step =>
  turnFailed(state, "The language model, or the filter for what is said, is out of reach.")

/** What the caller has heard of the answer stands; the rest of it is not made any more. A guess is forgotten, and nobody hears of it. */
const speechLost = (state: CallState, spoken: Spoken): Step => {
  if (state.guess !== undefined) return [{ ...state, guess: undefined }, [{ _tag: "StopThinking" }]]
  const record = recordSpoken(spoken, true)
  if (state.phase === "closing") {
    const [next, actions] = fallMute(state)
    return [next, [...record, ...actions]]
  }
  const heard: CallState = { ...remember(state, spoken.text), cutOff: undefined }
  const note = "The agent's voice is out of reach."
  const [next, actions] = state.phase === "conversing" ? turnFailed(heard, note) : providerLost(heard, note)
  return [next, [{ _tag: "StopThinking" }, { _tag: "DisarmSilence" }, ...record, ...actions]]
}

const providerLost = (state: CallState, note: string): Step =>
  handOver(state, { note, reason: "provider_failure", nobody: phrases(state.agent).technicalProblem })

const flagged = (state: CallState, event: Extract<CallInput, { _tag: "Flagged" }>): Step => {
  const { direction, text, categories } = event
  const [next, actions] = handOver(state, {
    note: `Content was flagged (${categories.join(", ")})`,
    reason: "moderation",
    opening: state.agent.fallbackLine,
    nobody: phrases(state.agent).handoff
  })
  return [next, [{ _tag: "RecordFlag", direction, text, categories }, ...actions]]
}

/** What answering a turn brought; an older turn's is dropped, a guess's waits. */
const replied = (
  state: CallState,
  event: Extract<CallInput, { _tag: "ReplyFinished" | "ReplyFailed" | "Flagged" | "EscalationRequested" }>
): Step => {
  const guessed = guessOutcome(state, event)
  if (guessed !== undefined) return guessed
  if (event.turn !== state.turn || !state.thinking) return [state, []]
  switch (event._tag) {
    case "ReplyFinished":
      return [{ ...state, thinking: false, speaking: true }, []]
    case "ReplyFailed":
      return replyFailed(state)
    case "Flagged":
      return flagged(state, event)
    case "EscalationRequested":
      return handOver(state, {
        note: "The agent asked for a human.",
        plan: event.plan,
        nobody: phrases(state.agent).handoff
      })
  }
}

/** The whole behaviour of a call. */
export const step = (state: CallState, event: CallInput): Step => {
  if (state.phase === "ended") {
    // The last words of both are still recorded when the line closes first.
    if (event._tag === "Drained") return [state, recordSpoken(event.spoken, false)]
    if (event._tag === "BargedIn" || event._tag === "SpeechLost") return [state, recordSpoken(event.spoken, true)]
    if (event._tag === "TurnEnded" || event._tag === "Overheard") return [state, [recordSaid(event)]]
    return [state, []]
  }
  switch (event._tag) {
    case "Answered":
      return answered(state)
    case "TurnLikely":
      return guessTurn(state, event.text)
    case "TurnEnded": {
      if (state.phase === "closing") return [state, [recordSaid(event)]]
      const { step: first, due } = answerTurn(state, event)
      return followedBy(first, due)
    }
    case "Overheard":
      return overheard(state, event)
    case "TurnLost":
      return turnLost(state)
    case "BargedIn":
      return bargedIn(state, event.spoken, event.meant)
    case "Drained":
      return drained(state, event.spoken)
    case "ToolExchange":
      return [{ ...state, history: [...state.history, ...event.messages] }, []]
    case "InputPassed":
      return inputPassed(state, event)
    case "ReplyFinished":
    case "ReplyFailed":
    case "Flagged":
    case "EscalationRequested":
      return replied(state, event)
    case "EscalationPlanned":
      return followPlan(state, event.plan)
    case "SilenceElapsed":
      return silence(state)
    case "MaxDurationReached":
      return state.phase === "closing" ? [state, []] : close(state, "max_duration", phrases(state.agent).timeIsUp)
    case "SpeechLost":
      return speechLost(state, event.spoken)
    case "ProviderLost":
      // Who says the last words needs no ear for them.
      return state.phase === "closing" ? [state, []] : providerLost(state, "Speech-to-text is out of reach.")
    case "AudioFailed":
      return end(state, "error", { _tag: "HangUp" })
    case "LineClosed":
      return lineClosed(state)
    case "TransferDone":
      return transferDone(state)
    case "TransferFailed":
      return transferFailed(state)
  }
}
