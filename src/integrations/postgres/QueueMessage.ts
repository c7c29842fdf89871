/**
 * Storing an outgoing message in one statement (migration 36): the message, its place in the outbox, its event, and that the writer owns the
 * conversation. Most messages go this way; those with due times to be moved go the long one.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Fence } from "../../domain/ConversationFence.ts"
import { newId } from "../../domain/Ids.ts"
import type { Message, NewMessage } from "../../domain/Message.ts"
import { tellEvents } from "./EventLog.ts"
import { iso } from "./Sql.ts"

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

/** `undefined`: nothing was stored, and the message is to be stored the long way. */
export const queueMessage = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  input: NewMessage,
  now: number,
  fence: Fence | undefined
) {
  if (input.direction !== "outbound" || input.channelMessageId !== undefined) return undefined
  const record = recordOf(input, now)
  const claims = fence !== undefined && fence.epoch === undefined
  const [row] = yield* sql<{ contactId: string; epoch: string }>`SELECT contact_id, epoch::text FROM queue_message(
    ${input.organizationId}, ${input.conversationId}, ${fence?.epoch ?? null}::bigint, ${claims}, ${sql.json(record)}, ${newId("evt", now)},
    ${new Date(now)})`
  if (row === undefined) return undefined
  if (fence !== undefined) fence.granted = { epoch: Number(row.epoch), dueAt: null }
  yield* tellEvents
  const { id, organizationId, conversationId, ...rest } = record
  return { id, organizationId, conversationId, contactId: row.contactId, ...rest } satisfies Message
})
