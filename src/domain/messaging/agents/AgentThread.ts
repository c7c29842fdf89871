/**
 * The state of a text agent in one conversation, and what changes it. Pure; times are Unix milliseconds.
 *
 * The contact's messages that an agent is to answer are counted (`received`). A turn answers all messages up to its watermark, the count at its
 * begin, and `answered` moves there with the answer. A turn may say something only if, since it began, nothing was answered and `version` is the same:
 * that changes with everything after which a thought answer must not be sent (a person wrote, the conversation was assigned, the contact opted out).
 * So there is at most one answer for a watermark, and none after a person.
 */

export interface AgentThread {
  /** The agent that has, or had, the conversation. */
  readonly agentId: string | null
  /** The agent took the conversation by its rule. False: somebody assigned it. */
  readonly routed: boolean
  /** A person has the conversation, until it is handed back or resolved. */
  readonly silent: boolean
  readonly version: number
  readonly received: number
  readonly answered: number
  /** When the first message came that is not answered; null: none waits. */
  readonly waitingSince: number | null
  /** When the next turn begins; null: never. */
  readonly dueAt: number | null
  /** Turns in a row that failed. */
  readonly failures: number
  /** The contact was told that it writes with an AI. */
  readonly disclosed: boolean
  /** What the agent wants to be reminded of, and when. */
  readonly remindAt: number | null
  readonly reminder: string | null
}

export const newThread: AgentThread = {
  agentId: null,
  routed: false,
  silent: false,
  version: 0,
  received: 0,
  answered: 0,
  waitingSince: null,
  dueAt: null,
  failures: 0,
  disclosed: false,
  remindAt: null,
  reminder: null
}

/** The longest that a contact's first message waits for the next ones. */
export const longestWaitMs = 8_000
/** A person may still be needed in the same second, so a failed turn is tried again soon. */
const retryMs = 3_000

const calm = { waitingSince: null, dueAt: null } as const

/** When the next turn begins if no message waits. */
const reminded = ({ remindAt }: AgentThread) => ({ waitingSince: null, dueAt: remindAt })

/** The contact wrote something that this agent is to answer. `pauseMs`: how long to wait for more. */
export const heard = (
  thread: AgentThread,
  { agentId, routed, at, pauseMs }: { agentId: string; routed: boolean; at: number; pauseMs: number }
): AgentThread => {
  const waitingSince = thread.waitingSince ?? at
  return {
    ...thread,
    agentId,
    routed,
    version: thread.agentId === agentId ? thread.version : thread.version + 1,
    received: thread.received + 1,
    waitingSince,
    dueAt: Math.min(at + pauseMs, waitingSince + longestWaitMs)
  }
}

/** A voice message is written down no later than this; what was not by then is answered without its words. */
export const longestTranscriptionMs = 60_000

/** The turn that is due waits until the words of a voice message are there. `until`: at most so long. */
export const held = (thread: AgentThread, until: number): AgentThread => ({ ...thread, dueAt: until })

/**
 * The words of a voice message are there, or will not come. What waits for them is answered at `dueAt`. When an answer was given without them, and they
 * came late, the message counts as new.
 */
export const written = (
  thread: AgentThread,
  { agentId, at, dueAt, hasWords }: { agentId: string; at: number; dueAt: number; hasWords: boolean }
): AgentThread => {
  if (thread.silent || thread.agentId !== agentId) return thread
  if (thread.received > thread.answered)
    return { ...thread, dueAt: thread.dueAt === null ? dueAt : Math.min(thread.dueAt, dueAt) }
  return hasWords ? heard(thread, { agentId, routed: thread.routed, at, pauseMs: 0 }) : thread
}

/** A person has the conversation from now on, or nobody. What waits is theirs. */
export const silenced = (thread: AgentThread): AgentThread => ({
  ...thread,
  ...calm,
  silent: true,
  version: thread.version + 1,
  answered: thread.received,
  failures: 0,
  remindAt: null,
  reminder: null
})

/** Nothing that was thought is said; the agent keeps the conversation. The contact opted out, or the agent's rule does not apply any more. */
export const interrupted = (thread: AgentThread): AgentThread => ({ ...silenced(thread), silent: thread.silent })

/** The agent has the conversation from now on. `waiting`: when the contact's last message came, if nobody has answered it. */
export const handedBack = (thread: AgentThread, agentId: string, at: number, waiting: boolean): AgentThread => {
  const free = { ...silenced(thread), silent: false, agentId, routed: false }
  return waiting ? { ...free, received: free.received + 1, waitingSince: at, dueAt: at } : free
}

/** A resolved conversation is opened again: it begins anew. */
export const renewed = (thread: AgentThread): AgentThread => ({
  ...interrupted(thread),
  silent: false,
  routed: false,
  disclosed: false
})

/** What a turn began with. */
export interface TurnBase {
  readonly version: number
  readonly watermark: number
  /** The turn was begun by a reminder; nobody wrote. */
  readonly byReminder: boolean
}

/** The turn that is due at `now`; `undefined` when none is. */
export const turnAt = (thread: AgentThread, now: number): TurnBase | undefined => {
  const { silent, dueAt, received, answered, version, remindAt } = thread
  if (silent || thread.agentId === null || dueAt === null || dueAt > now) return undefined
  const waits = received > answered
  if (!waits && (remindAt === null || remindAt > now)) return undefined
  return { version, watermark: received, byReminder: !waits }
}

/** Whether a turn that began with this may still say something. */
export const mayAnswer = (thread: AgentThread, { version, watermark, byReminder }: TurnBase): boolean =>
  !thread.silent &&
  thread.version === version &&
  watermark <= thread.received &&
  (byReminder ? watermark === thread.answered && thread.remindAt !== null : watermark > thread.answered)

/** What is after an answer up to the watermark. Messages that came since begin the next turn at the time that they set. */
export const answeredUpTo = (
  thread: AgentThread,
  turn: TurnBase,
  at: number,
  reminder: { readonly at: number; readonly text: string } | undefined
): AgentThread => {
  const spent = thread.remindAt !== null && thread.remindAt <= at
  const remembered = spent || turn.byReminder ? { remindAt: null, reminder: null } : {}
  const next = reminder === undefined ? remembered : { remindAt: reminder.at, reminder: reminder.text }
  const after = { ...thread, ...next, answered: turn.watermark, failures: 0, disclosed: true }
  return after.received > after.answered
    ? { ...after, waitingSince: at, dueAt: thread.dueAt ?? at }
    : { ...after, ...reminded(after) }
}

/** What is after a turn that failed: it is tried again. */
export const failedAt = (thread: AgentThread, at: number): AgentThread => ({
  ...thread,
  failures: thread.failures + 1,
  dueAt: at + retryMs
})
