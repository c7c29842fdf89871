/** The types of the call state machine: its inputs, its actions and its state. */

import type { ChatMessage } from "../../ai/providers/Reasoning.ts"
import type { AgentConfig } from "../engine/AgentConfig.ts"
import type { CallSetup } from "../engine/CallSetup.ts"
import type { EndReason } from "../engine/EndReason.ts"
import type { EscalationPlan } from "../engine/EscalationPlan.ts"
import { fillers, fixedPhrases, listeningSounds } from "./FixedPhrases.ts"
import type { TurnMark } from "./TurnMark.ts"

/** The agent's speech: `text` is what the caller heard, up to the last whole word; `unheard` is the rest. Times are milliseconds of the call. */
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

/** An input of the state machine. What the call reports to the app is a `CallEvent` (`voice/engine/CallEvent`). */
export type CallInput =
  | { readonly _tag: "Answered" }
  /** The caller has probably finished a turn that says `text`. The model may begin to answer it on a guess. */
  | { readonly _tag: "TurnLikely"; readonly text: string }
  /** The caller finished a turn. */
  | ({ readonly _tag: "TurnEnded" } & Said)
  /** Words over the agent's speech that did not interrupt it. */
  | ({ readonly _tag: "Overheard" } & Said)
  /** The caller made a sound without words. */
  | { readonly _tag: "TurnLost" }
  /**
   * The agent was silenced, because the caller interrupted (`meant`) or went on with the turn that was being answered. The agent's audio is
   * already cleared.
   */
  | { readonly _tag: "BargedIn"; readonly spoken: Spoken; readonly meant: boolean }
  /** The caller has heard everything the agent had to say. */
  | { readonly _tag: "Drained"; readonly spoken: Spoken }
  /** The caller has heard so much of what the agent says, and there is more. */
  | { readonly _tag: "HeardSoFar"; readonly spoken: Spoken }
  /** The agent was silenced, because the call decided so. */
  | { readonly _tag: "Silenced"; readonly spoken: Spoken }
  /** The content filter found nothing in `text`, the text of this turn's `Think`. */
  | { readonly _tag: "InputPassed"; readonly turn: number; readonly text: string }
  /**
   * The model says by its mark whether the caller has finished `turn`, `silentMs` after the caller's last sound. `none`: it was asked for a mark and
   * answered without one.
   */
  | { readonly _tag: "Judged"; readonly turn: number; readonly mark: TurnMark | "none"; readonly silentMs: number }
  /** The caller was given time to go on with `turn`, and did not. */
  | { readonly _tag: "WaitOver"; readonly turn: number }
  | { readonly _tag: "ReplyFinished"; readonly turn: number }
  | { readonly _tag: "ReplyFailed"; readonly turn: number }
  /** Tools ran. `messages` are their calls and answers, also when the turn that called them is over. */
  | { readonly _tag: "ToolExchange"; readonly messages: ReadonlyArray<ChatMessage> }
  | {
      readonly _tag: "Flagged"
      readonly turn: number
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
      /** The agent's prompt and tools were flagged. Absent: what was said was. */
      readonly what?: "instructions"
    }
  /** The model ran the escalation tool. */
  | { readonly _tag: "EscalationRequested"; readonly turn: number; readonly plan: EscalationPlan }
  /** The result of `RunEscalation`. */
  | { readonly _tag: "EscalationPlanned"; readonly plan: EscalationPlan }
  /** Something happened outside of the call that the agent waits for. */
  | { readonly _tag: "Noticed"; readonly text: string }
  /** A person of the organization lets the agent say this, as it is. */
  | { readonly _tag: "SayRequested"; readonly text: string }
  /** A person of the organization tells the agent this, and the caller does not hear it. */
  | { readonly _tag: "Whispered"; readonly text: string }
  /** A person of the organization talks with the caller from now on. */
  | { readonly _tag: "TakenOver" }
  /** The person who had the call said this to the caller. */
  | ({ readonly _tag: "PersonSaid" } & Said)
  /** The person who had the call hands it back. `lost`: their connection broke. */
  | { readonly _tag: "HandedBack"; readonly lost: boolean }
  /** A person of the organization ends the call. */
  | { readonly _tag: "EndRequested" }
  /** A person of the organization wants a human to take over. */
  | { readonly _tag: "HumanRequested" }
  | { readonly _tag: "SilenceElapsed" }
  | { readonly _tag: "MaxDurationReached" }
  /** A text could not be synthesized, and retrying did not help. The agent is already silent. */
  | { readonly _tag: "SpeechLost"; readonly spoken: Spoken }
  /** Speech-to-text is unavailable, and retrying did not help. */
  | { readonly _tag: "ProviderLost" }
  /** The audio path threw an exception: a defect of the service. */
  | { readonly _tag: "AudioFailed" }
  /** The stream ended, by the provider's `stop` or because the socket was lost. */
  | { readonly _tag: "LineClosed" }
  /** The telephony provider took over the call (dialling the human, or queueing the caller), or refused to. */
  | { readonly _tag: "TransferDone" }
  | { readonly _tag: "TransferFailed" }

export type CallAction =
  /** Queues a sentence after what is being said. */
  | { readonly _tag: "Say"; readonly text: string; readonly interruptible: boolean }
  | { readonly _tag: "StopSpeaking" }
  /** Starts answering. With `guess`, nothing is heard and no tool runs before `Commit`. */
  | {
      readonly _tag: "Think"
      readonly turn: number
      readonly history: ReadonlyArray<ChatMessage>
      /** The text for the content filter: everything the caller said that has no verdict yet, ending with this turn. */
      readonly text: string
      readonly guess: boolean
      /** Whether the model is asked to begin with a mark; `Judged` tells it. */
      readonly marked: boolean
      /** Clauses of this answer that are said already: a model that repeats them is not heard twice. */
      readonly said?: ReadonlyArray<string>
    }
  /** The answer to `turn` goes on although its mark says that the caller will. Until then, or until it is stopped, it waits. */
  | { readonly _tag: "KeepAnswer"; readonly turn: number }
  /** A turn that says `text` is finished: it is over after the least silence. */
  | { readonly _tag: "EndTurnSoon"; readonly text: string }
  /** Gives the caller time to go on with `turn`, as long as the longest silence; `WaitOver` follows. */
  | { readonly _tag: "AwaitMore"; readonly turn: number }
  /** The guess was right: the answer may be heard. */
  | { readonly _tag: "Commit"; readonly turn: number }
  | { readonly _tag: "StopThinking" }
  | { readonly _tag: "ArmSilence" }
  | { readonly _tag: "DisarmSilence" }
  | ({
      readonly _tag: "RecordUtterance"
      readonly role: "caller" | "agent"
      readonly interrupted: boolean
      /** A person said it who had the call in the agent's place. */
      readonly by?: "person"
    } & Said)
  /** The caller hears the person who took the call over. */
  | { readonly _tag: "GiveToPerson" }
  /** The caller hears the agent again. `lost`: the person's connection broke. */
  | { readonly _tag: "TakeFromPerson"; readonly lost: boolean }
  | {
      readonly _tag: "RecordFlag"
      readonly direction: "input" | "output"
      readonly text: string
      readonly categories: ReadonlyArray<string>
      readonly what?: "instructions"
    }
  /** Runs the escalation tool as if the model had called it; `EscalationPlanned` follows. */
  | { readonly _tag: "RunEscalation"; readonly reason: string }
  | { readonly _tag: "RecordHandoff"; readonly reason: string }
  /** Replaces the call's instructions at the telephony provider; `TransferDone` or `TransferFailed` follows. */
  | { readonly _tag: "Transfer"; readonly twiml: string }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "End"; readonly endReason: EndReason }

/** An answer that is made before it is certain that the caller has finished. */
export interface Guess {
  readonly turn: number
  /** What the caller has said in this turn. */
  readonly text: string
  /** The messages that the model was given. */
  readonly history: ReadonlyArray<ChatMessage>
  /** The inputs that it has brought so far. They are applied when the guess proves right. */
  readonly outcomes: ReadonlyArray<CallInput>
}

/** How a call comes to its end. */
export interface Closing {
  /** Undefined while it depends on the result of an escalation. */
  readonly reason: EndReason | undefined
  /** The last words before the end. Only hearing them ends the call. Undefined until they are known. */
  readonly lastWords: string | undefined
  /** What the caller is told when no human can be reached. */
  readonly nobody: string
  readonly plan: EscalationPlan | undefined
  /** The agent can no longer speak. */
  readonly mute: boolean
  /** `asked`: the provider was told to take over. The stream ends next, which does not mean that the caller hung up. */
  readonly handover: "asked" | "refused" | undefined
}

export interface CallState {
  readonly phase: "disclosing" | "conversing" | "closing" | "ended"
  readonly agent: AgentConfig
  /** What the agent says after the disclosure. */
  readonly greeting: string
  readonly history: ReadonlyArray<ChatMessage>
  /**
   * The caller's words in `history` that the content filter has not judged: turns without a verdict, turns that went on before the verdict came,
   * and overheard words.
   */
  readonly unjudged: string
  /** Number of the newest turn. Answers carry it, and an answer to an older turn is dropped. */
  readonly turn: number
  readonly thinking: boolean
  readonly speaking: boolean
  /** An answer is being made or said, and the caller has not heard all of it. A turn that ends now belongs to the turn being answered. */
  readonly answering: boolean
  readonly guess: Guess | undefined
  /** The messages of a guess that the model called unfinished: when the turn ends with them, the caller gets more time. */
  readonly unfinished: ReadonlyArray<ChatMessage> | undefined
  /** Number of the turn that the caller is given time to go on with. It is over and not answered. */
  readonly awaited: number | undefined
  /** Number of answers in a row that the model began without the mark that it was asked for. */
  readonly unmarked: number
  /** What the caller said while the disclosure was playing; it is answered afterwards. */
  readonly held: string | undefined
  /** The words that an interruption cut off. The agent says them if the interruption was only a noise. */
  readonly cutOff: string | undefined
  /** What has happened outside of the call and was not told yet, because somebody spoke. */
  readonly notices: ReadonlyArray<string>
  readonly silencePrompts: number
  /** Number of turns in a row that failed because of a provider. */
  readonly failures: number
  /** The agent is apologising to the caller for the last failed turn. */
  readonly apologising: boolean
  readonly closing: Closing | undefined
  /** A person takes the call over (`CallPerson`): after the disclosure, after the announcement, or talks already. */
  readonly person: "asked" | "announced" | "talking" | undefined
  /** Speech-to-text was lost while a person had the call. */
  readonly deaf: boolean
}

export type Step = readonly [CallState, ReadonlyArray<CallAction>]

export const phrases = (agent: AgentConfig) => fixedPhrases(agent.voice.language)

/** What the agent should know about a call: who is on the line, and its context. Others wrote it, so the content filter judges it first. */
export const factsOf = ({
  contactName,
  context = []
}: Pick<CallSetup, "contactName" | "context">): ReadonlyArray<string> => [
  ...(contactName === null ? [] : [`The caller is ${contactName}.`]),
  ...context
]

/** A history that begins with the agent's instructions, with these facts after them. */
export const withFacts = (
  [instructions, ...history]: ReadonlyArray<ChatMessage>,
  facts: ReadonlyArray<string>
): ReadonlyArray<ChatMessage> =>
  instructions?.role === "system" && facts.length > 0
    ? [{ role: "system", content: `${instructions.content}\n\n${facts.join("\n")}` }, ...history]
    : [...(instructions === undefined ? [] : [instructions]), ...history]

/** The messages that tell the model about the part of a call before it came back to its agent. */
const earlier = (resume: NonNullable<CallSetup["resume"]>): ReadonlyArray<ChatMessage> => [
  ...resume.history.map(
    ({ role, text }): ChatMessage => ({ role: role === "caller" ? "user" : "assistant", content: text })
  ),
  {
    role: "system",
    content: `The caller was being connected to a human colleague, but none took the call (${resume.outcome}). Go on helping as well as you can.`
  }
]

/**
 * The caller's words from before a call came back. They are judged again, all of them: words with which the caller asked for a human, and those
 * said after that, had no answer, and so no verdict of the content filter.
 */
const earlierWords = (resume: CallSetup["resume"]): string =>
  (resume?.history ?? []).flatMap(({ role, text }) => (role === "caller" ? [text] : [])).join(" ")

/** What a call has done and noticed when it begins. */
export const nothingYet: Omit<CallState, "agent" | "phase" | "greeting" | "history" | "unjudged"> = {
  turn: 0,
  thinking: false,
  speaking: false,
  answering: false,
  guess: undefined,
  unfinished: undefined,
  awaited: undefined,
  unmarked: 0,
  held: undefined,
  cutOff: undefined,
  notices: [],
  silencePrompts: 0,
  failures: 0,
  apologising: false,
  closing: undefined,
  person: undefined,
  deaf: false
}

/** The state of a new call or, with `resume`, of a call that comes back to its agent because no human took it. */
export const initialCall = (agent: AgentConfig, resume?: CallSetup["resume"]): CallState => ({
  phase: resume?.disclosed === true ? "conversing" : "disclosing",
  agent,
  greeting: resume === undefined ? agent.welcomeMessage : phrases(agent).humanUnavailable,
  history: [{ role: "system", content: agent.systemPrompt }, ...(resume === undefined ? [] : earlier(resume))],
  unjudged: earlierWords(resume),
  ...nothingYet
})

/** Every text that an agent says without the model. They are synthesized in advance, so that they are ready when a provider is not. */
export const fixedLines = (agent: AgentConfig): ReadonlyArray<string> => {
  const { apology, transfer, handoff, timeIsUp, technicalProblem, humanUnavailable, queue, personJoins, personLeft } =
    phrases(agent)
  const { language } = agent.voice
  return [
    agent.disclosureText,
    agent.welcomeMessage,
    agent.fallbackLine,
    agent.silence.promptText,
    agent.silence.goodbyeText,
    ...[apology, transfer, handoff, timeIsUp, technicalProblem, humanUnavailable, queue(1), personJoins, personLeft],
    ...fillers(language),
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

/** `interrupted`: the caller interrupted. Speech that ends early for another reason (the voice failed, the call is over) was not interrupted. */
export const recordSpoken = ({ text, startMs, endMs }: Spoken, interrupted: boolean): ReadonlyArray<CallAction> =>
  text === "" ? [] : [{ _tag: "RecordUtterance", role: "agent", interrupted, text, startMs, endMs }]
