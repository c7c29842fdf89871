/**
 * Stores an outgoing message in one statement (`queue_messages`): the message, its place in the outbox, its event and the writer's ownership of the
 * conversation. Messages that come at the same moment share the statement. Most messages are stored this way. A message whose conversation has an SLA
 * clock to update needs a transaction of several statements (`MessagesPostgres.ts`).
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import type { Message, NewMessage } from "../../../../domain/messaging/conversations/Message.ts"
import { tellEvents } from "../../events/EventLog.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import { rerunning } from "../../tenancy/Conflicts.ts"
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

/** A message in the form that the database function `queue_messages` takes. */
interface Wanted {
  readonly conversationId: string
  /** The epoch that the writer holds; null when it holds none. */
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

/**
 * Makes the function that stores one message. That function gives `undefined` when nothing was stored; the message then needs the transaction of
 * several statements.
 */
export const makeQueueMessage = Effect.fnUntraced(function* (sql: PgClient.PgClient) {
  const storeAll = Effect.fnUntraced(function* (organizationId: string, wanted: ReadonlyArray<Wanted>) {
    const rows = yield* rerunning(
      sql<Stored>`SELECT message_id, contact_id, epoch::text FROM queue_messages(${organizationId}, ${sql.json(wanted)})`
    )
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
