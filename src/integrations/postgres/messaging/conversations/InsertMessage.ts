/** The statement that stores a message. Use it as the tenant, under the lock of the conversation. */
import type { PgClient } from "@effect/sql-pg"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { NewMessage } from "../../../../domain/messaging/conversations/Message.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import type { StoredMessageRow } from "./MessageRows.ts"
import { enqueued } from "./OutboxQueue.ts"

/**
 * Stores a message, updates its conversation and puts an outbound message into the outbox, in one statement. Gives no row when the message is
 * stored already, or when the trigger `withhold_message` withholds a broadcast message whose broadcast has stopped or whose contact does not want
 * it.
 */
export const insertMessage = (sql: PgClient.PgClient, input: NewMessage, channel: Channel, now: number) => {
  const { id = newId("msg", now), organizationId, conversationId, direction, type, content, replyTo } = input
  const { channelMessageId, sentBy, sources } = input
  const at = new Date(now)
  const inbound = direction === "inbound"
  const seen = inbound
    ? sql`, unread_count = unread_count + 1, snoozed_until = NULL, last_inbound_at = GREATEST(last_inbound_at, ${at}::timestamptz)`
    : sql``
  const onItsWay = inbound || channel === "voice" ? sql`` : sql`, queued AS (${enqueued(sql)})`
  return sql<StoredMessageRow>`WITH made AS (
      INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, reply_to_id,
        reply_to_channel_message_id, channel_message_id, sent_by, sources, status, created_at)
      VALUES (${organizationId}, ${id}, ${conversationId}, ${direction}, ${type}, ${sql.json(content)},
        ${replyTo?.messageId ?? null}, ${replyTo?.channelMessageId ?? null}, ${channelMessageId ?? null}, ${sentBy ?? null},
        ${sources === undefined ? null : sql.json(sources)},
        ${inbound ? "received" : "queued"}, ${at})
      ON CONFLICT DO NOTHING RETURNING *
    ), active AS (
      UPDATE conversations SET last_activity_at = GREATEST(last_activity_at, ${at}::timestamptz)${seen}
      WHERE id = ${conversationId} AND EXISTS (SELECT 1 FROM made)
    )${onItsWay} SELECT * FROM made`
}
