/** Releases the conversations of an assignee that is deactivated or removed. Runs inside the transaction of that change. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { lockConversation, moveConversation } from "./ConversationLock.ts"
import { kindOf } from "./Ownership.ts"

/**
 * Sets conversations that are ASSIGNED to this user or agent to OPEN, each with an event and an audit entry. Resolved conversations keep their
 * assignee. The caller must hold the lock of the assignee's row, so that no conversation is assigned to it meanwhile: rows are locked assignee
 * first, conversation second.
 */
export const releaseConversations = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  organizationId: string,
  assignee: string
) {
  const column = sql.literal(kindOf(assignee).column)
  const held = yield* sql<{ id: string }>`SELECT id FROM conversations
    WHERE organization_id = ${organizationId} AND status = 'ASSIGNED' AND ${column} = ${assignee} ORDER BY id`
  for (const { id } of held) {
    const locked = yield* Effect.catchTag(
      lockConversation(sql, organizationId, id, undefined),
      "LostConversation",
      Effect.die
    )
    // Another transaction may have reassigned or resolved it before it was locked.
    if (locked?.ownership.status !== "ASSIGNED" || locked.ownership.assignee !== assignee) continue
    const before = locked.ownership
    const after = yield* moveConversation(sql, locked, { ownership: [{ type: "unassign" }] })
    yield* writeAudit(sql, organizationId, { action: "conversation.changed", subjectId: id, before, after })
  }
})
