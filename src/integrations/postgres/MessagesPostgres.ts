/** Messages in Postgres. A message and what it does to its conversation are one transaction. */
import { Clock, Effect, Layer } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import { Fence } from "../../domain/ConversationFence.ts"
import { newId } from "../../domain/Ids.ts"
import type { Part } from "../../domain/Listing.ts"
import {
  Messages,
  type NewMessage,
  NoSuchConversation,
  type ReportedMessage,
  reported,
  type StatusReport
} from "../../domain/Message.ts"
import { OutboxBell } from "../../domain/Outbox.ts"
import { type Happened, lockConversation, moveConversation } from "./ConversationLock.ts"
import { eventRecorded, recordEvent, tellEvents } from "./EventLog.ts"
import { listNames } from "./ListCounts.ts"
import { type MessageRow, message, progress, type StoredMessageRow, selectMessages } from "./MessageRows.ts"
import { enqueued } from "./Outbox.ts"
import { asideIfSlow, asked, type ListRow, listedWithTotal } from "./Parts.ts"
import { makeQueueMessage } from "./QueueMessage.ts"
import { makeSql } from "./Sql.ts"

const place = (row: MessageRow) => ({ at: row.createdAt.getTime(), id: row.id })

/** What a message does to who has its conversation, and to its SLA clock: what is sent to many at once answers nobody. */
const happening = ({ direction, sentBy }: NewMessage, at: number): Happened => {
  if (direction === "inbound") return { ownership: [{ type: "inbound" }], wrote: { who: "contact", at } }
  return sentBy?.startsWith("brd_") === true ? {} : { wrote: { who: "us", at } }
}
const dateOrNull = (time: string | null) => (time === null ? null : new Date(time))

export const layer = Layer.effect(
  Messages,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const bell = yield* OutboxBell
    const queueMessage = yield* makeQueueMessage(sql)

    const byId = (id: string) => sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ${id}`

    const list = Effect.fnUntraced(function* (organizationId: string, part: Part) {
      const rows = yield* sql<ListRow<MessageRow>>`SELECT l.total, (l.message).*, l.contact_id, l.channel
        FROM list_messages(${organizationId}, ${asked(sql, part, [listNames.messages])}) l`.pipe(asideIfSlow(sql, part))
      return yield* listedWithTotal(rows, part, rows[0].total, place, message)
    })

    /** Stored, counted in its conversation, and on its way out, in one statement; no row for one that is stored already. */
    const insert = (input: NewMessage, channel: Channel, now: number) => {
      const { id = newId("msg", now), organizationId, conversationId, direction, type, content, replyTo } = input
      const { channelMessageId, sentBy } = input
      const at = new Date(now)
      const inbound = direction === "inbound"
      const seen = inbound
        ? sql`, unread_count = unread_count + 1, last_inbound_at = GREATEST(last_inbound_at, ${at}::timestamptz)`
        : sql``
      const onItsWay = inbound || channel !== "messaging" ? sql`` : sql`, queued AS (${enqueued(sql)})`
      return sql<StoredMessageRow>`WITH made AS (
          INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, reply_to_id,
            reply_to_channel_message_id, channel_message_id, sent_by, status, created_at)
          VALUES (${organizationId}, ${id}, ${conversationId}, ${direction}, ${type}, ${sql.json(content)},
            ${replyTo?.messageId ?? null}, ${replyTo?.channelMessageId ?? null}, ${channelMessageId ?? null}, ${sentBy ?? null},
            ${inbound ? "received" : "queued"}, ${at})
          ON CONFLICT DO NOTHING RETURNING *
        ), active AS (
          UPDATE conversations SET last_activity_at = GREATEST(last_activity_at, ${at}::timestamptz)${seen}
          WHERE id = ${conversationId} AND EXISTS (SELECT 1 FROM made)
        )${onItsWay} SELECT * FROM made`
    }

    const add = Effect.fnUntraced(function* (input: NewMessage, now: number, fence: Fence | undefined) {
      const { organizationId, conversationId, direction, id = "", channelMessageId = "" } = input
      // Locked first: the messages of a conversation are stored one after the other.
      const conversation = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (conversation === undefined) return yield* new NoSuchConversation({ conversationId })
      const { contactId, channel } = conversation
      const [made] = yield* insert(input, channel, now)
      if (made === undefined) {
        const known = sql`m.id = ${id} OR m.channel_message_id = ${channelMessageId}`
        return yield* message((yield* sql<MessageRow>`${selectMessages(sql)} WHERE ${known}`)[0])
      }
      const stored = yield* message({ ...made, contactId, channel })
      const type = direction === "inbound" ? "message.received" : "message.queued"
      yield* recordEvent(sql, organizationId, { type, data: { message: stored } }, now)
      yield* moveConversation(sql, conversation, happening(input, now))
      if (direction === "outbound") yield* sql.afterCommit(bell.ring)
      return stored
    })

    /** The message that is spoken of, held with its conversation, as by all who change its messages. */
    const held = Effect.fnUntraced(function* (which: ReportedMessage) {
      const theirs = which.channelMessageId ?? null
      const ours = which.messageId ?? null
      const [row] = yield* sql<MessageRow>`SELECT m.*, v.contact_id, v.channel FROM conversations v
        JOIN messages m ON m.organization_id = v.organization_id AND m.conversation_id = v.id
        WHERE m.channel_message_id = ${theirs} OR (m.id = ${ours} AND m.direction = 'outbound')
        ORDER BY m.channel_message_id = ${theirs} DESC NULLS LAST LIMIT 1 FOR NO KEY UPDATE OF v, m`
      return row
    })

    const report = Effect.fnUntraced(function* (organizationId: string, which: ReportedMessage, news: StatusReport) {
      const row = yield* held(which)
      if (row === undefined) return undefined
      const { status, sentAt, deliveredAt, readAt, failedAt, failure } = reported(progress(row), news)
      const after = {
        status,
        sentAt: dateOrNull(sentAt),
        deliveredAt: dateOrNull(deliveredAt),
        readAt: dateOrNull(readAt),
        failedAt: dateOrNull(failedAt),
        failureCode: failure?.code ?? null,
        failureReason: failure?.reason ?? null,
        channelMessageId: row.channelMessageId ?? which.channelMessageId ?? null
      }
      const changed = yield* message({ ...row, ...after })
      const event = { type: "message.status", data: { message: changed } } as const
      const told =
        status === row.status
          ? sql``
          : sql`, told AS (${eventRecorded(sql, organizationId, event, yield* Clock.currentTimeMillis)})`
      yield* sql`WITH gone AS (DELETE FROM outbox WHERE message_id = ${row.id})${told}
        UPDATE messages SET status = ${status}, sent_at = ${after.sentAt}, delivered_at = ${after.deliveredAt}, read_at = ${after.readAt},
          failed_at = ${after.failedAt}, failure_code = ${after.failureCode}, failure_reason = ${after.failureReason},
          channel_message_id = ${after.channelMessageId} WHERE id = ${row.id}`
      if (status !== row.status) yield* tellEvents
      return changed
    })

    /** In one statement, where that is enough. */
    const queue = Effect.fnUntraced(function* (input: NewMessage, now: number, fence: Fence | undefined) {
      const queued = yield* Effect.orDie(queueMessage(input, now, fence))
      if (queued !== undefined) yield* sql.afterCommit(bell.ring)
      return queued
    })

    return Messages.of({
      list: Effect.fn("Messages.list")(list, Effect.orDie),

      find: Effect.fn("Messages.find")(function* (organizationId, messageId) {
        const [row] = yield* asTenant(organizationId)(byId(messageId))
        return row === undefined ? undefined : yield* message(row)
      }, Effect.orDie),

      queue: Effect.fn("Messages.queue")((input, now) => queue(input, now, new Fence(undefined))),

      add: Effect.fn("Messages.add")(function* (input, now, fence) {
        const queued = yield* queue(input, now, fence)
        if (queued !== undefined) return queued
        return yield* asTenant(input.organizationId)(add(input, now, fence)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      }),

      report: Effect.fn("Messages.report")(
        (organizationId, which, news) => asTenant(organizationId)(report(organizationId, which, news)),
        Effect.orDie
      )
    })
  })
)
