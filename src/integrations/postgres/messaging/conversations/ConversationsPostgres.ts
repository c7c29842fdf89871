/** Conversations of every channel in Postgres. The calls of a voice conversation are read from the tables of calls. */
import { Clock, Effect, Equal, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  type ConversationChanges,
  type ConversationFilter,
  Conversations,
  ImpossibleChange,
  mostConversationsCounted,
  NoSuchAssignee,
  shownOfConversation
} from "../../../../domain/messaging/conversations/Conversation.ts"
import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import { ConversationStatus, ownershipEvents } from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { asideIfSlow, asked, type ListRow, listed, listedWithTotal, skipped } from "../../tenancy/Parts.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { dueConversations } from "./AcrossTenants.ts"
import { type CallItemRow, callItems } from "./CallItems.ts"
import { conditionsOf, contactsFound } from "./ConversationFilters.ts"
import { lockConversation, moveConversation, tellUpdated } from "./ConversationLock.ts"
import { conversationOf, heldContact } from "./ConversationOpening.ts"
import {
  type ConversationRow,
  conversation,
  conversationColumns,
  conversations,
  conversationWithId
} from "./ConversationRows.ts"
import { inboxCounts } from "./InboxCounts.ts"
import type { LockedConversation } from "./LockedConversation.ts"
import { messageBeside, messageOfRow, messages, type RowWithMessage, uncheckedMessage } from "./MessageRows.ts"
import { assigneeOf, kindOf, type OwnershipRow } from "./Ownership.ts"

/** The first row holds the conversation; each row holds one message. */
interface ShownRow extends ConversationRow, RowWithMessage {
  readonly hasCalls: boolean
}

const place = (row: ConversationRow) => ({ at: row.lastActivityAt.getTime(), id: row.id })

/** The newest message in a row of conversation and message, before decoding; undefined when there is none. */
const messageIn = (row: ConversationRow & RowWithMessage) => {
  const found = messageOfRow(row, row.contactId, row.channel)
  return found === undefined ? undefined : uncheckedMessage(found)
}

export const layer = Layer.effect(
  Conversations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const named = sql.withoutTransforms()
    const shownColumns = sql.literal(
      `${conversationColumns("l.conversation")}, l.contact_name AS "contactName", l.contact_phone AS "contactPhone", ${messageBeside("l.message")}`
    )

    const byStatus = Effect.fnUntraced(function* (
      organizationId: string,
      status: ConversationStatus | undefined,
      part: Part,
      now: number
    ) {
      const statuses = status === undefined ? ConversationStatus.literals : [status]
      const rows = yield* named<
        ListRow<ConversationRow & RowWithMessage>
      >`SELECT l.total, ${shownColumns} FROM list_conversations(${organizationId}, ${status ?? null},
          ${asked(sql, part, statuses.map(listNames.conversations))}) l`.pipe(asideIfSlow(sql, part))
      return yield* listedWithTotal(rows, part, rows[0].total, place, (shown) => conversations(shown, messageIn, now))
    })

    const matching = Effect.fnUntraced(function* (
      organizationId: string,
      conditions: ReadonlyArray<Statement.Fragment>,
      part: Part,
      now: number
    ) {
      const { after, limit } = part
      const where = sql.and([sql`v.organization_id = ${organizationId}`, ...conditions])
      const older =
        after === undefined ? sql`` : sql`AND (v.last_activity_at, v.id) < (${new Date(after.at)}, ${after.id})`
      const [rows, [{ total }]] = yield* asTenant(organizationId)(
        Effect.all([
          named<ConversationRow & RowWithMessage>`SELECT ${shownColumns} FROM (
            SELECT v AS conversation, c.name AS contact_name, c.phone AS contact_phone, n.message
            FROM (SELECT v.* FROM conversations v WHERE ${where} ${older}
              ORDER BY v.last_activity_at DESC, v.id DESC LIMIT ${limit + 1} OFFSET ${skipped(part)}) v
            JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
            LEFT JOIN LATERAL (SELECT m AS message FROM messages m
              WHERE m.organization_id = v.organization_id AND m.conversation_id = v.id
              ORDER BY m.created_at DESC, m.id DESC LIMIT 1) n ON true
            ORDER BY v.last_activity_at DESC, v.id DESC) l`,
          sql<{ total: number }>`SELECT count(*)::int AS total FROM (SELECT 1 FROM conversations v WHERE ${where}
            LIMIT ${mostConversationsCounted}) counted`
        ])
      )
      return yield* listed(rows, part, total, place, (shown) => conversations(shown, messageIn, now))
    })

    const list = Effect.fnUntraced(function* (
      organizationId: string,
      filter: ConversationFilter,
      part: Part,
      now: number
    ) {
      const { search, ...others } = filter
      const conditions = conditionsOf(sql, others, now)
      if (search !== undefined) {
        const found = yield* asTenant(organizationId)(contactsFound(sql, search))
        if (found !== undefined) conditions.push(found)
      }
      if (conditions.length === 0) return yield* byStatus(organizationId, filter.status, part, now)
      const status = filter.status === undefined ? [] : [sql`v.status = ${filter.status}`]
      return yield* matching(organizationId, [...conditions, ...status], part, now)
    })

    const callsOf = (conversationId: string) =>
      Effect.flatMap(
        sql<CallItemRow>`SELECT * FROM calls WHERE conversation_id = ${conversationId}
          ORDER BY created_at DESC, id DESC LIMIT ${shownOfConversation.calls}`,
        (calls) => callItems(sql, calls)
      )

    const one = Effect.fnUntraced(function* (
      organizationId: string,
      conversationId: string,
      most: number,
      now: number
    ) {
      const rows = yield* named<ShownRow>`SELECT ${shownColumns}, l.has_calls AS "hasCalls"
        FROM show_conversation(${organizationId}, ${conversationId}, ${most}) l`
      const row = rows.at(0)
      if (row === undefined) return undefined
      const recent = yield* messages(rows.flatMap((one) => messageOfRow(one, row.contactId, row.channel) ?? []))
      const shown = yield* conversation(row, recent.at(0) ?? null, now)
      const calls = row.hasCalls ? yield* asTenant(organizationId)(callsOf(conversationId)) : []
      return { ...shown, messages: recent, calls }
    })

    /** The id of the assignee after these changes, judged by the conversation's row before it is locked. */
    const wanted = Effect.fnUntraced(function* (conversationId: string, { assignee, status }: ConversationChanges) {
      if (assignee !== undefined || status !== "ASSIGNED") return assignee ?? undefined
      const [row] =
        yield* sql<OwnershipRow>`SELECT status, assigned_user_id, assigned_agent_id, assigned_bot_id FROM conversations
        WHERE id = ${conversationId}`
      return row === undefined ? undefined : (assigneeOf(row) ?? undefined)
    })

    /** Whether this assignee exists and is active. Its row stays locked until the transaction ends (see `ReleasedConversations.ts`). */
    const isThere = (id: string) => {
      const { table } = kindOf(id)
      const active = table === "users" ? sql`AND deactivated_at IS NULL` : sql``
      return Effect.map(
        sql`SELECT 1 AS found FROM ${sql(table)} WHERE id = ${id} ${active} FOR SHARE`,
        (known) => known.length > 0
      )
    }

    /** Records the command. Gives false when the command was carried out before. */
    const isNew = (organizationId: string, conversationId: string, commandId: string) =>
      Effect.map(
        sql`INSERT INTO conversation_commands (organization_id, conversation_id, id)
          VALUES (${organizationId}, ${conversationId}, ${commandId}) ON CONFLICT DO NOTHING RETURNING id`,
        (rows) => rows.length > 0
      )

    /** Gives the locked conversation these labels, each once. */
    const label = Effect.fnUntraced(function* (
      { organizationId, id }: LockedConversation,
      wanted: ReadonlyArray<string>
    ) {
      const labels = [...new Set(wanted.map((label) => label.trim()))]
      const [before] = yield* sql<{ labels: ReadonlyArray<string> }>`SELECT labels FROM conversations WHERE id = ${id}`
      if (Equal.equals(before.labels, labels)) return
      yield* sql`UPDATE conversations SET labels = ${labels}::text[], updated_at = now() WHERE id = ${id}`
      const now = yield* Clock.currentTimeMillis
      const conversation = yield* conversationWithId(sql, id, now)
      if (conversation === undefined) return
      yield* recordEvent(sql, organizationId, { type: "conversation.labeled", data: { conversation } }, now)
      const change = { before: { labels: before.labels }, after: { labels } }
      yield* writeAudit(sql, organizationId, { action: "conversation.labeled", subjectId: id, ...change })
    })

    /** Marks a conversation as read or unread, and snoozes it or ends that. Gives whether anything changed. */
    const setAside = Effect.fnUntraced(function* (
      id: string,
      read: boolean | undefined,
      until: string | null | undefined
    ) {
      if (read === undefined && until === undefined) return false
      const unread = read === undefined ? sql`unread_count` : read ? sql`0` : sql`GREATEST(unread_count, 1)`
      const snoozed = until === undefined ? sql`snoozed_until` : sql`${until}::timestamptz`
      const changed =
        yield* sql`UPDATE conversations SET unread_count = ${unread}, snoozed_until = ${snoozed}, updated_at = now()
        WHERE id = ${id} AND (unread_count, snoozed_until) IS DISTINCT FROM (${unread}, ${snoozed}) RETURNING id`
      return changed.length > 0
    })

    const apply = Effect.fnUntraced(function* (
      locked: LockedConversation,
      { read, labels, snoozedUntil, ifFree, ...asked }: ConversationChanges,
      known: ReadonlyMap<string, boolean>
    ) {
      const { status, assignee } = locked.ownership
      if (ifFree === true && status === "ASSIGNED" && assignee.startsWith("usr_") && assignee !== asked.assignee)
        return yield* new ImpossibleChange({ message: "A colleague has this conversation." })
      const events = ownershipEvents(locked.ownership, asked)
      if (typeof events === "string") return yield* new ImpossibleChange({ message: events })
      for (const event of events) {
        if (event.type === "assign" && event.assignee.startsWith("bot_") && locked.channel !== "messaging")
          return yield* new ImpossibleChange({
            message: "Text agents answer conversations of the channel messaging only."
          })
        if (event.type === "assign" && !(known.get(event.assignee) ?? (yield* isThere(event.assignee))))
          return yield* new NoSuchAssignee({ id: event.assignee })
      }
      const quietly = yield* setAside(locked.id, read, snoozedUntil)
      if (labels !== undefined) yield* label(locked, labels)
      const after = yield* moveConversation(sql, locked, { ownership: events })
      if (quietly) yield* tellUpdated(sql, locked)
      if (Equal.equals(after, locked.ownership)) return
      const { organizationId, id: subjectId, ownership: before } = locked
      yield* writeAudit(sql, organizationId, { action: "conversation.changed", subjectId, before, after })
    })

    const change = Effect.fnUntraced(function* (
      organizationId: string,
      conversationId: string,
      changes: ConversationChanges,
      now: number,
      command?: { readonly id: string; readonly fence: ConversationFence }
    ) {
      const assignee = yield* wanted(conversationId, changes)
      const known = new Map(assignee === undefined ? [] : [[assignee, yield* isThere(assignee)]])
      const locked = yield* lockConversation(sql, organizationId, conversationId, command?.fence)
      if (locked === undefined) return undefined
      if (command === undefined || (yield* isNew(organizationId, conversationId, command.id)))
        yield* apply(locked, changes, known)
      return yield* conversationWithId(sql, conversationId, now)
    })

    const checkSla = Effect.fnUntraced(function* (
      organizationId: string,
      conversationId: string,
      fence?: ConversationFence
    ) {
      const locked = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (locked !== undefined) yield* moveConversation(sql, locked, {})
    })

    return Conversations.of({
      list: (organizationId, filter, part, now) => Effect.orDie(list(organizationId, filter, part, now)),

      counts: traced("Conversations.counts")(
        (organizationId, userId, now) => asTenant(organizationId)(inboxCounts(sql, organizationId, userId, now)),
        Effect.orDie
      ),

      exists: traced("Conversations.exists")(
        (organizationId, conversationId) =>
          Effect.map(
            asTenant(organizationId)(sql`SELECT 1 AS found FROM conversations WHERE id = ${conversationId}`),
            (rows) => rows.length > 0
          ),
        Effect.orDie
      ),

      find: traced("Conversations.find")(one, Effect.orDie),

      change: traced("Conversations.change")((organizationId, conversationId, changes, now, command) =>
        asTenant(organizationId)(change(organizationId, conversationId, changes, now, command)).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
      ),

      checkSla: traced("Conversations.checkSla")((organizationId, conversationId, fence) =>
        asTenant(organizationId)(checkSla(organizationId, conversationId, fence)).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
      ),

      overdue: traced("Conversations.overdue")((now, most) => dueConversations(sql, now, most), Effect.orDie),

      answering: traced("Conversations.answering")(
        (organizationId, contactId, channel) =>
          asTenant(organizationId)(
            Effect.gen(function* () {
              const held = yield* heldContact(sql, organizationId, contactId)
              const [known] = yield* sql<{ id: string }>`SELECT id FROM conversations
                WHERE contact_id = ${held} AND channel = ${channel}
                ORDER BY status = 'RESOLVED', created_at DESC, id DESC LIMIT 1`
              return known?.id ?? (yield* conversationOf(sql, organizationId, held, channel))
            })
          ),
        Effect.orDie
      ),

      open: traced("Conversations.open")(
        (organizationId, contactId, channel) =>
          asTenant(organizationId)(
            Effect.flatMap(heldContact(sql, organizationId, contactId), (held) =>
              conversationOf(sql, organizationId, held, channel)
            )
          ),
        Effect.orDie
      )
    })
  })
)
