/**
 * Storing an outgoing message in one statement (`queue_messages`): the message, its place in the outbox, its event, and that the writer owns the
 * conversation. Messages that come at the same moment share the statement. Most go this way; those with due times to be moved go the long one.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import type { Message, NewMessage } from "../../../../domain/messaging/conversations/Message.ts"
import { tellEvents } from "../../events/EventLog.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import { iso } from "../../tenancy/Sql.ts"

const recordOf = (input: NewMessage, now: number): Omit<Message, "contactId"> => ({
  id: input.id ?? newId("msg", now),
  organizationId: input.organizationId,
  conversationId: input.conversationId,
  channel: "messaging",
  direction: "outbound",
  type: input.type,
  content: input.content,
  replyTo: input.replyTo ?? null,
  channelMessageId: null,
  sentBy: input.sentBy ?? null,
  status: "queued",
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  failure: null,
  createdAt: iso(new Date(now))
})

/** As `queue_messages` takes it. */
interface Wanted {
  readonly conversationId: string
  /** The epoch its writer holds; null: it holds none. */
  readonly held: number | null
  /** The writer becomes the owner. */
  readonly claims: boolean
  readonly eventId: string
  readonly writtenAt: string
  readonly record: Omit<Message, "contactId">
}

interface Stored {
  readonly messageId: string
  readonly contactId: string
  readonly epoch: string
}

/** Gives what stores a message; `undefined`: nothing was stored, and the message is to be stored the long way. */
export const makeQueueMessage = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const storeAll = Effect.fnUntraced(function* (organizationId: string, wanted: ReadonlyArray<Wanted>) {
    const rows =
      yield* sql<Stored>`SELECT message_id, contact_id, epoch::text FROM queue_messages(${organizationId}, ${sql.json(wanted)})`
    const stored = new Map(rows.map((row) => [row.messageId, row]))
    return wanted.map(({ record }) => stored.get(record.id))
  })
  const store = yield* makeBatching(storeAll)

  return Effect.fnUntraced(function* (input: NewMessage, now: number, fence: ConversationFence | undefined) {
    if (input.direction !== "outbound" || input.channelMessageId !== undefined) return undefined
    const { organizationId, conversationId } = input
    const record = recordOf(input, now)
    const wanted: Wanted = {
      conversationId,
      held: fence?.epoch ?? null,
      claims: fence !== undefined && fence.epoch === undefined,
      eventId: newId("evt", now),
      writtenAt: record.createdAt,
      record
    }
    const row = yield* store(organizationId, wanted)
    if (row === undefined) return undefined
    if (fence !== undefined) fence.granted = { epoch: Number(row.epoch), dueAt: null }
    yield* tellEvents
    return { ...record, contactId: row.contactId } satisfies Message
  })
})
