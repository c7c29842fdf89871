/** Converts database rows of conversations into records. Use it as the tenant. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { Conversation, replyWindow } from "../../../../domain/messaging/conversations/Conversation.ts"
import type { Message } from "../../../../domain/messaging/conversations/Message.ts"
import type { Channel } from "../../../../domain/people/contacts/Channel.ts"
import { columnsOf } from "../../tenancy/Columns.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"
import { type MessageRow, messages, selectMessages } from "./MessageRows.ts"
import { assigneeOf, type OwnershipRow } from "./Ownership.ts"

export interface ConversationRow extends OwnershipRow {
  readonly id: string
  readonly channel: Channel
  readonly labels: ReadonlyArray<string>
  readonly contactId: string
  readonly contactName: string | null
  readonly contactPhone: string | null
  readonly lastInboundAt: Date | null
  readonly snoozedUntil: Date | null
  readonly responseDueAt: Date | null
  readonly resolutionDueAt: Date | null
  readonly responseBreachedAt: Date | null
  readonly resolutionBreachedAt: Date | null
  readonly lastActivityAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The columns of a `ConversationRow`. `of` names an SQL column that holds a whole row of `conversations`. */
export const conversationColumns = (of: string): string =>
  columnsOf(
    of,
    "id organization_id channel status assigned_user_id assigned_agent_id assigned_bot_id labels contact_id unread_count flagged last_inbound_at snoozed_until response_due_at resolution_due_at response_breached_at resolution_breached_at last_activity_at created_at updated_at"
  )

/** Selects conversations `v` with their contacts `c`. A WHERE or ORDER BY may follow. */
export const selectConversations = (sql: PgClient.PgClient) =>
  sql`SELECT v.*, c.name AS contact_name, c.phone AS contact_phone FROM conversations v
    JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id`

const decodeConversation = Schema.decodeUnknownEffect(Conversation)
const decodeConversations = Schema.decodeUnknownEffect(Schema.Array(Conversation))

const unchecked = (row: ConversationRow, lastMessage: object | null, now: number) => ({
  ...row,
  assignee: assigneeOf(row),
  contact: { id: row.contactId, name: row.contactName, phone: row.contactPhone },
  snoozedUntil: isoOrNull(row.snoozedUntil),
  window: replyWindow(row.channel, row.lastInboundAt?.getTime() ?? null, now),
  sla: {
    firstResponseDueAt: isoOrNull(row.responseDueAt),
    resolutionDueAt: isoOrNull(row.resolutionDueAt),
    firstResponseBreachedAt: isoOrNull(row.responseBreachedAt),
    resolutionBreachedAt: isoOrNull(row.resolutionBreachedAt)
  },
  lastMessage,
  lastActivityAt: iso(row.lastActivityAt),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt)
})

/** The record of a row. `now` (Unix milliseconds) decides whether the reply window is open. Fails when the row does not match the domain's schema. */
export const conversation = (row: ConversationRow, lastMessage: Message | null, now: number) =>
  decodeConversation(unchecked(row, lastMessage, now))

/** The records of many rows. `lastOf` gives the newest message of each, before decoding. */
export const conversations = <Row extends ConversationRow>(
  rows: ReadonlyArray<Row>,
  lastOf: (row: Row) => object | undefined,
  now: number
) => decodeConversations(rows.map((row) => unchecked(row, lastOf(row) ?? null, now)))

/** The newest messages of each of these conversations, newest first. */
const newestMessages = (sql: PgClient.PgClient, ids: ReadonlyArray<string>, most: number) =>
  sql<MessageRow>`SELECT n.* FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      ${selectMessages(sql)} WHERE m.conversation_id = wanted.id ORDER BY m.created_at DESC, m.id DESC LIMIT ${most}
    ) n`.pipe(Effect.flatMap(messages))

/** The conversation as the REST interface shows it in a list; undefined when there is none. */
export const conversationWithId = Effect.fnUntraced(
  function* (sql: PgClient.PgClient, id: string, now: number) {
    const [row] = yield* sql<ConversationRow>`${selectConversations(sql)} WHERE v.id = ${id}`
    if (row === undefined) return undefined
    const [last] = yield* newestMessages(sql, [id], 1)
    return yield* conversation(row, last ?? null, now)
  },
  Effect.catchTag("SchemaError", Effect.die)
)

/** The records of these conversations, without reading messages: they must not have any yet. */
export const emptyConversations = Effect.fnUntraced(
  function* (sql: PgClient.PgClient, ids: ReadonlyArray<string>, now: number) {
    const rows = yield* sql<ConversationRow>`${selectConversations(sql)} WHERE v.id = ANY (${ids})`
    return yield* conversations(rows, () => undefined, now)
  },
  Effect.catchTag("SchemaError", Effect.die)
)
