/**
 * Who answers: what a message or a change of ownership does to the agent of a conversation. Pure; it runs in the transaction that stores the message or the
 * change, under the lock of the conversation.
 */

import type { Channel } from "../../people/contacts/Channel.ts"
import type { BusinessHours } from "../../people/organizations/BusinessHours.ts"
import { isOpen } from "../../people/organizations/BusinessHours.ts"
import type { Ownership, OwnershipEvent } from "../conversations/ConversationStatus.ts"
import type { Message, NewMessage } from "../conversations/Message.ts"
import { optOutWish, textOfMessage } from "../sending/OptOut.ts"
import { type AgentThread, handedBack, heard, interrupted, renewed, silenced, written } from "./AgentThread.ts"
import type { Answers } from "./TextAgent.ts"
import { isAnswerable, pauseAfter } from "./WaitingRules.ts"

/** What decides about an agent, oldest agents first. */
export interface AgentRule {
  readonly id: string
  readonly answers: Answers
  readonly channels: ReadonlyArray<string>
  readonly waitMs: number
}

/** What is known beside the message. Times are Unix milliseconds. */
export interface RoutingTerms {
  readonly agents: ReadonlyArray<AgentRule>
  readonly businessHours: BusinessHours | null
  readonly timeZone: string
  /** Since when the organization is connected to the channel; null: it is not. */
  readonly connectedAt: number | null
  /** The contact's number, E.164. */
  readonly phone: string | null
}

export interface Routed {
  readonly thread: AgentThread
  /** Changes of the conversation's owner that the agent's rule causes, beside those that happened. */
  readonly ownership: ReadonlyArray<OwnershipEvent>
}

/** What the contact wrote longer ago than this is too old to be answered: the channel takes no free text any more. */
const windowMs = 24 * 3_600_000

export const isTextAgent = (id: string | null): id is string => id?.startsWith("bot_") === true

/**
 * Whether somebody else than an agent speaks to the contact: a person, or a program with an API key that writes free text. Templates, broadcasts and the
 * service's own confirmations are notices, after which the agent goes on.
 */
export const isTakeover = ({ type, sentBy = "" }: Pick<Message, "type"> & { readonly sentBy?: string }): boolean =>
  /^(usr|key)_/.test(sentBy) && type !== "template"

/** The agent that takes the conversation by its rule. `ownership` is that after the message. */
const takenBy = (
  { agents, businessHours, timeZone }: RoutingTerms,
  channel: Channel,
  { assignee }: Ownership,
  at: number
): AgentRule | undefined => {
  const closed = () => !isOpen(businessHours, timeZone, at)
  // A voice agent does not answer messages, so a conversation that it has is nobody's.
  const free = assignee === null || assignee.startsWith("agt_")
  const applies = (answers: Answers): boolean => {
    switch (answers) {
      case "always":
        return true
      case "outside_hours":
        return closed()
      case "when_unassigned":
        return free
      case "never":
        return false
    }
  }
  return agents.find(({ answers, channels }) => channels.includes(channel) && applies(answers))
}

/** Whether this message is one for an agent: of a kind that is answered, written while the organization was connected, and not long ago. */
const isForAgent = (message: Pick<NewMessage, "type">, writtenAt: number, at: number, { connectedAt }: RoutingTerms) =>
  // The channel tells whole seconds.
  isAnswerable(message) && connectedAt !== null && writtenAt + 1_000 > connectedAt && writtenAt > at - windowMs

/**
 * The contact wrote. `before` and `after`: the ownership before and after the message (a message reopens a resolved conversation). `at`: now; `writtenAt`:
 * when the contact wrote.
 */
export const contactWrote = (
  thread: AgentThread,
  { before, after, channel }: { readonly before: Ownership; readonly after: Ownership; readonly channel: Channel },
  message: Pick<NewMessage, "type" | "content">,
  { at, writtenAt }: { readonly at: number; readonly writtenAt: number },
  terms: RoutingTerms
): Routed => {
  const current = before.status === "RESOLVED" ? renewed(thread) : thread
  const unchanged = { thread: current, ownership: [] }
  const said = textOfMessage(message)
  // The wish is obeyed, and answered, by the code that hears it; what waits is not answered any more.
  if (channel === "messaging" && said !== undefined && optOutWish(said, terms.phone)?.wish === "stop")
    return { thread: interrupted(current), ownership: [] }
  if (current.silent || !isForAgent(message, writtenAt, at, terms)) return unchanged
  const own = terms.agents.find(({ id }) => id === after.assignee)
  const lapsed = own?.answers === "outside_hours" && current.routed && isOpen(terms.businessHours, terms.timeZone, at)
  const agent = own ?? takenBy(terms, channel, after, at)
  if (lapsed) return { thread: interrupted(current), ownership: [{ type: "unassign" }] }
  if (agent === undefined) return unchanged
  const pauseMs = pauseAfter(message, agent.waitMs)
  const routed = own === undefined ? true : current.routed
  return {
    thread: heard(current, { agentId: agent.id, routed, at, pauseMs }),
    ownership: own === undefined ? [{ type: "assign", assignee: agent.id }] : []
  }
}

/**
 * The words of the contact's voice message are there, or it is known that they will not come. `message` has them; `others`: further ones of the conversation are still
 * being written down. `at`: now; `writtenAt`: when the contact sent it.
 */
export const wordsCame = (
  thread: AgentThread,
  { assignee }: Pick<Ownership, "assignee">,
  message: Pick<NewMessage, "type" | "content">,
  { at, writtenAt, others }: { readonly at: number; readonly writtenAt: number; readonly others: boolean },
  terms: RoutingTerms
): AgentThread => {
  const said = textOfMessage(message)
  if (said !== undefined && optOutWish(said, terms.phone)?.wish === "stop") return interrupted(thread)
  const agent = terms.agents.find(({ id }) => id === assignee)
  if (agent === undefined || others || !isForAgent(message, writtenAt, at, terms)) return thread
  const pauseMs = said === undefined ? 0 : pauseAfter(message, agent.waitMs)
  const dueAt = Math.max(at, writtenAt + pauseMs)
  return written(thread, { agentId: agent.id, at, dueAt, hasWords: said !== undefined })
}

/**
 * Whose the conversation is after a message of ours. A person who answers takes what nobody has, or an AI agent; a program takes it from a text agent, and then
 * nobody has it. What is resolved without a text agent stays as it is.
 */
export const takenByAnswer = (
  { status, assignee }: Pick<Ownership, "status" | "assignee">,
  message: Pick<NewMessage, "type" | "sentBy">
): ReadonlyArray<OwnershipEvent> => {
  if (!isTakeover(message)) return []
  const { sentBy = "" } = message
  const ofAgent = isTextAgent(assignee)
  if (!sentBy.startsWith("usr_")) return ofAgent ? [{ type: "unassign" }] : []
  const free = status === "OPEN" || (status === "ASSIGNED" && assignee?.startsWith("agt_") === true)
  return ofAgent || free ? [{ type: "assign", assignee: sentBy }] : []
}

/** We wrote: a person or a program takes the conversation over, and an agent stays silent. */
export const weWrote = (
  thread: AgentThread,
  ownership: Pick<Ownership, "status" | "assignee">,
  message: Pick<NewMessage, "type" | "sentBy">
): Routed => ({
  thread: isTakeover(message) && !thread.silent ? silenced(thread) : thread,
  ownership: takenByAnswer(ownership, message)
})

/**
 * The conversation was assigned, released, resolved or opened again, not by a message. `waiting`: whether its newest message is the contact's.
 */
export const ownerChanged = (
  thread: AgentThread,
  before: Ownership,
  after: Ownership,
  at: number,
  waiting: boolean
): AgentThread => {
  if (after.status === "ASSIGNED" && isTextAgent(after.assignee)) {
    const kept = before.status === "ASSIGNED" && before.assignee === after.assignee && !thread.silent
    return kept ? thread : handedBack(thread, after.assignee, at, waiting)
  }
  return silenced(thread)
}
