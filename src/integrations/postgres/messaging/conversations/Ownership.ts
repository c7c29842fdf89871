/** Who has a conversation, as its row says it: a person and an agent are columns of their own, each with its foreign key. */
import type { ConversationStatus, Ownership } from "../../../../domain/messaging/conversations/ConversationStatus.ts"

export interface OwnershipRow {
  readonly status: ConversationStatus
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
}

export const isPerson = (assignee: string): boolean => assignee.startsWith("usr_")

export const assigneeOf = (row: OwnershipRow): string | null => row.assignedUserId ?? row.assignedAgentId

/** A conversation whose assignee was removed belongs to nobody. */
export const ownershipOf = (row: OwnershipRow): Ownership => {
  const assignee = assigneeOf(row)
  if (row.status === "RESOLVED") return { status: "RESOLVED", assignee }
  return row.status === "ASSIGNED" && assignee !== null
    ? { status: "ASSIGNED", assignee }
    : { status: "OPEN", assignee: null }
}
