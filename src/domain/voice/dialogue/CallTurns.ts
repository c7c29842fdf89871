/** The caller's turns: thinking about them (also on a guess), and what the model remembers. */

import type { ChatMessage } from "../../ai/providers/Reasoning.ts"
import { handOver } from "./CallClosing.ts"
import {
  type CallAction,
  type CallInput,
  type CallState,
  phrases,
  recordSaid,
  type Said,
  type Step
} from "./CallState.ts"
import { asksForHuman } from "./Escalation.ts"

/** After so many answers in a row without a mark the model is not asked for one any more in this call. */
const maxUnmarked = 2
/** A mark that says "unfinished" counts until so long after the caller's last sound. Later the answer is worth more than the mark, ms. */
const lateMarkMs = 1_200

const stopReply: ReadonlyArray<CallAction> = [{ _tag: "StopThinking" }, { _tag: "StopSpeaking" }]

/** Adds the caller's words to the history. If no answer to the last words was heard, both become one message, because they are one turn. */
export const withSaid = (history: ReadonlyArray<ChatMessage>, text: string): ReadonlyArray<ChatMessage> => {
  const last = history.at(-1)
  return last?.role === "user"
    ? [...history.slice(0, -1), { role: "user", content: `${last.content} ${text}` }]
    : [...history, { role: "user", content: text }]
}

/** What the content filter judges when the caller has said `text`: the words without a verdict, followed by `text`. */
export const withUnjudged = ({ unjudged }: CallState, text: string): string =>
  unjudged === "" ? text : `${unjudged} ${text}`

/** Adds the agent's words to the history. Only words that the caller heard are added. */
export const remember = (state: CallState, text: string): CallState =>
  text === "" ? state : { ...state, history: [...state.history, { role: "assistant", content: text }] }

const same = (a: ReadonlyArray<ChatMessage>, b: ReadonlyArray<ChatMessage>): boolean =>
  a.length === b.length && a.every((message, index) => message === b[index] || isSameText(message, b[index]))
const isSameText = (a: ChatMessage, b: ChatMessage | undefined): boolean =>
  a.role === "user" && b?.role === "user" && a.content === b.content

/** What changes when an answer begins that is no guess. */
const beginning = {
  thinking: true,
  answering: true,
  guess: undefined,
  unfinished: undefined,
  awaited: undefined,
  cutOff: undefined,
  held: undefined
}

/** Whether the model is to begin its answer with a mark. */
const asksMark = ({ agent, unmarked }: CallState): boolean =>
  agent.endpointing.semantic !== "off" && unmarked < maxUnmarked

export const think = (state: CallState, text: string, marked = false): Step => {
  const turn = state.turn + 1
  const history = withSaid(state.history, text)
  const unjudged = withUnjudged(state, text)
  return [
    { ...state, ...beginning, history, unjudged, turn },
    [{ _tag: "DisarmSilence" }, { _tag: "Think", turn, history, text: unjudged, guess: false, marked }]
  ]
}

const noticeIntroduction =
  "Something happened outside of this call that the caller waits for. Tell the caller now, in one short sentence, and go on:"

/** Nobody speaks, and no answer is being made. */
const isIdle = ({ phase, thinking, speaking, guess, awaited }: CallState): boolean =>
  phase === "conversing" && !thinking && !speaking && guess === undefined && awaited === undefined

/** Tells the caller what has happened outside of the call, when nobody speaks; until then it waits. The content filter judges it like the caller's words. */
export const heedNotices = ([state, actions]: Step): Step => {
  if (state.notices.length === 0 || !isIdle(state)) return [state, actions]
  const text = state.notices.join(" ")
  const turn = state.turn + 1
  const history = [...state.history, { role: "system", content: `${noticeIntroduction} ${text}` } as const]
  const unjudged = withUnjudged(state, text)
  return [
    { ...state, ...beginning, notices: [], history, unjudged, turn },
    [
      ...actions,
      { _tag: "DisarmSilence" },
      { _tag: "Think", turn, history, text: unjudged, guess: false, marked: false }
    ]
  ]
}

/** The caller has probably finished. The model begins to answer, but nothing is heard before the end of the turn is certain. */
export const guessTurn = (state: CallState, text: string): Step => {
  if (state.phase !== "conversing" || state.thinking || state.speaking) return [state, []]
  if (asksForHuman(text, state.agent.escalationPhrases)) return [state, []]
  const turn = state.turn + 1
  const history = withSaid(state.history, text)
  const marked = asksMark(state)
  return [
    { ...state, turn, guess: { turn, text, history, outcomes: [] }, unfinished: undefined, awaited: undefined },
    [
      ...(state.guess === undefined ? [] : stopReply),
      { _tag: "Think", turn, history, text: withUnjudged(state, text), guess: true, marked }
    ]
  ]
}

/** Keeps an outcome of a guess until the guess proves right. A failed guess is dropped. `undefined`: the event is not of a guess. */
export const guessOutcome = (state: CallState, event: CallInput & { readonly turn: number }): Step | undefined => {
  const { guess } = state
  if (guess === undefined || event.turn !== guess.turn) return undefined
  if (event._tag === "ReplyFailed") return [{ ...state, guess: undefined }, [{ _tag: "StopSpeaking" }]]
  return [{ ...state, guess: { ...guess, outcomes: [...guess.outcomes, event] } }, []]
}

/**
 * The model has said whether the caller is finished. A finished turn is over sooner. One that is not gets more time, and its answer is dropped: also
 * when the turn is over by its words, since of an answer that begins with its mark nothing was heard. The words decide alone when the mark comes so
 * late that another answer would keep the caller waiting.
 */
export const judged = (state: CallState, { turn, mark, silentMs }: Extract<CallInput, { _tag: "Judged" }>): Step => {
  const counted: CallState = { ...state, unmarked: mark === "none" ? state.unmarked + 1 : 0 }
  const guess = state.guess?.turn === turn ? state.guess : undefined
  const over = guess === undefined && state.turn === turn && state.thinking
  if (mark === "none") return [counted, []]
  if (mark === "finished") return [counted, guess === undefined ? [] : [{ _tag: "EndTurnSoon", text: guess.text }]]
  const late = silentMs > Math.min(lateMarkMs, state.agent.endpointing.maxSilenceMs)
  if (late || (guess === undefined && !over)) return [counted, [{ _tag: "KeepAnswer", turn }]]
  return over
    ? [{ ...counted, thinking: false, awaited: turn }, [...stopReply, { _tag: "AwaitMore", turn }]]
    : [{ ...counted, guess: undefined, unfinished: guess?.history }, stopReply]
}

/** The caller did not go on: what was said is answered as it is. */
export const waitOver = (state: CallState, turn: number): Step => {
  if (state.phase !== "conversing" || state.awaited !== turn) return [state, []]
  const { history, unjudged: text } = state
  const next = state.turn + 1
  return [
    { ...state, ...beginning, turn: next },
    [{ _tag: "DisarmSilence" }, { _tag: "Think", turn: next, history, text, guess: false, marked: false }]
  ]
}

/** Applies the filter's verdict, also when the turn has since been interrupted. Words overheard meanwhile remain unjudged. */
export const inputPassed = (state: CallState, event: Extract<CallInput, { _tag: "InputPassed" }>): Step => {
  const guessed = guessOutcome(state, event)
  if (guessed !== undefined) return guessed
  if (event.turn !== state.turn || !state.unjudged.startsWith(event.text)) return [state, []]
  return [{ ...state, unjudged: state.unjudged.slice(event.text.length).trim() }, []]
}

/**
 * Answers a finished turn. `due` are the events that a correct guess has already brought. The answer starts before the turn is recorded, because
 * recording waits for the disk.
 */
export const answerTurn = (
  state: CallState,
  said: Said
): { readonly step: Step; readonly due: ReadonlyArray<CallInput> } => {
  const { text } = said
  const record = recordSaid(said)
  const heard: CallState = { ...state, silencePrompts: 0 }
  if (asksForHuman(text, state.agent.escalationPhrases)) {
    const note = "The caller asked for a human."
    const [next, actions] = handOver({ ...heard, turn: state.turn + 1 }, { note, nobody: phrases(state.agent).handoff })
    return { step: [next, [record, ...actions]], due: [] }
  }
  if (state.phase === "disclosing") {
    const held = state.held === undefined ? text : `${state.held} ${text}`
    return { step: [{ ...heard, held }, [record]], due: [] }
  }
  const { guess, unfinished } = state
  const history = withSaid(state.history, text)
  if (unfinished !== undefined && same(unfinished, history)) {
    const { turn } = state
    const more = { unfinished: undefined, awaited: turn, answering: true, cutOff: undefined }
    const step: Step = [
      { ...heard, ...more, history, unjudged: withUnjudged(state, text) },
      [{ _tag: "DisarmSilence" }, { _tag: "AwaitMore", turn }, record]
    ]
    return { step, due: [] }
  }
  if (guess !== undefined && same(guess.history, history)) {
    const right: CallState = {
      ...heard,
      history: guess.history,
      unjudged: withUnjudged(state, text),
      thinking: true,
      answering: true,
      guess: undefined,
      unfinished: undefined,
      awaited: undefined,
      cutOff: undefined
    }
    return {
      step: [right, [{ _tag: "DisarmSilence" }, { _tag: "Commit", turn: guess.turn }, record]],
      due: guess.outcomes
    }
  }
  // Words that come before the answer was heard belong to the same turn, and get one answer together.
  const stop = state.answering || guess !== undefined ? stopReply : []
  const [next, actions] = think(heard, text, asksMark(state))
  return { step: [next, [...stop, ...actions, record]], due: [] }
}
