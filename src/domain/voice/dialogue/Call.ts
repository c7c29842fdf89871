/**
 * A call as a pure state machine: `(state, event) -> [state, actions]`. Events come from the audio path, the model and the line. Actions are
 * data that one small interpreter (`actors/voice/call/Interpreter`) runs. Decisions are made here, without time or I/O, so a test can write
 * every race of turn-taking as a list of events.
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
import { announce, personSaid, takenOver, whispered, withPerson } from "./CallPerson.ts"
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
import {
  answerTurn,
  guessOutcome,
  guessTurn,
  heedNotices,
  inputPassed,
  judged,
  remember,
  think,
  waitOver,
  withUnjudged
} from "./CallTurns.ts"
import { isBackchannel } from "./Interjections.ts"

export { handoverOf } from "./CallClosing.ts"
export {
  type CallAction,
  type CallInput,
  type CallState,
  factsOf,
  fixedLines,
  initialCall,
  type Said,
  type Spoken,
  withFacts
} from "./CallState.ts"

/** Number of failed turns in a row after which a human takes over. */
const maxFailures = 2

/** Applies `events` after a step, one after the other. */
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

/** Words that do not interrupt: the agent goes on speaking. Unless they are listening noises, the model gets them with the next turn. */
const overheard = (state: CallState, said: Said): Step => {
  const record = [recordSaid(said)]
  if (isBackchannel(said.text, state.agent.voice.language)) return [state, record]
  const history = [...state.history, { role: "user", content: said.text } as const]
  return [{ ...state, history, unjudged: withUnjudged(state, said.text) }, record]
}

/** A heard answer shows that the providers work and resets the failures. An apology, and what was heard before it, does not. */
const afterHearing = (state: CallState, text: string): CallState => {
  if (!state.apologising) return text === "" ? state : { ...state, failures: 0 }
  return { ...state, apologising: !text.endsWith(phrases(state.agent).apology) }
}

const bargedIn = (state: CallState, spoken: Spoken, meant: boolean): Step => {
  const record = recordSpoken(spoken, meant)
  if (state.phase !== "conversing") return [state, record]
  return [
    {
      ...remember(afterHearing(state, spoken.text), spoken.text),
      apologising: false,
      speaking: false,
      thinking: false,
      answering: false,
      guess: undefined,
      unfinished: undefined,
      awaited: undefined,
      cutOff: spoken.unheard === "" ? undefined : spoken.unheard
    },
    [{ _tag: "StopThinking" }, { _tag: "DisarmSilence" }, ...record]
  ]
}

/** The caller made a sound without words. If the sound had silenced the agent, the agent goes on speaking. */
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
      if (state.person === "asked") return announce(quiet, record)
      const welcomed: CallState = { ...quiet, phase: "conversing", speaking: true }
      const welcome: ReadonlyArray<CallAction> = [...record, say(state.greeting)]
      if (state.held === undefined) return [welcomed, welcome]
      const [next, actions] = think(welcomed, state.held)
      return [next, [...welcome, ...actions]]
    }
    case "conversing":
      return [quiet, state.thinking ? record : [...record, { _tag: "ArmSilence" }]]
    case "closing": {
      // The event came before the last words were planned, or while the human is being dialled: the call does not end here.
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
  if (state.phase !== "conversing" || state.thinking || state.speaking) return [state, []]
  if (state.guess !== undefined || state.awaited !== undefined) return [state, []]
  const { silence } = state.agent
  if (state.silencePrompts >= silence.maxPrompts) return close(state, "silence", silence.goodbyeText)
  return [{ ...state, silencePrompts: state.silencePrompts + 1, speaking: true }, [say(silence.promptText)]]
}

/** After one failed turn the agent asks the caller to repeat; after `maxFailures` in a row a human takes over. */
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

/** The speech failed. The part of the answer that the caller heard is kept, and the rest is dropped. A guess is dropped silently. */
const speechLost = (state: CallState, spoken: Spoken): Step => {
  if (state.guess !== undefined) return [{ ...state, guess: undefined }, [{ _tag: "StopThinking" }]]
  const record = recordSpoken(spoken, false)
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
  const { direction, text, categories, what } = event
  const about = what === undefined ? {} : { what }
  const [next, actions] = handOver(state, {
    note: `Content was flagged (${categories.join(", ")})`,
    reason: "moderation",
    opening: state.agent.fallbackLine,
    nobody: phrases(state.agent).handoff
  })
  return [next, [{ _tag: "RecordFlag", direction, text, categories, ...about }, ...actions]]
}

/** Applies the outcome of answering a turn. The outcome of an older turn is dropped; that of a guess is kept until the guess proves right. */
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

/**
 * The agent says what a person of the organization wrote, after the sentence that it is saying: what the caller has heard stays whole. An answer that is
 * being made is dropped, since the person has answered. While the disclosure is said, the words come after it.
 */
const sayFor = (state: CallState, text: string): Step => {
  if (state.phase === "closing") return [state, []]
  if (state.phase === "disclosing") return [{ ...state, speaking: true }, [say(text)]]
  const next: CallState = {
    ...state,
    thinking: false,
    answering: false,
    guess: undefined,
    awaited: undefined,
    cutOff: undefined,
    silencePrompts: 0,
    speaking: true
  }
  return [next, [{ _tag: "StopThinking" }, { _tag: "DisarmSilence" }, say(text)]]
}

/** What a call does while a person has it. What ends the call gives it back to the agent first. */
const stepWithPerson = (state: CallState, event: CallInput): Step => {
  const outcome = withPerson(state, event)
  if ("goesOn" in outcome) {
    const [next, actions] = step(outcome.goesOn, event)
    return [next, [...outcome.actions, ...actions]]
  }
  const [next, actions] = outcome
  if (next.person !== undefined || !next.deaf) return outcome
  return followedBy([{ ...next, deaf: false }, actions], [{ _tag: "ProviderLost" }])
}

/** The whole behaviour of a call: the next state and the actions for one event. */
export const step = (state: CallState, event: CallInput): Step => {
  if (state.phase === "ended") {
    // What both sides said last is still recorded when the line closes first.
    switch (event._tag) {
      case "Drained":
      case "HeardSoFar":
      case "Silenced":
      case "SpeechLost":
        return [state, recordSpoken(event.spoken, false)]
    }
    if (event._tag === "BargedIn") return [state, recordSpoken(event.spoken, event.meant)]
    if (event._tag === "TurnEnded" || event._tag === "Overheard") return [state, [recordSaid(event)]]
    return event._tag === "PersonSaid" ? personSaid(state, event) : [state, []]
  }
  if (state.phase === "conversing" && state.person !== undefined) return stepWithPerson(state, event)
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
      return heedNotices(turnLost(state))
    case "Noticed":
      return heedNotices([{ ...state, notices: [...state.notices, event.text] }, []])
    case "BargedIn":
      return bargedIn(state, event.spoken, event.meant)
    case "Drained":
      return heedNotices(drained(state, event.spoken))
    case "HeardSoFar":
      return [remember(afterHearing(state, event.spoken.text), event.spoken.text), recordSpoken(event.spoken, false)]
    case "Silenced":
      return [state, recordSpoken(event.spoken, false)]
    case "ToolExchange":
      return [{ ...state, history: [...state.history, ...event.messages] }, []]
    case "InputPassed":
      return inputPassed(state, event)
    case "Judged":
      return judged(state, event)
    case "WaitOver":
      return waitOver(state, event.turn)
    case "ReplyFinished":
    case "ReplyFailed":
    case "Flagged":
    case "EscalationRequested":
      return replied(state, event)
    case "EscalationPlanned":
      return followPlan(state, event.plan)
    case "SilenceElapsed":
      return state.notices.length === 0 ? silence(state) : heedNotices([state, []])
    case "SayRequested":
      return sayFor(state, event.text)
    case "Whispered":
      return whispered(state, event.text)
    case "TakenOver":
      return takenOver(state)
    case "PersonSaid":
      return personSaid(state, event)
    case "HandedBack":
      // During the disclosure the person has not talked yet.
      return state.person === undefined
        ? [state, []]
        : [{ ...state, person: undefined }, [{ _tag: "TakeFromPerson", lost: event.lost }]]
    case "EndRequested":
      return state.phase === "closing" ? [state, []] : close(state, "agent_hangup", state.agent.silence.goodbyeText)
    case "HumanRequested":
      return state.phase === "closing"
        ? [state, []]
        : handOver(state, {
            note: "A person of the organization handed the call over.",
            nobody: phrases(state.agent).handoff
          })
    case "MaxDurationReached":
      return state.phase === "closing" ? [state, []] : close(state, "max_duration", phrases(state.agent).timeIsUp)
    case "SpeechLost":
      return speechLost(state, event.spoken)
    case "ProviderLost":
      // The last words can be said without speech-to-text.
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
