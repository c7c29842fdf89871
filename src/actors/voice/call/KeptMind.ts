/**
 * What is kept of the mind of a call, as parts: the first is whole, and each of the others says what has changed since the one before. A history grows
 * at its end, so a change has the new messages only.
 */
import type { ChatMessage, ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import { type CallState, nothingYet } from "../../../domain/voice/dialogue/CallState.ts"

/** What the mind of a call counts beside its state. */
export interface CallProgress {
  /** When the call began, monotonic milliseconds of this machine. */
  readonly startedAt: number
  /** Number of the next utterance. */
  sequence: number
  toolCalls: number
  interruptions: number
  /** The tools that were asked and have not answered. */
  tools: ReadonlyArray<ToolCall>
  /** Clauses of the model that may be heard, by their numbers. */
  passed: ReadonlyArray<number>
  /** The file that the call is recorded to; empty: none. */
  readonly recording: string
}

/** All of it but the agent, which does not change. */
export interface KeptMind {
  readonly state: Omit<CallState, "agent">
  readonly progress: CallProgress
}

type Messages = ReadonlyArray<ChatMessage>

/** Messages of which the first `same` are those of other messages. */
interface LikeOthers {
  readonly same: number
  readonly more: Messages
}
const likeOthers = (messages: Messages, others: Messages): LikeOthers => {
  let same = 0
  while (same < messages.length && messages[same] === others[same]) same++
  return { same, more: messages.slice(same) }
}
const messagesOf = ({ same, more }: LikeOthers, others: Messages): Messages => [...others.slice(0, same), ...more]

/** JSON leaves out what is undefined: what became undefined is null here, and nothing else is. */
type Changed<T> = { [Key in keyof T]?: T[Key] | null }

type State = KeptMind["state"]
type Plain = Omit<State, "history" | "guess" | "unfinished">

/** A part of what is kept. */
export interface KeptPart {
  /** It does not depend on the parts before. */
  readonly whole?: true
  readonly state?: Changed<Plain>
  /** Like the history before. */
  readonly history?: LikeOthers
  /** The messages of these two are like the history of the same part. */
  readonly guess?: (Omit<NonNullable<State["guess"]>, "history"> & { readonly history: LikeOthers }) | null
  readonly unfinished?: LikeOthers | null
  readonly progress?: Changed<CallProgress>
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((item, at) => item === other[at]))

/** The fields that have another value than before; undefined when none has. */
const changed = <T extends object>(now: T, before: Partial<T>): Changed<T> | undefined => {
  let changes: Changed<T> | undefined
  for (const key in now) {
    if (isSame(now[key], before[key])) continue
    changes ??= {}
    changes[key] = now[key] ?? null
  }
  return changes
}

/** What has changed in a mind. */
const changesOf = (
  now: KeptMind,
  before: { readonly state: Partial<State>; readonly progress: Partial<CallProgress> }
) => {
  const { history, guess, unfinished, ...plain } = now.state
  const { history: historyBefore = [], guess: guessBefore, unfinished: unfinishedBefore, ...plainBefore } = before.state
  const state = changed(plain, plainBefore)
  const progress = changed(now.progress, before.progress)
  const part: KeptPart = {
    ...(state === undefined ? {} : { state }),
    ...(isSame(history, historyBefore) ? {} : { history: likeOthers(history, historyBefore) }),
    ...(guess === guessBefore
      ? {}
      : { guess: guess === undefined ? null : { ...guess, history: likeOthers(guess.history, history) } }),
    ...(unfinished === unfinishedBefore
      ? {}
      : { unfinished: unfinished === undefined ? null : likeOthers(unfinished, history) }),
    ...(progress === undefined ? {} : { progress })
  }
  return part
}

export const wholeOf = (now: KeptMind): KeptPart => ({ whole: true, ...changesOf(now, { state: {}, progress: {} }) })

/** Undefined when nothing has changed. */
export const changeOf = (now: KeptMind, before: KeptMind): KeptPart | undefined => {
  const part = changesOf(now, before)
  return Object.keys(part).length === 0 ? undefined : part
}

/** Only how far what was said is judged, and how the model marks its answers: whoever goes on without it judges the same words again. */
const canWait: ReadonlySet<string> = new Set<keyof CallState>(["unjudged", "unmarked"])

/** Whether another mind goes on as well without this change. */
export const mayWait = ({ state = {}, ...others }: KeptPart): boolean =>
  Object.keys(others).length === 0 && Object.keys(state).every((key) => canWait.has(key))

/** The other way round: without null. */
const valuesOf = <T>(changes: Changed<T>): Partial<T> =>
  // What is not null is of the type that it was before.
  Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, value ?? undefined])) as Partial<T>

/** A mind of which nothing is known yet. Whole parts have what is not undefined. */
const nothing: KeptMind = {
  state: { phase: "disclosing", greeting: "", history: [], unjudged: "", ...nothingYet },
  progress: { startedAt: 0, sequence: 1, toolCalls: 0, interruptions: 0, tools: [], passed: [], recording: "" }
}

const added = ({ state, progress }: KeptMind, part: KeptPart): KeptMind => {
  const history = part.history === undefined ? state.history : messagesOf(part.history, state.history)
  const { guess, unfinished } = part
  return {
    state: {
      ...state,
      ...valuesOf(part.state ?? {}),
      history,
      ...(guess === undefined
        ? {}
        : { guess: guess === null ? undefined : { ...guess, history: messagesOf(guess.history, history) } }),
      ...(unfinished === undefined
        ? {}
        : { unfinished: unfinished === null ? undefined : messagesOf(unfinished, history) })
    },
    progress: { ...progress, ...valuesOf(part.progress ?? {}) }
  }
}

/** The mind that these parts say. Undefined when they do not begin with a whole one, and go on with changes. */
export const mindOf = ([first, ...changes]: ReadonlyArray<KeptPart>): KeptMind | undefined =>
  first?.whole !== true || changes.some(({ whole }) => whole) ? undefined : changes.reduce(added, added(nothing, first))
