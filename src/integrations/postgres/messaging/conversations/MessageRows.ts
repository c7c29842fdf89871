/** Converts database rows of messages into records. */
import type { PgClient } from "@effect/sql-pg"
import { Schema } from "effect"
import { Message, type MessageProgress } from "../../../../domain/messaging/conversations/Message.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import { columnsOf } from "../../tenancy/Columns.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"

/** A row of the table `messages`. */
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
  readonly sources: unknown
}

/** A row of `messages` with the contact and the channel of its conversation. */
export interface MessageRow extends StoredMessageRow {
  readonly contactId: string
  readonly channel: Channel
}

/** Selects messages `m` with the contact and channel of their conversations `v`. A WHERE or ORDER BY may follow. */
export const selectMessages = (sql: PgClient.PgClient) => sql`SELECT m.*, v.contact_id, v.channel FROM messages m
  JOIN conversations v ON v.organization_id = m.organization_id AND v.id = m.conversation_id`

const columns =
  "id organization_id conversation_id direction type content reply_to_id reply_to_channel_message_id channel_message_id sent_by status sent_at delivered_at read_at failed_at failure_code failure_reason created_at sources"

/** The columns of a message, prefixed with `message_` for use beside another record. `of` names a column that holds a whole row of `messages`. */
export const messageBeside = (of: string): string => columnsOf(of, columns, "message_")

type Prefixed<Row> = { readonly [Name in keyof Row & string as `message${Capitalize<Name>}`]: Row[Name] }

/** The columns that `messageBeside` selects. */
export type RowWithMessage = Prefixed<StoredMessageRow> & {
  readonly messageOrganizationId: string
  readonly messageDirection: string
  readonly messageType: string
  readonly messageContent: unknown
  readonly messageSentBy: string | null
}

/** The row of the message in a combined row; undefined where there is none. */
export const messageOfRow = (
  row: RowWithMessage | { readonly messageId: null },
  contactId: string,
  channel: Channel
) =>
  row.messageId === null
    ? undefined
    : {
        id: row.messageId,
        organizationId: row.messageOrganizationId,
        conversationId: row.messageConversationId,
        contactId,
        channel,
        direction: row.messageDirection,
        type: row.messageType,
        content: row.messageContent,
        replyToId: row.messageReplyToId,
        replyToChannelMessageId: row.messageReplyToChannelMessageId,
        channelMessageId: row.messageChannelMessageId,
        sentBy: row.messageSentBy,
        status: row.messageStatus,
        sentAt: row.messageSentAt,
        deliveredAt: row.messageDeliveredAt,
        readAt: row.messageReadAt,
        failedAt: row.messageFailedAt,
        failureCode: row.messageFailureCode,
        failureReason: row.messageFailureReason,
        createdAt: row.messageCreatedAt,
        sources: row.messageSources
      }

/** The delivery progress of a message. */
export const progress = (row: Omit<MessageRow, "sources">): MessageProgress => ({
  status: row.status,
  sentAt: isoOrNull(row.sentAt),
  deliveredAt: isoOrNull(row.deliveredAt),
  readAt: isoOrNull(row.readAt),
  failedAt: isoOrNull(row.failedAt),
  failure: row.failureReason === null ? null : { code: row.failureCode, reason: row.failureReason }
})

const decodeMessage = Schema.decodeUnknownEffect(Message)
const decodeMessages = Schema.decodeUnknownEffect(Schema.Array(Message))

/** The record of a row before decoding. It is decoded by itself or as part of another record. */
export const uncheckedMessage = ({ sources, ...row }: MessageRow) => {
  const { replyToId: messageId, replyToChannelMessageId: channelMessageId } = row
  return {
    ...row,
    ...(sources === null ? {} : { sources }),
    ...progress(row),
    replyTo: messageId === null && channelMessageId === null ? null : { messageId, channelMessageId },
    createdAt: iso(row.createdAt)
  }
}

/** The record of a row. Fails when the row does not match the domain's schema. */
export const message = (row: MessageRow) => decodeMessage(uncheckedMessage(row))
export const messages = (rows: ReadonlyArray<MessageRow>) => decodeMessages(rows.map(uncheckedMessage))
