/** Rows of messages as the database gives them, and the records they become. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import { Message, type Progress } from "../../domain/Message.ts"
import { iso, isoOrNull } from "./Sql.ts"

/** A row of the table itself. */
export interface StoredMessageRow {
  readonly id: string
  readonly conversationId: string
  readonly status: Message["status"]
  readonly replyToId: string | null
  readonly replyToChannelMessageId: string | null
  readonly channelMessageId: string | null
  readonly failureCode: string | null
  readonly failureReason: string | null
  readonly sentAt: Date | null
  readonly deliveredAt: Date | null
  readonly readAt: Date | null
  readonly failedAt: Date | null
  readonly createdAt: Date
}

/** With what its record says of the conversation. */
export interface MessageRow extends StoredMessageRow {
  readonly contactId: string
  readonly channel: Channel
}

/** Messages `m` of conversations `v`, with what the record says of the conversation; to be followed by WHERE or ORDER BY. */
export const selectMessages = (sql: PgClient.PgClient) => sql`SELECT m.*, v.contact_id, v.channel FROM messages m
  JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id`

/** How far a message is. */
export const progress = (row: MessageRow): Progress => ({
  status: row.status,
  sentAt: isoOrNull(row.sentAt),
  deliveredAt: isoOrNull(row.deliveredAt),
  readAt: isoOrNull(row.readAt),
  failedAt: isoOrNull(row.failedAt),
  failure: row.failureReason === null ? null : { code: row.failureCode, reason: row.failureReason }
})

/** Fails when the database holds what the domain does not know. */
export const message = (row: MessageRow) => {
  const { replyToId: messageId, replyToChannelMessageId: channelMessageId } = row
  return Schema.decodeUnknownEffect(Message)({
    ...row,
    ...progress(row),
    replyTo: messageId === null && channelMessageId === null ? null : { messageId, channelMessageId },
    createdAt: iso(row.createdAt)
  })
}
