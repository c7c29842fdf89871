/** What somebody leaves behind: their conversations are nobody's again. Runs inside the transaction in which they leave. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { lockConversation, moveConversation } from "./ConversationLock.ts"
import { isPerson } from "./Ownership.ts"

/**
 * Conversations that are ASSIGNED to this person or agent become OPEN, each with its event and on record. Resolved ones still say who had them.
 * To be called with the assignee's row locked, so that nobody assigns one meanwhile: rows are locked assignee first, conversation second.
 */
export const releaseConversations = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  assignee: string
) {
  const column = sql.literal(isPerson(assignee) ? "assigned_user_id" : "assigned_agent_id")
  const held = yield* sql<{ id: string }>`SELECT id FROM conversations
    WHERE organization_id = ${organizationId} AND status = 'ASSIGNED' AND ${column} = ${assignee} ORDER BY id`
  for (const { id } of held) {
    const locked = yield* Effect.catchTag(
      lockConversation(sql, organizationId, id, undefined),
      "LostConversation",
      Effect.die
    )
    // Somebody else may have taken or resolved it before it was locked.
    if (locked?.ownership.status !== "ASSIGNED" || locked.ownership.assignee !== assignee) continue
    const before = locked.ownership
    const after = yield* moveConversation(sql, locked, { ownership: [{ type: "unassign" }] })
    yield* writeAudit(sql, organizationId, { action: "conversation.changed", subjectId: id, before, after })
  }
})
