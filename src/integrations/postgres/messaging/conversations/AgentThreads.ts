/** The state of text agents in conversations. Use it as the tenant, under the lock of the conversation. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Equal } from "effect"
import {
  type AgentRule,
  contactWrote,
  isTextAgent,
  ownerChanged,
  type Routed,
  type RoutingTerms,
  takenByAnswer,
  weWrote,
  wordsCame
} from "../../../../domain/messaging/agents/AgentRouting.ts"
import { type AgentThread, longestTranscriptionMs, newThread } from "../../../../domain/messaging/agents/AgentThread.ts"
import { textAgentDefaults } from "../../../../domain/messaging/agents/TextAgent.ts"
import {
  type Ownership,
  type OwnershipEvent,
  owned
} from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import type { Message, NewMessage } from "../../../../domain/messaging/conversations/Message.ts"
import type { BusinessHours } from "../../../../domain/people/organizations/BusinessHours.ts"
import type { LockedConversation } from "./LockedConversation.ts"

interface ThreadRow {
  readonly agentId: string | null
  readonly routed: boolean
  readonly silent: boolean
  readonly version: string
  readonly received: string
  readonly answered: string
  readonly waitingSince: Date | null
  readonly dueAt: Date | null
  readonly failures: number
  readonly disclosed: boolean
  readonly remindAt: Date | null
  readonly reminder: string | null
}

const millis = (time: Date | null): number | null => time?.getTime() ?? null
const date = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** The agent's state in a conversation; `newThread` when there is none yet. */
export const threadOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, conversationId: string) {
  const [row] =
    yield* sql<ThreadRow>`SELECT agent_id, routed, silent, version::text, received::text, answered::text, waiting_since,
    due_at, failures, disclosed, remind_at, reminder FROM agent_threads WHERE conversation_id = ${conversationId}`
  if (row === undefined) return newThread
  const { version, received, answered, waitingSince, dueAt, remindAt, ...rest } = row
  return {
    ...rest,
    version: Number(version),
    received: Number(received),
    answered: Number(answered),
    waitingSince: millis(waitingSince),
    dueAt: millis(dueAt),
    remindAt: millis(remindAt)
  } satisfies AgentThread
})

/** Stores the state, and says in the fence when the next turn is due. */
export const saveThread = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { organizationId, id, fence }: Pick<LockedConversation, "organizationId" | "id" | "fence">,
  thread: AgentThread
) {
  const { agentId, routed, silent, version, received, answered, failures, disclosed, reminder } = thread
  const [waitingSince, dueAt, remindAt] = [thread.waitingSince, thread.dueAt, thread.remindAt].map(date)
  yield* sql`INSERT INTO agent_threads (organization_id, conversation_id, agent_id, routed, silent, version, received, answered,
      waiting_since, due_at, failures, disclosed, remind_at, reminder)
    VALUES (${organizationId}, ${id}, ${agentId}, ${routed}, ${silent}, ${version}, ${received}, ${answered},
      ${waitingSince}, ${dueAt}, ${failures}, ${disclosed}, ${remindAt}, ${reminder})
    ON CONFLICT (organization_id, conversation_id) DO UPDATE SET agent_id = excluded.agent_id, routed = excluded.routed,
      silent = excluded.silent, version = excluded.version, received = excluded.received, answered = excluded.answered,
      waiting_since = excluded.waiting_since, due_at = excluded.due_at, failures = excluded.failures, disclosed = excluded.disclosed,
      remind_at = excluded.remind_at, reminder = excluded.reminder`
  if (fence?.granted !== undefined) fence.granted = { ...fence.granted, turnDueAt: thread.dueAt }
})

interface TermsRow {
  readonly phone: string | null
  readonly businessHours: BusinessHours | null
  readonly timeZone: string
  readonly connectedAt: Date | null
}

interface RuleRow extends Omit<AgentRule, "waitMs"> {
  readonly waitMs: number | null
}

/** In a team chat whoever its channel is mapped to answers; a thread that somebody has stays with them. */
const mappedTerms = Effect.fnUntraced(function* (sql: PgClient.PgClient, conversationId: string, terms: RoutingTerms) {
  const [mapped] = yield* sql<{ agentId: string | null; since: Date }>`SELECT m.agent_id, m.since FROM chat_threads t
    JOIN chat_mappings m ON m.organization_id = t.organization_id AND m.team_id = t.team_id
      AND m.place = CASE WHEN starts_with(t.channel_id, 'D') THEN 'direct' ELSE t.channel_id END
    WHERE t.conversation_id = ${conversationId}`
  const agents = terms.agents.map((rule): AgentRule => {
    const answers = rule.id === mapped?.agentId ? "always" : "never"
    return { ...rule, answers, channels: ["team_chat"] }
  })
  return { ...terms, agents, connectedAt: mapped?.since.getTime() ?? null }
})

/** What decides who answers. */
const termsOf = Effect.fnUntraced(function* (sql: PgClient.PgClient, contactId: string) {
  const [row] = yield* sql<TermsRow>`SELECT c.phone, o.business_hours, o.time_zone, n.created_at AS connected_at
    FROM contacts c JOIN organizations o ON o.id = c.organization_id
    LEFT JOIN channel_connections n ON n.organization_id = o.id WHERE c.id = ${contactId}`
  const agents = yield* sql<RuleRow>`SELECT id, answers, channels, (settings #>> '{limits,waitMs}')::int AS wait_ms
    FROM text_agents ORDER BY created_at, id`
  return {
    ...row,
    connectedAt: millis(row.connectedAt),
    agents: agents.map((rule) => ({ ...rule, waitMs: rule.waitMs ?? textAgentDefaults.limits.waitMs }))
  } satisfies RoutingTerms
})

/** Whether the newest message of the conversation is one of the contact that may still be answered. */
const awaitsAnswer = (sql: PgClient.PgClient, conversationId: string, now: number) =>
  Effect.map(
    sql<{ direction: Message["direction"]; createdAt: Date }>`SELECT direction, created_at FROM messages
      WHERE conversation_id = ${conversationId} AND type <> 'reaction' ORDER BY created_at DESC, id DESC LIMIT 1`,
    ([newest]) => newest?.direction === "inbound" && newest.createdAt.getTime() > now - 24 * 3_600_000
  )

/**
 * When the newest voice message came whose file is being fetched or written down; `undefined` when there is none. Those that take too long are not waited for any
 * more.
 */
export const wordsAwaited = (sql: PgClient.PgClient, conversationId: string, now: number) =>
  Effect.map(
    sql<{ at: Date | null }>`SELECT max(m.created_at) AS at FROM messages m
      WHERE m.conversation_id = ${conversationId} AND m.type = 'audio' AND m.direction = 'inbound'
        AND m.created_at > ${new Date(now - longestTranscriptionMs)}
        AND NOT m.content ?| ARRAY['transcript', 'transcriptError', 'mediaError']
        AND EXISTS (SELECT 1 FROM channel_inbox i WHERE i.organization_id = m.organization_id
          AND i.once IN ('media:' || m.id, 'transcript:' || m.id) AND i.state = 'waiting')`,
    ([row]) => millis(row?.at ?? null) ?? undefined
  )

/** The words of a voice message are stored: what that changes for the agent of its conversation. */
export const tellOfWords = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  locked: LockedConversation,
  message: Message,
  now: number
) {
  if (!locked.hasAgents) return
  const before = yield* threadOf(sql, locked.id)
  const terms = yield* termsOf(sql, locked.contactId)
  const others = (yield* wordsAwaited(sql, locked.id, now)) !== undefined
  const times = { at: now, writtenAt: Date.parse(message.createdAt), others }
  const after = wordsCame(before, locked.ownership, message, times, terms)
  if (!Equal.equals(after, before)) yield* saveThread(sql, locked, after)
})

/** A message that was just stored. `at`: when it was written, Unix milliseconds. */
export interface StoredMessage {
  readonly message: Pick<NewMessage, "direction" | "type" | "content" | "sentBy">
  readonly at: number
  /** The person who wrote it has been deactivated meanwhile: the conversation is nobody's. */
  readonly writerLeft?: boolean
}

/** The changes of owner, without giving the conversation to a person who has left. */
const withoutWriter = (
  events: ReadonlyArray<OwnershipEvent>,
  stored: StoredMessage | undefined
): ReadonlyArray<OwnershipEvent> =>
  stored?.writerLeft === true ? events.map((event) => (event.type === "assign" ? { type: "unassign" } : event)) : events

/**
 * What a message, or a change of owner, does to the agent of a locked conversation. Stores the agent's state, and gives the changes of owner that follow. An
 * organization without text agents pays one word in the lock's statement.
 */
export const routeToAgent = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  locked: LockedConversation,
  ownership: ReadonlyArray<OwnershipEvent>,
  stored: StoredMessage | undefined,
  now: number
) {
  const nothing: ReadonlyArray<OwnershipEvent> = []
  const isChanged = ownership.length > 0 && stored === undefined
  if (locked.channel === "voice" || (stored === undefined && !isChanged)) return nothing
  if (!locked.hasAgents)
    return stored?.message.direction === "outbound"
      ? withoutWriter(takenByAnswer(locked.ownership, stored.message), stored)
      : nothing
  const before = yield* threadOf(sql, locked.id)
  const after: Ownership = ownership.reduce(owned, locked.ownership)
  const wanted = yield* routing(sql, locked, before, after, stored, now)
  const routed = (yield* isGone(sql, wanted)) ? { thread: before, ownership: nothing } : wanted
  if (!Equal.equals(routed.thread, before)) yield* saveThread(sql, locked, routed.thread)
  return withoutWriter(routed.ownership, stored)
})

/** Whether the agent that would take the conversation has just been removed. The lock keeps one that is there until the conversation is its own. */
const isGone = Effect.fnUntraced(function* (sql: PgClient.PgClient, { ownership }: Routed) {
  const taker = ownership.find((event) => event.type === "assign")?.assignee
  if (!isTextAgent(taker ?? null)) return false
  const there = yield* sql`SELECT 1 FROM text_agents WHERE id = ${taker ?? ""} FOR KEY SHARE`
  return there.length === 0
})

const routing = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  { id, contactId, channel, ownership: before }: LockedConversation,
  thread: AgentThread,
  after: Ownership,
  stored: StoredMessage | undefined,
  now: number
): Effect.fn.Return<Routed, Effect.Error<ReturnType<typeof termsOf>>> {
  if (stored === undefined) {
    // Assigning a conversation to the agent that has it already hands it back to one that is silent.
    if (Equal.equals(before, after) && !thread.silent) return { thread, ownership: [] }
    const waiting = yield* awaitsAnswer(sql, id, now)
    return { thread: ownerChanged(thread, before, after, now, waiting), ownership: [] }
  }
  const { message, at: writtenAt } = stored
  if (message.direction === "outbound") return weWrote(thread, after, message)
  const general = yield* termsOf(sql, contactId)
  const terms = channel === "team_chat" ? yield* mappedTerms(sql, id, general) : general
  return contactWrote(thread, { before, after, channel }, message, { at: now, writtenAt }, terms)
})
