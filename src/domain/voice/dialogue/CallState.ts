/** What a call is made of as a state machine: what happens to it, what it does, and what it remembers. */

import type { ChatMessage } from "../../ai/providers/Reasoning.ts"
import type { AgentConfig } from "../engine/AgentConfig.ts"
import type { CallSetup } from "../engine/CallSetup.ts"
import type { EndReason } from "../engine/EndReason.ts"
import type { EscalationPlan } from "../engine/EscalationPlan.ts"
import { fillers, fixedPhrases, listeningSounds } from "./FixedPhrases.ts"

/** What the caller heard of the agent's speech: `text` cut at the word; `unheard` is the rest. */
export interface Spoken {
  readonly text: string
  readonly unheard: string
  readonly startMs: number
  readonly endMs: number
}

/** Something the caller said; times are milliseconds of the call. */
export interface Said {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/** What a call is told. What it tells the app is a `CallEvent` (`voice/engine/CallEvent`). */
export type CallInput =
  | { readonly _tag: "Answered" }
  /** The caller has probably finished a turn that says `text`: time to think about it on a guess. */
  | { readonly _tag: "TurnLikely"; readonly text: string }
  /** The caller finished a turn. */
  | ({ readonly _tag: "TurnEnded" } & Said)
  /** Words over the agent's speech that did not interrupt it. */
  | ({ readonly _tag: "Overheard" } & Said)
  /** The caller made a sound that no words came of. */
  | { readonly _tag: "TurnLost" }
  /**
   * The agent was silenced: the caller interrupted (`meant`), or more words of the turn came that was being answered. Its audio is
   * already cleared when this arrives.
   */
  | { readonly _tag: "BargedIn"; readonly spoken: Spoken; readonly meant: boolean }
  /** Everything the agent had to say has been heard, and nothing more is coming. */
  | { readonly _tag: "Drained"; readonly spoken: Spoken }
  /** The filter found nothing in `text`, which is what `Think` of this turn named. */
  | { readonly _tag: "InputPassed"; readonly turn: number; readonly text: string }
  | { readonly _tag: "ReplyFinished"; readonly turn: number }
  | { readonly _tag: "ReplyFailed"; readonly turn: number }
  /** Tools ran: what was asked of them and what they answered, also when the turn that asked is over. */
  | { readonly _tag: "ToolExchange"; readonly messages: ReadonlyArray<ChatMessage> }
  | {
      readonly _tag: "Flagged"
      readonly turn: number
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
    }
  /** The model ran the escalation tool. */
  | { readonly _tag: "EscalationRequested"; readonly turn: number; readonly plan: EscalationPlan }
  /** What `RunEscalation` came to. */
  | { readonly _tag: "EscalationPlanned"; readonly plan: EscalationPlan }
  | { readonly _tag: "SilenceElapsed" }
  | { readonly _tag: "MaxDurationReached" }
  /** Something could not be made into sound, and retrying did not help. The agent is silent already when this arrives. */
  | { readonly _tag: "SpeechLost"; readonly spoken: Spoken }
  /** Speech-to-text is out of reach and retrying did not help. */
  | { readonly _tag: "ProviderLost" }
  /** The audio path threw: a defect of ours. */
  | { readonly _tag: "AudioFailed" }
  /** The stream ended: by the provider's `stop` or by a lost socket. */
  | { readonly _tag: "LineClosed" }
  /** The telephony provider took over the call (dialling the human, or queueing the caller), or refused to. */
  | { readonly _tag: "TransferDone" }
  | { readonly _tag: "TransferFailed" }

export type CallAction =
  /** Queue a sentence behind what is being said. */
  | { readonly _tag: "Say"; readonly text: string; readonly interruptible: boolean }
  | { readonly _tag: "StopSpeaking" }
  /** Starts answering; on a `guess` nothing is heard and no tool runs before `Commit`. */
  | {
      readonly _tag: "Think"
      readonly turn: number
      readonly history: ReadonlyArray<ChatMessage>
      /** All that the caller said and the filter has not judged yet, last of it the turn: what it judges now. */
      readonly text: string
      readonly guess: boolean
    }
  /** The guess was right: the answer may be heard. */
  | { readonly _tag: "Commit"; readonly turn: number }
  | { readonly _tag: "StopThinking" }
  | { readonly _tag: "ArmSilence" }
  | { readonly _tag: "DisarmSilence" }
  | ({ readonly _tag: "RecordUtterance"; readonly role: "caller" | "agent"; readonly interrupted: boolean } & Said)
  | {
      readonly _tag: "RecordFlag"
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
    }
  /** Runs the escalation tool as if the model had called it; `EscalationPlanned` follows. */
  | { readonly _tag: "RunEscalation"; readonly reason: string }
  | { readonly _tag: "RecordHandoff"; readonly reason: string }
  /** Replaces the call's instructions at the telephony provider; `TransferDone` or `TransferFailed` follows. */
  | { readonly _tag: "Transfer"; readonly twiml: string }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "End"; readonly endReason: EndReason }

/** An answer to what the caller has probably finished saying, made before that is certain. */
export interface Guess {
  readonly turn: number
  /** What the model was given. */
  readonly history: ReadonlyArray<ChatMessage>
  /** What came of it so far; happens when the guess turns out right. */
  readonly outcomes: ReadonlyArray<CallInput>
}

/** How a call comes to its end. */
export interface Closing {
  /** Undefined while it depends on what becomes of an escalation. */
  readonly reason: EndReason | undefined
  /** What is said last before the end; what was heard before it does not end the call. Undefined until it is known. */
  readonly lastWords: string | undefined
  /** Says what becomes of a caller for whom no human is there. */
  readonly nobody: string
  readonly plan: EscalationPlan | undefined
  /** Nothing can be said any more. */
  readonly mute: boolean
  /** `asked`: the provider was told to take over, the stream ends next, and that is not the caller hanging up. */
  readonly handover: "asked" | "refused" | undefined
}

export interface CallState {
  readonly phase: "disclosing" | "conversing" | "closing" | "ended"
  readonly agent: AgentConfig
  /** Said after the disclosure. */
  readonly greeting: string
  readonly history: ReadonlyArray<ChatMessage>
  /** What of the caller's words in `history` has no verdict of the filter: words of a turn without one, or of one that went on before it came, or overheard. */
  readonly unjudged: string
  /** Number of the newest turn; answers carry it, and an answer to an older one is dropped. */
  readonly turn: number
  readonly thinking: boolean
  readonly speaking: boolean
  /** An answer is being made or said, and was not heard to its end: a turn that ends now belongs to the one being answered. */
  readonly answering: boolean
  readonly guess: Guess | undefined
  /** Said by the caller while the disclosure was playing; answered after it. */
  readonly held: string | undefined
  /** What an interruption cut off; spoken on when the interruption turns out to be a noise. */
  readonly cutOff: string | undefined
  readonly silencePrompts: number
  /** Turns in a row that came to nothing because a provider failed. */
  readonly failures: number
  /** The caller is being told of the last one. */
  readonly apologising: boolean
  readonly interruptions: number
  readonly closing: Closing | undefined
}

export type Step = readonly [CallState, ReadonlyArray<CallAction>]

export const phrases = (agent: AgentConfig) => fixedPhrases(agent.voice.language)

/** Who is on the line, and what else the agent shall know, after its own instructions. */
const briefing = (
  agent: AgentConfig,
  contactName: string | null,
  context: ReadonlyArray<string> = []
): ReadonlyArray<ChatMessage> => {
  const known = [...(contactName === null ? [] : [`The caller is ${contactName}.`]), ...context]
  const content = known.length === 0 ? agent.systemPrompt : `${agent.systemPrompt}\n\n${known.join("\n")}`
  return [{ role: "system", content }]
}

/** The part of a call that was over when it came back to its agent, as the model is told of it. */
const earlier = (resume: NonNullable<CallSetup["resume"]>): ReadonlyArray<ChatMessage> => [
  ...resume.history.map(
    ({ role, text }): ChatMessage => ({ role: role === "caller" ? "user" : "assistant", content: text })
  ),
  {
    role: "system",
    content: `The caller was being connected to a human colleague, but none took the call (${resume.outcome}). Go on helping as well as you can.`
  }
]

/** So much of what was said before a call came back is judged again: the caller's last words had no answer, and so no verdict. Characters. */
const judgedAgain = 2_000

const lastWords = (resume: CallSetup["resume"]): string => {
  const said = resume?.history.filter(({ role }) => role === "caller") ?? []
  return said
    .map(({ text }) => text)
    .join(" ")
    .slice(-judgedAgain)
}

/** A call that begins, or (`resume`) that comes back to its agent because no human took it. */
export const initialCall = (
  agent: AgentConfig,
  contactName: string | null,
  resume?: CallSetup["resume"],
  context?: CallSetup["context"]
): CallState => ({
  phase: resume?.disclosed === true ? "conversing" : "disclosing",
  agent,
  greeting: resume === undefined ? agent.welcomeMessage : phrases(agent).humanUnavailable,
  history: [...briefing(agent, contactName, context), ...(resume === undefined ? [] : earlier(resume))],
  unjudged: lastWords(resume),
  turn: 0,
  thinking: false,
  speaking: false,
  answering: false,
  guess: undefined,
  held: undefined,
  cutOff: undefined,
  silencePrompts: 0,
  failures: 0,
  apologising: false,
  interruptions: 0,
  closing: undefined
})

/** Every text an agent speaks without the model: synthesized ahead of time so that it is there when a provider is not. */
export const fixedLines = (agent: AgentConfig): ReadonlyArray<string> => {
  const { apology, transfer, handoff, timeIsUp, technicalProblem, humanUnavailable, queue } = phrases(agent)
  const { language } = agent.voice
  return [
    agent.disclosureText,
    agent.welcomeMessage,
    agent.fallbackLine,
    agent.silence.promptText,
    agent.silence.goodbyeText,
    ...[apology, transfer, handoff, timeIsUp, technicalProblem, humanUnavailable, queue(1)],
    ...(agent.use_fillers ? fillers(language) : []),
    ...(agent.backchanneling ? listeningSounds(language) : [])
  ].filter((line) => line.trim() !== "")
}

export const say = (text: string, interruptible = true): CallAction => ({ _tag: "Say", text, interruptible })

export const recordSaid = ({ text, startMs, endMs }: Said): CallAction => ({
  _tag: "RecordUtterance",
  role: "caller",
  interrupted: false,
  text,
  startMs,
  endMs
})

export const recordSpoken = ({ text, startMs, endMs }: Spoken, interrupted: boolean): ReadonlyArray<CallAction> =>
  text === "" ? [] : [{ _tag: "RecordUtterance", role: "agent", interrupted, text, startMs, endMs }]
