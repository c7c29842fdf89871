/** Reads the ownership of a conversation from its row. A user and an agent have separate columns, each with its own foreign key. */
import type { ConversationStatus, Ownership } from "../../../../domain/messaging/conversations/ConversationStatus.ts"

export interface OwnershipRow {
  readonly status: ConversationStatus
  readonly assignedUserId: string | null
  readonly assignedAgentId: string | null
}

export const isPerson = (assignee: string): boolean => assignee.startsWith("usr_")

export const assigneeOf = (row: OwnershipRow): string | null => row.assignedUserId ?? row.assignedAgentId

/** The ownership of a conversation. It is OPEN when its assignee was removed. */
export const ownershipOf = (row: OwnershipRow): Ownership => {
  const assignee = assigneeOf(row)
  if (row.status === "RESOLVED") return { status: "RESOLVED", assignee }
  return row.status === "ASSIGNED" && assignee !== null
    ? { status: "ASSIGNED", assignee }
    : { status: "OPEN", assignee: null }
}
