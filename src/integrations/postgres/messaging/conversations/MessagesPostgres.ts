/** Messages in Postgres. One transaction stores a message and changes its conversation. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Equal, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { isTakeover } from "../../../../domain/messaging/agents/AgentRouting.ts"
import { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import {
  type MessageFilter,
  Messages,
  MessageWithheld,
  type NewMessage,
  NoSuchConversation
} from "../../../../domain/messaging/conversations/Message.ts"
import { OutboxWakeUp } from "../../../../domain/messaging/sending/Outbox.ts"
import { Acting, actingAs } from "../../../../domain/people/access/Audit.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { asideIfSlow, asked, type ListRow, listed, listedWithTotal, skipped } from "../../tenancy/Parts.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { type Happened, lockConversation, moveConversation } from "./ConversationLock.ts"
import { insertMessage } from "./InsertMessage.ts"
import { makeMessageReports } from "./MessageReports.ts"
import { type MessageRow, message, messages, selectMessages } from "./MessageRows.ts"
import { makeQueueMessage } from "./QueueMessage.ts"

/** The conditions of a filter on messages `m`. */
const messagesMatching = (sql: PgClient.PgClient, organizationId: string, filter: MessageFilter) => {
  const { conversationId, contactId, status, direction, type, since, before } = filter
  const ofContact = sql`SELECT c.id FROM conversations c WHERE c.organization_id = ${organizationId} AND c.contact_id = ${contactId}`
  return [
    ...(conversationId === undefined ? [] : [sql`m.conversation_id = ${conversationId}`]),
    ...(contactId === undefined ? [] : [sql`m.conversation_id IN (${ofContact})`]),
    ...(status === undefined ? [] : [sql`m.status = ${status}`]),
    ...(direction === undefined ? [] : [sql`m.direction = ${direction}`]),
    ...(type === undefined ? [] : [sql`m.type = ${type}`]),
    ...(since === undefined ? [] : [sql`m.created_at >= ${new Date(since)}`]),
    ...(before === undefined ? [] : [sql`m.created_at < ${new Date(before)}`])
  ]
}

const place = (row: MessageRow) => ({ at: row.createdAt.getTime(), id: row.id })

/** The effect of a message on the ownership, the text agent and the SLA clock of its conversation. A broadcast message does not count as an answer. */
const happening = (message: NewMessage, at: number, writerLeft: boolean): Happened => {
  const { direction, sentBy } = message
  const stored = { message, at, writerLeft }
  if (direction === "inbound") return { ownership: [{ type: "inbound" }], wrote: { who: "contact", at }, stored }
  return sentBy?.startsWith("brd_") === true ? {} : { wrote: { who: "us", at }, stored }
}

export const layer = Layer.effect(
  Messages,
  Effect.gen(function* () {
    const database = yield* makeSql
    const { sql, asTenant } = database
    const wakeUp = yield* OutboxWakeUp
    const queueMessage = yield* makeQueueMessage(sql)
    const report = yield* makeMessageReports(database)

    /** Whether this person may get a conversation. The row stays locked: it is locked before the conversation, as for whoever assigns one. */
    const isActive = (writer: string | undefined) =>
      writer?.startsWith("usr_") === true
        ? Effect.map(
            sql`SELECT 1 AS found FROM users WHERE id = ${writer} AND deactivated_at IS NULL FOR SHARE`,
            (found) => found.length > 0
          )
        : Effect.succeed(true)

    const byId = (id: string) => sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ${id}`

    const all = Effect.fnUntraced(function* (organizationId: string, part: Part) {
      const rows = yield* sql<ListRow<MessageRow>>`SELECT l.total, (l.message).*, l.contact_id, l.channel
        FROM list_messages(${organizationId}, ${asked(sql, part, [listNames.messages])}) l`.pipe(asideIfSlow(sql, part))
      return yield* listedWithTotal(rows, part, rows[0].total, place, messages)
    })

    const matching = Effect.fnUntraced(function* (
      organizationId: string,
      conditions: ReadonlyArray<Statement.Fragment>,
      part: Part
    ) {
      const { after, limit } = part
      const where = sql.and(conditions)
      const older = after === undefined ? sql`` : sql`AND (m.created_at, m.id) < (${new Date(after.at)}, ${after.id})`
      // The organization is named, so that every condition can use an index that begins with it.
      const own = sql`m.organization_id = ${organizationId}`
      const [rows, [{ total }]] = yield* asTenant(organizationId)(
        Effect.all([
          sql<MessageRow>`${selectMessages(sql)} WHERE ${own} AND ${where} ${older}
            ORDER BY m.created_at DESC, m.id DESC LIMIT ${limit + 1} OFFSET ${skipped(part)}`,
          sql<{ total: number }>`SELECT count(*)::int AS total FROM messages m WHERE ${own} AND ${where}`
        ])
      )
      return yield* listed(rows, part, total, place, messages)
    })

    const list = (organizationId: string, filter: MessageFilter, part: Part) => {
      const conditions = messagesMatching(sql, organizationId, filter)
      return conditions.length === 0 ? all(organizationId, part) : matching(organizationId, conditions, part)
    }

    const add = Effect.fnUntraced(function* (input: NewMessage, now: number, fence: ConversationFence | undefined) {
      const { organizationId, conversationId, direction, id = "", channelMessageId = "", sentBy } = input
      const writerLeft = direction === "outbound" && isTakeover(input) && !(yield* isActive(sentBy))
      // The conversation is locked now, so that its messages are stored one after the other.
      const conversation = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (conversation === undefined) return yield* new NoSuchConversation({ conversationId })
      const { contactId, channel } = conversation
      const [made] = yield* insertMessage(sql, input, channel, now)
      if (made === undefined) {
        const known = sql`m.id = ${id} OR m.channel_message_id = ${channelMessageId}`
        const [before] = yield* sql<MessageRow>`${selectMessages(sql)} WHERE ${known}`
        return before === undefined ? yield* new MessageWithheld({ messageId: id }) : yield* message(before)
      }
      const stored = yield* message({ ...made, contactId, channel })
      const type = direction === "inbound" ? "message.received" : "message.queued"
      yield* recordEvent(sql, organizationId, { type, data: { message: stored } }, now)
      const after = yield* moveConversation(sql, conversation, happening(input, now, writerLeft))
      const { ownership: before } = conversation
      if (direction === "outbound" && sentBy !== undefined && !Equal.equals(after, before))
        yield* Effect.provideService(
          writeAudit(sql, organizationId, { action: "conversation.changed", subjectId: conversationId, before, after }),
          Acting,
          actingAs(sentBy)
        )
      if (direction === "outbound") yield* sql.afterCommit(wakeUp.wake)
      return stored
    })

    /** Stores a message in one statement. Gives `undefined` when that is not possible and nothing was stored. */
    const queue = Effect.fnUntraced(function* (input: NewMessage, now: number, fence: ConversationFence | undefined) {
      const queued = yield* Effect.orDie(queueMessage(input, now, fence))
      if (queued !== undefined) yield* sql.afterCommit(wakeUp.wake)
      return queued
    })

    return Messages.of({
      list: (organizationId, filter, part) => Effect.orDie(list(organizationId, filter, part)),

      find: traced("Messages.find")(function* (organizationId, messageId) {
        const [row] = yield* asTenant(organizationId)(byId(messageId))
        return row === undefined ? undefined : yield* message(row)
      }, Effect.orDie),

      queue: traced("Messages.queue")((input, now) => queue(input, now, new ConversationFence(undefined))),

      add: traced("Messages.add")(function* (input, now, fence) {
        const queued = yield* queue(input, now, fence)
        if (queued !== undefined) return queued
        return yield* asTenant(input.organizationId)(add(input, now, fence)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      }),

      report: traced("Messages.report")(report, Effect.orDie)
    })
  })
)
