/**
 * Tells an integration of one change. What there is to tell is read when it is claimed to be told, not when it happened: so a contact that changed ten
 * times is sent once, as it is now, and nothing of an erased contact is sent.
 */
import { Clock, Effect } from "effect"
import { traced } from "../basics/Traced.ts"
import { type ConversationDetail, Conversations } from "../messaging/conversations/Conversation.ts"
import { dashboardUrl } from "../messaging/conversations/DashboardUrl.ts"
import { Users } from "../people/access/User.ts"
import { VoiceAgents } from "../voice/agents/VoiceAgent.ts"
import { isFinal } from "../voice/calls/records/CallProgress.ts"
import { Calls } from "../voice/calls/records/CallRecord.ts"
import { CallSummaries } from "../voice/calls/records/CallSummary.ts"
import { AppAdapters, type AppChange, type ToldConversation, type ToldLine } from "./AppAdapter.ts"
import type { StoredConnection } from "./AppConnection.ts"
import type { ClaimedTask, SyncResult } from "./SyncQueue.ts"
import type { WorkSession } from "./WorkSession.ts"

/** The newest messages of a conversation that are told. */
export const toldMessages = 20

const textOf = (content: Readonly<Record<string, unknown>>): string | undefined =>
  [content.text, content.caption, content.title, content.name].find((part) => typeof part === "string")

/** The last lines of messages and calls, oldest first. */
export const linesOf = ({
  messages,
  calls
}: Pick<ConversationDetail, "messages" | "calls">): ReadonlyArray<ToldLine> => {
  const written = messages.map(
    ({ createdAt, direction, content, type }): ToldLine => ({
      at: createdAt,
      by: direction === "inbound" ? "contact" : "us",
      text: textOf(content) ?? `(${type})`
    })
  )
  const spoken = calls.flatMap(({ startedAt, createdAt, utterances }) =>
    utterances.map(
      ({ role, text, startMs }): ToldLine => ({
        at: new Date(Date.parse(startedAt ?? createdAt) + startMs).toISOString(),
        by: role === "caller" ? "contact" : "us",
        text
      })
    )
  )
  return [...written, ...spoken].sort((a, b) => a.at.localeCompare(b.at)).slice(-toldMessages)
}

/** Needs the stores and AppAdapters once; the function it gives needs nothing. */
export const makeTellChange = Effect.fnUntraced(function* (publicBaseUrl: string, work: WorkSession) {
  const conversations = yield* Conversations
  const calls = yield* Calls
  const summaries = yield* CallSummaries
  const users = yield* Users
  const agents = yield* VoiceAgents
  const adapters = yield* AppAdapters

  const nameOf = Effect.fnUntraced(function* (organizationId: string, assignee: string | null) {
    if (assignee === null) return null
    if (assignee.startsWith("usr_")) return (yield* users.find(organizationId, assignee))?.name ?? null
    return (yield* agents.find(organizationId, assignee))?.name ?? null
  })

  const conversationOf = Effect.fnUntraced(function* (
    organizationId: string,
    { trigger, subjectId: id }: Pick<ClaimedTask, "trigger" | "subjectId">
  ) {
    const found = yield* conversations.find(organizationId, id, toldMessages, yield* Clock.currentTimeMillis)
    if (found === undefined) return undefined
    const over = found.calls.filter(({ status }) => isFinal(status))
    // A part of a recording may come before the end.
    if (trigger === "call.ended" && over.length === 0) return undefined
    const durations = over.flatMap(({ durationSeconds }) => durationSeconds ?? [])
    const [newest] = over
    const recording = newest === undefined ? undefined : (yield* calls.find(organizationId, newest.id))?.recording
    const summary = newest === undefined ? null : yield* summaries.find(organizationId, newest.id)
    const resolvedAt = found.status === "RESOLVED" ? found.updatedAt : null
    const agent = yield* nameOf(organizationId, found.assignee ?? newest?.agentId ?? null)
    return {
      ...{ id, channel: found.channel, agent, beganAt: found.createdAt, resolvedAt },
      at: resolvedAt ?? newest?.endedAt ?? found.updatedAt,
      summary: summary?.text ?? null,
      durationSeconds: durations.length === 0 ? null : durations.reduce((sum, one) => sum + one, 0),
      recordingUrl: recording == null ? null : publicBaseUrl + recording.url,
      url: dashboardUrl(publicBaseUrl, id),
      lines: linesOf(found)
    } satisfies ToldConversation
  })

  const changeOf = Effect.fnUntraced(function* (organizationId: string, task: ClaimedTask) {
    const { contact } = task
    if (contact === undefined) return undefined
    if (task.trigger !== "conversation.resolved" && task.trigger !== "call.ended")
      return { trigger: task.trigger, contact } satisfies AppChange
    const conversation = yield* conversationOf(organizationId, task)
    return conversation === undefined
      ? undefined
      : ({ trigger: task.trigger, contact, conversation } satisfies AppChange)
  })

  /** Nothing fails: what goes wrong is the outcome. */
  return traced("TellChange")(function* (connection: StoredConnection, task: ClaimedTask) {
    const { organizationId, provider } = connection
    const { push } = adapters[provider]
    const change = push === undefined ? undefined : yield* changeOf(organizationId, task)
    if (push === undefined || change === undefined)
      return { outcome: "gone", links: [], exchanges: [] } satisfies SyncResult
    const told = { id: task.id, change, again: task.claims > 1, links: task.links }
    const { value, outcome, exchanges } = yield* work(connection, task.failures, (session, now) =>
      push(session, told, now)
    )
    return { outcome, links: value ?? [], exchanges } satisfies SyncResult
  })
})
