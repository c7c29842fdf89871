/** Conversations in Postgres, those of every channel; the calls of a voice conversation are read from where calls are kept. */
import { Effect, Equal, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  CallItem,
  type ConversationChanges,
  Conversations,
  ImpossibleChange,
  NoSuchAssignee,
  shownOfConversation
} from "../../domain/Conversation.ts"
import type { Fence } from "../../domain/ConversationFence.ts"
import { ConversationStatus, ownershipEvents } from "../../domain/ConversationStatus.ts"
import type { Part } from "../../domain/Listing.ts"
import { writeAudit } from "./AuditPostgres.ts"
import { type LockedConversation, lockConversation, moveConversation } from "./ConversationLock.ts"
import {
  type ConversationRow,
  conversation,
  conversationWithId,
  newestMessages,
  selectConversations
} from "./ConversationRows.ts"
import { dueConversations } from "./CrossTenant.ts"
import { countOf, listNames } from "./ListCounts.ts"
import { isPerson } from "./Ownership.ts"
import { listed, skipped } from "./Parts.ts"
import { iso, isoOrNull, makeSql } from "./Sql.ts"
import { conversationOf } from "./Threads.ts"

interface CallRow {
  readonly id: string
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly createdAt: Date
}

interface UtteranceRow {
  readonly callId: string
}

const place = (row: ConversationRow) => ({ at: row.lastActivityAt.getTime(), id: row.id })

const callItem = (row: CallRow, utterances: ReadonlyArray<UtteranceRow>) =>
  Schema.decodeUnknownEffect(CallItem)({
    ...row,
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    createdAt: iso(row.createdAt),
    utterances
  })

export const layer = Layer.effect(
  Conversations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const selected = selectConversations(sql)

    const list = Effect.fnUntraced(function* (status: ConversationStatus | undefined, part: Part, now: number) {
      const { limit, after } = part
      const inStatus = status === undefined ? sql`TRUE` : sql`v.status = ${status}`
      const older =
        after === undefined ? sql`` : sql`AND (v.last_activity_at, v.id) < (${new Date(after.at)}, ${after.id})`
      const rows =
        yield* sql<ConversationRow>`${selected} WHERE ${inStatus} ${older} ORDER BY v.last_activity_at DESC, v.id DESC
        LIMIT ${limit + 1} OFFSET ${skipped(part)}`
      const statuses = status === undefined ? ConversationStatus.literals : [status]
      const total = yield* countOf(sql, ...statuses.map(listNames.conversations))
      const messages = yield* newestMessages(
        sql,
        rows.map(({ id }) => id),
        1
      )
      const lastOf = new Map(messages.map((one) => [one.conversationId, one]))
      return yield* listed(rows, part, total, place, (row) => conversation(row, lastOf.get(row.id) ?? null, now))
    })

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

    const one = Effect.fnUntraced(function* (conversationId: string, messages: number, now: number) {
      const [row] = yield* sql<ConversationRow>`${selected} WHERE v.id = ${conversationId}`
      if (row === undefined) return undefined
      const newest = yield* newestMessages(sql, [conversationId], messages)
      const shown = yield* conversation(row, newest.at(0) ?? null, now)
      return { ...shown, messages: newest, calls: yield* callsOf(conversationId) }
    })

    const checkAssignee = Effect.fnUntraced(function* (id: string) {
      const known = isPerson(id)
        ? yield* sql`SELECT 1 AS found FROM users WHERE id = ${id} AND deactivated_at IS NULL`
        : yield* sql`SELECT 1 AS found FROM voice_agents WHERE id = ${id}`
      if (known.length === 0) return yield* new NoSuchAssignee({ id })
    })

    /** False when it was carried out before. */
    const isNew = (organizationId: string, conversationId: string, commandId: string) =>
      Effect.map(
        sql`INSERT INTO conversation_commands (organization_id, conversation_id, id)
          VALUES (${organizationId}, ${conversationId}, ${commandId}) ON CONFLICT DO NOTHING RETURNING id`,
        (rows) => rows.length > 0
      )

    const apply = Effect.fnUntraced(function* (locked: LockedConversation, { read, ...asked }: ConversationChanges) {
      const events = ownershipEvents(locked.ownership, asked)
      if (typeof events === "string") return yield* new ImpossibleChange({ message: events })
      if (typeof asked.assignee === "string") yield* checkAssignee(asked.assignee)
      if (read === true)
        yield* sql`UPDATE conversations SET unread_count = 0, updated_at = now() WHERE id = ${locked.id}`
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
      command?: { readonly id: string; readonly fence: Fence }
    ) {
      const locked = yield* lockConversation(sql, organizationId, conversationId, command?.fence)
      if (locked === undefined) return undefined
      if (command === undefined || (yield* isNew(organizationId, conversationId, command.id)))
        yield* apply(locked, changes)
      return yield* conversationWithId(sql, conversationId, now)
    })

    const checkSla = Effect.fnUntraced(function* (organizationId: string, conversationId: string, fence?: Fence) {
      const locked = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (locked !== undefined) yield* moveConversation(sql, locked, {})
    })

    return Conversations.of({
      list: Effect.fn("Conversations.list")(
        (organizationId, { status }, part, now) => asTenant(organizationId)(list(status, part, now)),
        Effect.orDie
      ),

      find: Effect.fn("Conversations.find")(
        (organizationId, conversationId, messages, now) => asTenant(organizationId)(one(conversationId, messages, now)),
        Effect.orDie
      ),

      change: Effect.fn("Conversations.change")((organizationId, conversationId, changes, now, command) =>
        asTenant(organizationId)(change(organizationId, conversationId, changes, now, command)).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
      ),

      checkSla: Effect.fn("Conversations.checkSla")((organizationId, conversationId, fence) =>
        asTenant(organizationId)(checkSla(organizationId, conversationId, fence)).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
      ),

      overdue: Effect.fn("Conversations.overdue")(
        (now, most) => dueConversations(now, most).pipe(Effect.provideService(SqlClient.SqlClient, sql)),
        Effect.orDie
      ),

      answering: Effect.fn("Conversations.answering")(
        (organizationId, contactId, channel) =>
          asTenant(organizationId)(
            Effect.gen(function* () {
              yield* sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR UPDATE`
              const [known] = yield* sql<{ id: string }>`SELECT id FROM conversations
                WHERE contact_id = ${contactId} AND channel = ${channel}
                ORDER BY status = 'RESOLVED', created_at DESC, id DESC LIMIT 1`
              return known?.id ?? (yield* conversationOf(sql, organizationId, contactId, channel))
            })
          ),
        Effect.orDie
      ),

      open: Effect.fn("Conversations.open")(
        (organizationId, contactId, channel) =>
          asTenant(organizationId)(
            // The contact is locked, so that two messages at once find one conversation.
            Effect.andThen(
              sql`SELECT 1 FROM contacts WHERE id = ${contactId} FOR UPDATE`,
              conversationOf(sql, organizationId, contactId, channel)
            )
          ),
        Effect.orDie
      )
    })
  })
)
