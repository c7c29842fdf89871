/** Rows of messages on their way to the channel. */
import type { PgClient } from "@effect/sql-pg"

/** Puts the messages of `made` behind what is queued in their conversation, which the transaction holds; part of a WITH. */
export const enqueued = (
  sql: PgClient.PgClient
) => sql`INSERT INTO outbox (organization_id, message_id, conversation_id, head, due_at, queued_at)
  SELECT organization_id, id, conversation_id,
    NOT EXISTS (SELECT 1 FROM outbox o WHERE o.organization_id = made.organization_id AND o.conversation_id = made.conversation_id),
    created_at, created_at FROM made`
