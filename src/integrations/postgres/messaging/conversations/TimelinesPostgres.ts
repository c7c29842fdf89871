/** Timelines in Postgres: each kind of entry is read along its own index, at most a page of each, and then they are put into one order. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  TimelineEntry,
  type TimelinePage,
  type TimelinePart,
  type TimelinePlace,
  Timelines
} from "../../../../domain/messaging/conversations/Timeline.ts"
import { iso, makeSql } from "../../tenancy/Sql.ts"
import { type CallItemRow, callItems } from "./CallItems.ts"
import { notesWithIds } from "./ConversationNotesPostgres.ts"
import { type MessageRow, selectMessages, uncheckedMessage } from "./MessageRows.ts"

type Kind = TimelineEntry["kind"]

/** Where an entry is. */
interface FoundRow extends TimelinePlace {
  readonly kind: Kind
  readonly time: Date
}

interface ChangeRow {
  readonly id: string
  readonly subjectId: string
  readonly action: string
  readonly actorType: string
  readonly actorId: string | null
  readonly stateBefore: unknown
  readonly stateAfter: unknown
}

/** The most conversations of a contact whose entries are put together: the newest. */
const mostConversations = 200

const decode = Schema.decodeUnknownEffect(Schema.Array(TimelineEntry))

/** The places of the next entries of these conversations, from the place on. One more than the limit, which shows that there are more. */
const places = (
  sql: PgClient.PgClient,
  organizationId: string,
  ids: ReadonlyArray<string>,
  { from, limit }: TimelinePart
) => {
  const forward = from?.side === "after"
  const order = forward ? sql`ASC` : sql`DESC`
  const edge = (id: Statement.Fragment, at: Statement.Fragment) => {
    if (from === undefined) return sql``
    const place = sql`(timestamptz 'epoch' + ${from.place.at}::bigint * interval '1 microsecond', ${from.place.id})`
    return forward ? sql`AND (${at}, ${id}) > ${place}` : sql`AND (${at}, ${id}) < ${place}`
  }
  const some = (kind: Kind, table: string, belongs: Statement.Fragment) =>
    sql`(SELECT ${kind}::text AS kind, r.id, r.created_at AS time FROM ${sql(table)} r
      WHERE r.organization_id = ${organizationId} AND ${belongs} ${edge(sql`r.id`, sql`r.created_at`)}
      ORDER BY r.created_at ${order}, r.id ${order} LIMIT ${limit + 1})`
  const ofWanted = sql`r.conversation_id = wanted.id`
  return sql<FoundRow>`SELECT f.kind, f.id, f.time, (extract(epoch FROM f.time) * 1000000)::bigint::text AS at
    FROM unnest(${ids}::text[]) AS wanted (id) CROSS JOIN LATERAL (
      ${some("message", "messages", ofWanted)} UNION ALL ${some("call", "calls", ofWanted)}
      UNION ALL ${some("note", "conversation_notes", ofWanted)}
      UNION ALL ${some("change", "audit_log", sql`r.subject_id = wanted.id AND r.action IN ('conversation.changed', 'conversation.labeled')`)}
    ) f ORDER BY f.time ${order}, f.id ${order} LIMIT ${limit + 1}`
}

export const layer = Layer.effect(
  Timelines,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const conversationsOf = Effect.fnUntraced(function* (conversationId: string, wholeContact: boolean) {
      const found = wholeContact
        ? yield* sql<{ id: string }>`SELECT o.id FROM conversations v JOIN conversations o
            ON o.organization_id = v.organization_id AND o.contact_id = v.contact_id
            WHERE v.id = ${conversationId} ORDER BY (o.id = v.id) DESC, o.created_at DESC, o.id DESC LIMIT ${mostConversations}`
        : yield* sql<{ id: string }>`SELECT id FROM conversations WHERE id = ${conversationId}`
      return found.map(({ id }) => id)
    })

    /** The records behind these places, by their ids, before decoding. */
    const records = Effect.fnUntraced(function* (found: ReadonlyArray<FoundRow>) {
      const idsOf = (kind: Kind) => found.filter((row) => row.kind === kind).map(({ id }) => id)
      const messages = yield* sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ANY (${idsOf("message")}::text[])`
      const calls = yield* sql<CallItemRow>`SELECT * FROM calls WHERE id = ANY (${idsOf("call")}::text[])`
      const notes = yield* notesWithIds(sql, idsOf("note"))
      const changes = yield* sql<ChangeRow>`SELECT * FROM audit_log WHERE id = ANY (${idsOf("change")}::text[])`
      return new Map<string, object>([
        ...messages.map((row) => [row.id, uncheckedMessage(row)] as const),
        ...(yield* callItems(sql, calls)).map((call) => [call.id, call] as const),
        ...notes.map((note) => [note.id, note] as const),
        ...changes.map(
          ({ id, subjectId: conversationId, action, actorType, actorId, stateBefore: before, stateAfter: after }) =>
            [id, { id, conversationId, action, actor: { type: actorType, id: actorId }, before, after }] as const
        )
      ])
    })

    const read = Effect.fnUntraced(function* (organizationId: string, conversationId: string, part: TimelinePart) {
      const ids = yield* conversationsOf(conversationId, part.wholeContact)
      if (ids.length === 0) return undefined
      const rows = yield* places(sql, organizationId, ids, part)
      const forward = part.from?.side === "after"
      const kept = rows.slice(0, part.limit)
      const found = forward ? kept.toReversed() : kept
      const known = yield* records(found)
      const entries = yield* decode(
        found.flatMap(({ kind, id, time }) => {
          const record = known.get(id)
          return record === undefined ? [] : [{ kind, at: iso(time), [kind]: record }]
        })
      )
      const more = rows.length > part.limit
      const [newest, oldest] = [found.at(0), found.at(-1)]
      const placeOf = (row: FoundRow | undefined) => (row === undefined ? null : { at: row.at, id: row.id })
      // What comes later is newer than the newest, so there is always a place to go on from.
      const page: TimelinePage = {
        entries,
        older: forward ? (part.from?.place ?? null) : more ? placeOf(oldest) : null,
        newer: placeOf(newest) ?? part.from?.place ?? null
      }
      return forward ? { ...page, older: placeOf(oldest) ?? page.older } : page
    })

    return Timelines.of({
      read: traced("Timelines.read")(
        (organizationId, conversationId, part) => asTenant(organizationId)(read(organizationId, conversationId, part)),
        Effect.orDie
      )
    })
  })
)
