/** Conversations of every channel in Postgres. The calls of a voice conversation are read from the tables of calls. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Equal, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  CallItem,
  type ConversationChanges,
  type ConversationFilter,
  Conversations,
  ImpossibleChange,
  NoSuchAssignee,
  shownOfConversation
} from "../../../../domain/messaging/conversations/Conversation.ts"
import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import { ConversationStatus, ownershipEvents } from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { asideIfSlow, asked, type ListRow, listed, listedWithTotal, skipped } from "../../tenancy/Parts.ts"
import { iso, isoOrNull, makeSql } from "../../tenancy/Sql.ts"
import { dueConversations } from "./AcrossTenants.ts"
import { lockConversation, moveConversation } from "./ConversationLock.ts"
import { conversationOf } from "./ConversationOpening.ts"
import {
  type ConversationRow,
  conversation,
  conversationColumns,
  conversations,
  conversationWithId
} from "./ConversationRows.ts"
import type { LockedConversation } from "./LockedConversation.ts"
import { messageBeside, messageOfRow, messages, type RowWithMessage, uncheckedMessage } from "./MessageRows.ts"
import { assigneeOf, kindOf, type OwnershipRow } from "./Ownership.ts"

interface CallRow {
  readonly id: string
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
}

interface UtteranceRow {
  readonly callId: string
  /** Null: the answer is from no knowledge base. */
  readonly sources: unknown
}

/** The first row holds the conversation; each row holds one message. */
interface ShownRow extends ConversationRow, RowWithMessage {
  readonly hasCalls: boolean
}

/** Conversations of this person or agent; `none`: of nobody. */
const assignedTo = (sql: PgClient.PgClient, assignee: string) => {
  if (assignee === "none")
    return sql`v.assigned_user_id IS NULL AND v.assigned_agent_id IS NULL AND v.assigned_bot_id IS NULL`
  return sql`v.${sql.literal(kindOf(assignee).column)} = ${assignee}`
}

/** Conversations with this label. */
const labeled = (sql: PgClient.PgClient, label: string) =>
  sql`EXISTS (SELECT 1 FROM conversation_labels l
    WHERE l.organization_id = v.organization_id AND l.conversation_id = v.id AND l.label = ${label})`

const place = (row: ConversationRow) => ({ at: row.lastActivityAt.getTime(), id: row.id })

/** The newest message in a row of conversation and message, before decoding; undefined when there is none. */
const messageIn = (row: ConversationRow & RowWithMessage) => {
  const found = messageOfRow(row, row.contactId, row.channel)
  return found === undefined ? undefined : uncheckedMessage(found)
}

const callItem = (row: CallRow, utterances: ReadonlyArray<UtteranceRow>) =>
  Schema.decodeUnknownEffect(CallItem)({
    ...row,
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    createdAt: iso(row.createdAt),
    utterances: utterances.map(({ sources, ...said }) => (sources === null ? said : { ...said, sources }))
  })

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
          sql<{ total: number }>`SELECT count(*)::int AS total FROM conversations v WHERE ${where}`
        ])
      )
      return yield* listed(rows, part, total, place, (shown) => conversations(shown, messageIn, now))
    })

    const list = (
      organizationId: string,
      { status, contactId, assignee, channel, label }: ConversationFilter,
      part: Part,
      now: number
    ) => {
      const conditions = [
        ...(contactId === undefined ? [] : [sql`v.contact_id = ${contactId}`]),
        ...(assignee === undefined ? [] : [assignedTo(sql, assignee)]),
        ...(channel === undefined ? [] : [sql`v.channel = ${channel}`]),
        ...(label === undefined ? [] : [labeled(sql, label)])
      ]
      if (conditions.length === 0) return byStatus(organizationId, status, part, now)
      const all = status === undefined ? conditions : [...conditions, sql`v.status = ${status}`]
      return matching(organizationId, all, part, now)
    }

    const callsOf = Effect.fnUntraced(function* (conversationId: string) {
      const { calls: most, utterancesPerCall } = shownOfConversation
      const calls = yield* sql<CallRow>`SELECT * FROM calls WHERE conversation_id = ${conversationId}
        ORDER BY created_at DESC, id DESC LIMIT ${most}`
      const ids = calls.map(({ id }) => id)
      const utterances =
        yield* sql<UtteranceRow>`SELECT u.* FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
          SELECT * FROM utterances WHERE call_id = wanted.id ORDER BY sequence, id LIMIT ${utterancesPerCall}) u`
      return yield* Effect.forEach(calls, (call) =>
        callItem(
          call,
          utterances.filter(({ callId }) => callId === call.id)
        )
      )
    })

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

    const apply = Effect.fnUntraced(function* (
      locked: LockedConversation,
      { read, labels, ...asked }: ConversationChanges,
      known: ReadonlyMap<string, boolean>
    ) {
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
      if (read === true)
        yield* sql`UPDATE conversations SET unread_count = 0, updated_at = now() WHERE id = ${locked.id}`
      if (labels !== undefined) yield* label(locked, labels)
      const after = yield* moveConversation(sql, locked, { ownership: events })
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
              yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`
              const [known] = yield* sql<{ id: string }>`SELECT id FROM conversations
                WHERE contact_id = ${contactId} AND channel = ${channel}
                ORDER BY status = 'RESOLVED', created_at DESC, id DESC LIMIT 1`
              return known?.id ?? (yield* conversationOf(sql, organizationId, contactId, channel))
            })
          ),
        Effect.orDie
      ),

      open: traced("Conversations.open")(
        (organizationId, contactId, channel) =>
          asTenant(organizationId)(
            // The contact is locked, so that two messages at once use one conversation.
            Effect.andThen(
              sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR NO KEY UPDATE`,
              conversationOf(sql, organizationId, contactId, channel)
            )
          ),
        Effect.orDie
      )
    })
  })
)
