/** Reads the ownership of a conversation from its row. Each kind of assignee has a column of its own, with its own foreign key. */
import type { ConversationStatus, Ownership } from "../../../../domain/messaging/conversations/ConversationStatus.ts"

export interface OwnershipRow {
  readonly status: ConversationStatus
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
  readonly assignedBotId: string | null
}

/** The kinds of assignees, by the beginning of their ids: the column of `conversations`, and the table of the records. */
const kinds = [
  { prefix: "usr_", column: "assigned_user_id", table: "users" },
  { prefix: "bot_", column: "assigned_bot_id", table: "text_agents" },
  { prefix: "agt_", column: "assigned_agent_id", table: "voice_agents" }
] as const

const voiceAgents = kinds[2]

/** The kind of an assignee. An id of no kind is looked for among the voice agents, and is none. */
export const kindOf = (assignee: string) => kinds.find(({ prefix }) => assignee.startsWith(prefix)) ?? voiceAgents

/** The id for each of the columns: this assignee in its own, null in the others. */
export const assigneeColumns = (assignee: string | null) => {
  const own = assignee === null ? undefined : kindOf(assignee).column
  return Object.fromEntries(kinds.map(({ column }) => [column, column === own ? assignee : null]))
}

export const assigneeOf = (row: OwnershipRow): string | null =>
  row.assignedUserId ?? row.assignedBotId ?? row.assignedAgentId

/** The ownership of a conversation. It is OPEN when its assignee was removed. */
export const ownershipOf = (row: OwnershipRow): Ownership => {
  const assignee = assigneeOf(row)
  if (row.status === "RESOLVED") return { status: "RESOLVED", assignee }
  return row.status === "ASSIGNED" && assignee !== null
    ? { status: "ASSIGNED", assignee }
    : { status: "OPEN", assignee: null }
}
