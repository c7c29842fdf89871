/**
 * A call as a pure state machine: `(state, event) -> [state, actions]`. Events come from the audio path, the model and the line;
 * actions are data that one small interpreter (`actors/call/Interpreter`) runs. Decisions are made here, without time or I/O,
 * so every race of turn-taking is a table of events.
 *
 *   disclosing ──(heard)──▶ conversing ──(hang-up, escalation, silence, …)──▶ closing ──(last words heard)──▶ ended
 */
import type { AgentConfig, EndReason } from "./EngineProtocol.ts"
import { asksForHuman } from "./Escalation.ts"
import type { ChatMessage } from "./Reasoning.ts"

/** What the caller heard of the agent's speech: `text` cut at the word; `unheard` is the rest. */
export interface Spoken {
  readonly text: string
  readonly unheard: string
  readonly startMs: number
  readonly endMs: number
}

export type CallEvent =
  | { readonly _tag: "Answered" }
  /** The caller finished a turn; times are milliseconds since the call's start. */
  | { readonly _tag: "TurnEnded"; readonly text: string; readonly startMs: number; readonly endMs: number }
  /** The caller made a sound that no words came of. */
  | { readonly _tag: "TurnLost" }
  /** The caller spoke over the agent; its audio is already cleared when this arrives. */
  | { readonly _tag: "BargedIn"; readonly spoken: Spoken }
  /** Everything the agent had to say has been heard, and nothing more is coming. */
  | { readonly _tag: "Drained"; readonly spoken: Spoken }
  | { readonly _tag: "ReplyFinished"; readonly turn: number }
  | { readonly _tag: "ReplyFailed"; readonly turn: number }
  | { readonly _tag: "ToolExchange"; readonly turn: number; readonly messages: ReadonlyArray<ChatMessage> }
  | {
      readonly _tag: "Flagged"
      readonly turn: number
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
    }
  | { readonly _tag: "EscalationRequested"; readonly turn: number; readonly reason: string }
  | { readonly _tag: "SilenceElapsed" }
  | { readonly _tag: "MaxDurationReached" }
  /** Speech-to-text or text-to-speech is out of reach and retrying did not help. */
  | { readonly _tag: "ProviderLost" }
  /** The audio path threw: a defect of ours. */
  | { readonly _tag: "AudioFailed" }
  /** The stream ended: by the provider's `stop` or by a lost socket. */
  | { readonly _tag: "LineClosed" }
  /** The telephony provider took over the call (dialling the human), or refused to. */
  | { readonly _tag: "TransferDone" }
  | { readonly _tag: "TransferFailed" }

export type CallAction =
  /** Queue a sentence behind what is being said. */
  | { readonly _tag: "Say"; readonly text: string; readonly interruptible: boolean }
  | { readonly _tag: "StopSpeaking" }
  | {
      readonly _tag: "Think"
      readonly turn: number
      readonly history: ReadonlyArray<ChatMessage>
      readonly text: string
    }
  | { readonly _tag: "StopThinking" }
  | { readonly _tag: "ArmSilence" }
  | { readonly _tag: "DisarmSilence" }
  | {
      readonly _tag: "RecordUtterance"
      readonly role: "caller" | "agent"
      readonly text: string
      readonly interrupted: boolean
      readonly startMs: number
      readonly endMs: number
    }
  | {
      readonly _tag: "RecordFlag"
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
    }
  /** Runs the escalation tool as if the model had called it. */
  | { readonly _tag: "RunEscalation"; readonly reason: string }
  | { readonly _tag: "RecordHandoff"; readonly reason: string }
  | { readonly _tag: "Transfer"; readonly destination: string }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "End"; readonly endReason: EndReason }

interface Turn {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export interface CallState {
  readonly phase: "disclosing" | "conversing" | "closing" | "ended"
  readonly agent: AgentConfig
  readonly history: ReadonlyArray<ChatMessage>
  /** Number of the newest turn; answers carry it, and an answer to an older one is dropped. */
  readonly turn: number
  readonly thinking: boolean
  readonly speaking: boolean
  /** Said by the caller while the disclosure was playing; answered after it. */
  readonly held: string | undefined
  /** What an interruption cut off; spoken on when the interruption turns out to be a noise. */
  readonly cutOff: string | undefined
  readonly silencePrompts: number
  readonly failures: number
  readonly interruptions: number
  readonly closing: EndReason | undefined
  /** What is said last before the end; what was heard before it does not end the call. */
  readonly lastWords: string
  /** The provider has been asked to dial the human: the stream ends next, and that is not the caller hanging up. */
  readonly transferring: boolean
}

type Step = readonly [CallState, ReadonlyArray<CallAction>]

/** What the agent says when the model or a provider fails; the caller never hears silence. */
export const apology = "I am sorry, I did not get that. Could you please say it again?"
/** Spoken while a human is being reached. */
export const transferLine = "I will connect you with a colleague now. Please hold."
/** Spoken when no human destination is configured. */
export const handoffLine = "I have passed this on to a colleague, who will get back to you. Goodbye."
const timeIsUp = "We have reached the maximum length of this call. Thank you for calling. Goodbye."
const sorryLost = "I am sorry, we have a technical problem. A colleague will get back to you. Goodbye."

/** Model failures in a row before a human takes over. */
const maxFailures = 2

export const initialCall = (agent: AgentConfig, contactName: string | null): CallState => ({
  phase: "disclosing",
  agent,
  history: [
    {
      role: "system",
      content: contactName === null ? agent.systemPrompt : `${agent.systemPrompt}\n\nThe caller is ${contactName}.`
    }
  ],
  turn: 0,
  thinking: false,
  speaking: false,
  held: undefined,
  cutOff: undefined,
  silencePrompts: 0,
  failures: 0,
  interruptions: 0,
  closing: undefined,
  lastWords: "",
  transferring: false
})

/** Every text an agent speaks without the model: synthesized ahead of time so that it is there when a provider is not. */
export const fixedLines = (agent: AgentConfig): ReadonlyArray<string> =>
  [
    agent.disclosureText,
    agent.welcomeMessage,
    agent.fallbackLine,
    agent.silence.promptText,
    agent.silence.goodbyeText,
    apology,
    transferLine,
    handoffLine,
    timeIsUp,
    sorryLost
  ].filter((line) => line.trim() !== "")

const say = (text: string, interruptible = true): CallAction => ({ _tag: "Say", text, interruptible })

/** Last words, then the end: nothing the caller says can stop it any more. */
const close = (state: CallState, endReason: EndReason, words: string, ...first: ReadonlyArray<CallAction>): Step => [
  {
    ...state,
    phase: "closing",
    closing: endReason,
    lastWords: words,
    thinking: false,
    speaking: true,
    cutOff: undefined,
    held: undefined
  },
  [...first, { _tag: "StopThinking" }, { _tag: "DisarmSilence" }, say(words, false)]
]

const end = (state: CallState, endReason: EndReason, ...first: ReadonlyArray<CallAction>): Step => [
  { ...state, phase: "ended", thinking: false, speaking: false, closing: endReason },
  [...first, { _tag: "StopThinking" }, { _tag: "DisarmSilence" }, { _tag: "End", endReason }]
]

/** The disclosure is always heard to its end: what follows is said behind it. */
const stopSpeaking = (state: CallState): ReadonlyArray<CallAction> =>
  state.phase === "disclosing" ? [] : [{ _tag: "StopSpeaking" }]

/** Hands the caller to a human: a transfer when there is a destination, else a note for the team. */
const escalate = (state: CallState, reason: string): Step => {
  const reachable = state.agent.humanDestination !== null
  return close(
    state,
    reachable ? "transferred" : "queued_for_human",
    reachable ? transferLine : handoffLine,
    ...stopSpeaking(state),
    { _tag: "RecordHandoff", reason }
  )
}

const think = (state: CallState, text: string): Step => {
  const turn = state.turn + 1
  const history: ReadonlyArray<ChatMessage> = [...state.history, { role: "user", content: text }]
  return [
    { ...state, history, turn, thinking: true, cutOff: undefined, held: undefined },
    [{ _tag: "DisarmSilence" }, { _tag: "Think", turn, history, text }]
  ]
}

const answerTurn = (state: CallState, { text, startMs, endMs }: Turn): Step => {
  const record: CallAction = { _tag: "RecordUtterance", role: "caller", text, interrupted: false, startMs, endMs }
  const heard: CallState = { ...state, silencePrompts: 0 }
  if (asksForHuman(text, state.agent.escalationPhrases)) {
    const reason = `The caller asked for a human: "${text}"`
    const [next, actions] = escalate({ ...heard, turn: state.turn + 1 }, reason)
    return [next, [record, { _tag: "RunEscalation", reason }, ...actions]]
  }
  if (state.phase === "disclosing") {
    return [{ ...heard, held: state.held === undefined ? text : `${state.held} ${text}` }, [record]]
  }
  // A turn that ends while the one before is still being answered (too short to interrupt) replaces that answer.
  const stop: ReadonlyArray<CallAction> = state.thinking ? [{ _tag: "StopThinking" }, { _tag: "StopSpeaking" }] : []
  const [next, actions] = think(heard, text)
  return [next, [record, ...stop, ...actions]]
}

const remember = (state: CallState, spoken: Spoken): CallState =>
  spoken.text === "" ? state : { ...state, history: [...state.history, { role: "assistant", content: spoken.text }] }

const recordSpoken = (spoken: Spoken, interrupted: boolean): ReadonlyArray<CallAction> =>
  spoken.text === ""
    ? []
    : [
        {
          _tag: "RecordUtterance",
          role: "agent",
          text: spoken.text,
          interrupted,
          startMs: spoken.startMs,
          endMs: spoken.endMs
        }
      ]

/** After the last words: to the human, or the end. */
const finish = (state: CallState, otherwise: EndReason, ...first: ReadonlyArray<CallAction>): Step => {
  const { humanDestination } = state.agent
  if (state.closing === "transferred" && humanDestination !== null)
    return [{ ...state, transferring: true }, [...first, { _tag: "Transfer", destination: humanDestination }]]
  return end(state, state.closing ?? otherwise, ...first, { _tag: "HangUp" })
}

const drained = (state: CallState, spoken: Spoken): Step => {
  const record = recordSpoken(spoken, false)
  const quiet: CallState = { ...remember(state, spoken), speaking: false, cutOff: undefined }
  switch (state.phase) {
    case "disclosing": {
      const welcomed: CallState = { ...quiet, phase: "conversing", speaking: true }
      const welcome: ReadonlyArray<CallAction> = [...record, say(state.agent.welcomeMessage)]
      if (state.held === undefined) return [welcomed, welcome]
      const [next, actions] = think(welcomed, state.held)
      return [next, [...welcome, ...actions]]
    }
    case "conversing":
      return [quiet, state.thinking ? record : [...record, { _tag: "ArmSilence" }]]
    case "closing":
      // Noticed before the last words were planned (or while the human is being dialled): there is more to come.
      if (state.transferring || !spoken.text.endsWith(state.lastWords)) return [quiet, record]
      return finish(quiet, "agent_hangup", ...record)
    case "ended":
      return [quiet, record]
  }
}

const silence = (state: CallState): Step => {
  if (state.phase !== "conversing" || state.thinking || state.speaking) return [state, []]
  const { silence } = state.agent
  if (state.silencePrompts >= silence.maxPrompts) return close(state, "silence", silence.goodbyeText)
  return [{ ...state, silencePrompts: state.silencePrompts + 1, speaking: true }, [say(silence.promptText)]]
}

/** The whole behaviour of a call. */
export const step = (state: CallState, event: CallEvent): Step => {
  if (state.phase === "ended") {
    // The last words are still recorded when the line closes first.
    if (event._tag === "Drained") return [state, recordSpoken(event.spoken, false)]
    return [state, []]
  }
  switch (event._tag) {
    case "Answered":
      if (state.phase !== "disclosing" || state.speaking) return [state, []]
      return [{ ...state, speaking: true }, [say(state.agent.disclosureText, false)]]
    case "TurnEnded":
      if (state.phase === "closing")
        return [
          state,
          [
            {
              _tag: "RecordUtterance",
              role: "caller",
              text: event.text,
              interrupted: false,
              startMs: event.startMs,
              endMs: event.endMs
            }
          ]
        ]
      return answerTurn(state, event)
    case "TurnLost":
      if (state.phase !== "conversing" || state.thinking || state.speaking) return [state, []]
      if (state.cutOff === undefined) return [state, [{ _tag: "ArmSilence" }]]
      return [{ ...state, cutOff: undefined, speaking: true }, [say(state.cutOff)]]
    case "BargedIn":
      if (state.phase !== "conversing") return [state, recordSpoken(event.spoken, true)]
      return [
        {
          ...remember(state, event.spoken),
          speaking: false,
          thinking: false,
          cutOff: event.spoken.unheard === "" ? undefined : event.spoken.unheard,
          interruptions: state.interruptions + 1
        },
        [{ _tag: "StopThinking" }, { _tag: "DisarmSilence" }, ...recordSpoken(event.spoken, true)]
      ]
    case "Drained":
      return drained(state, event.spoken)
    case "ToolExchange":
      return [event.turn === state.turn ? { ...state, history: [...state.history, ...event.messages] } : state, []]
    case "ReplyFinished":
      return event.turn === state.turn && state.thinking
        ? [{ ...state, thinking: false, speaking: true, failures: 0 }, []]
        : [state, []]
    case "ReplyFailed": {
      if (event.turn !== state.turn || !state.thinking) return [state, []]
      const failures = state.failures + 1
      if (failures >= maxFailures) return providerLost({ ...state, failures }, "The language model is out of reach.")
      return [{ ...state, failures, thinking: false, speaking: true }, [say(apology)]]
    }
    case "Flagged": {
      if (event.turn !== state.turn || !state.thinking) return [state, []]
      const [next, actions] = close(
        state,
        "moderation",
        state.agent.fallbackLine,
        { _tag: "StopSpeaking" },
        { _tag: "RecordFlag", direction: event.direction, text: event.text, categories: event.categories },
        { _tag: "RecordHandoff", reason: `Content was flagged (${event.categories.join(", ")})` }
      )
      return [next, actions]
    }
    case "EscalationRequested":
      return event.turn === state.turn && state.thinking ? escalate(state, event.reason) : [state, []]
    case "SilenceElapsed":
      return silence(state)
    case "MaxDurationReached":
      return state.phase === "closing" ? [state, []] : close(state, "max_duration", timeIsUp, ...stopSpeaking(state))
    case "ProviderLost":
      // The last words cannot be said, but the human can still be reached.
      if (state.phase === "closing") return state.transferring ? [state, []] : finish(state, "provider_failure")
      return providerLost(state, "A speech provider is out of reach.")
    case "AudioFailed":
      return end(state, "error", { _tag: "HangUp" })
    case "LineClosed":
      return end(state, lineClosedReason(state))
    case "TransferDone":
      return state.transferring ? end(state, "transferred") : [state, []]
    case "TransferFailed":
      if (!state.transferring) return [state, []]
      return [
        { ...state, closing: "queued_for_human", lastWords: handoffLine, transferring: false, speaking: true },
        [say(handoffLine, false)]
      ]
  }
}

const providerLost = (state: CallState, reason: string): Step =>
  close(state, "provider_failure", sorryLost, { _tag: "StopSpeaking" }, { _tag: "RecordHandoff", reason })

const lineClosedReason = (state: CallState): EndReason => {
  if (state.transferring) return "transferred"
  if (state.closing === undefined || state.closing === "transferred") return "caller_hangup"
  return state.closing
}
