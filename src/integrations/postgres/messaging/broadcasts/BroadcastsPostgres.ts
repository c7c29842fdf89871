/**
 * Broadcasts in Postgres. Only the rows of the recipients hold their status. Triggers update these rows when messages change, and keep the counts
 * (`functions/broadcasts.sql`, `functions/lists.sql`).
 */
import { Effect, Layer } from "effect"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import {
  AudienceTooLarge,
  type BroadcastAction,
  BroadcastNotMovable,
  type BroadcastStatus,
  Broadcasts,
  moved,
  type NewBroadcast,
  type RecipientCounts
} from "../../../../domain/messaging/broadcasts/Broadcast.ts"
import type { BroadcastRecipient } from "../../../../domain/messaging/broadcasts/BroadcastRecipient.ts"
import { listed, newestFirst, skipped } from "../../tenancy/Parts.ts"
import { makeSql, within } from "../../tenancy/Sql.ts"
import {
  type BroadcastRow,
  broadcastsOf,
  decodeRecipient,
  inAudience,
  type RecipientRow,
  recipientCounts,
  skipReason
} from "./BroadcastRows.ts"

export const layer = Layer.effect(
  Broadcasts,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const one = Effect.fnUntraced(function* (id: string) {
      const rows = yield* Effect.orDie(sql<BroadcastRow>`SELECT * FROM broadcasts WHERE id = ${id}`)
      return (yield* Effect.orDie(broadcastsOf(sql, rows))).at(0)
    })

    const list = (status: BroadcastStatus | undefined, part: Part) => {
      const where = status === undefined ? sql`TRUE` : sql`status = ${status}`
      const decode = (rows: ReadonlyArray<BroadcastRow>) => broadcastsOf(sql, rows)
      return newestFirst(sql, { table: "broadcasts", where, decode }, part)
    }

    const create = Effect.fnUntraced(function* (
      organizationId: string,
      input: NewBroadcast & { readonly id: string },
      by: string,
      now: number
    ) {
      const { id, name, templateName, language, components, audience, scheduledAt } = input
      const at = new Date(now)
      const scheduled = scheduledAt === undefined ? null : new Date(scheduledAt)
      yield* sql`INSERT INTO broadcasts (organization_id, id, name, template_name, language, components, audience, status, scheduled_at,
          created_by, created_at, updated_at)
        VALUES (${organizationId}, ${id}, ${name}, ${templateName}, ${language}, ${sql.json(components)}, ${sql.json(audience)},
          ${scheduled === null ? "draft" : "scheduled"}, ${scheduled}, ${by}, ${at}, ${at})`
      return (yield* one(id)) ?? (yield* Effect.die(new Error("What was just stored is not there")))
    })

    /** Inserts one recipient row per contact, in the order of sending. Fails when more than `limit` contacts would get a message. */
    const freeze = Effect.fnUntraced(function* (
      organizationId: string,
      row: BroadcastRow,
      limit: number | null,
      now: number
    ) {
      const at = new Date(now)
      const rows = yield* Effect.orDie(
        sql<{ status: string; count: number }>`WITH made AS (
            INSERT INTO broadcast_recipients (organization_id, broadcast_id, contact_id, position, status, reason, due_at, updated_at)
            SELECT ${organizationId}, ${row.id}, a.id, row_number() OVER (ORDER BY a.created_at, a.id),
              CASE WHEN a.reason = '' THEN 'waiting' ELSE 'skipped' END, a.reason, ${at}, ${at}
            FROM (SELECT c.id, c.created_at, ${skipReason(sql)} AS reason FROM contacts c WHERE ${inAudience(sql, row.audience)}) a
            RETURNING status)
          SELECT status, count(*)::int AS count FROM made GROUP BY status`
      )
      const recipients = rows.find(({ status }) => status === "waiting")?.count ?? 0
      if (limit !== null && recipients > limit) return yield* new AudienceTooLarge({ recipients })
    })

    const release = (row: BroadcastRow, at: Date) =>
      Effect.orDie(
        sql`UPDATE broadcast_recipients SET status = 'skipped', reason = 'cancelled', updated_at = ${at}
          WHERE broadcast_id = ${row.id} AND status = 'waiting'`
      )

    const move = Effect.fnUntraced(function* (
      organizationId: string,
      broadcastId: string,
      action: BroadcastAction,
      limit: number | null,
      now: number
    ) {
      const [row] = yield* Effect.orDie(
        sql<BroadcastRow>`SELECT * FROM broadcasts WHERE id = ${broadcastId} FOR NO KEY UPDATE`
      )
      if (row === undefined) return undefined
      const next = moved(row.status, action)
      if ("problem" in next) return yield* new BroadcastNotMovable({ message: next.problem })
      if (next.status === row.status) return yield* one(broadcastId)
      const at = new Date(now)
      if (action === "start") yield* freeze(organizationId, row, limit, now)
      if (action === "cancel") yield* release(row, at)
      yield* Effect.orDie(
        sql`UPDATE broadcasts SET status = ${next.status}, updated_at = ${at},
          started_at = ${action === "start" ? at : row.startedAt}, ended_at = ${action === "cancel" ? at : row.endedAt}
          WHERE id = ${broadcastId}`
      )
      return yield* one(broadcastId)
    })

    const recipients = Effect.fnUntraced(function* (
      broadcastId: string,
      status: BroadcastRecipient["status"] | undefined,
      part: Part
    ) {
      const known = yield* sql`SELECT 1 AS found FROM broadcasts WHERE id = ${broadcastId}`
      if (known.length === 0) return undefined
      const { limit, after } = part
      const wanted: ReadonlyArray<string | undefined> = status === "queued" ? ["waiting", "queued"] : [status]
      const chosen = sql`r.broadcast_id = ${broadcastId} ${status === undefined ? sql`` : sql`AND r.status = ANY (${wanted}::text[])`}`
      const later = after === undefined ? sql`` : sql`AND r.position > ${after.at}`
      const rows = yield* sql<RecipientRow>`SELECT r.*, c.name, c.phone, m.failure_reason FROM broadcast_recipients r
        LEFT JOIN contacts c ON c.organization_id = r.organization_id AND c.id = r.contact_id
        LEFT JOIN messages m ON m.organization_id = r.organization_id AND m.id = r.message_id
        WHERE ${chosen} ${later} ORDER BY r.position LIMIT ${limit + 1} OFFSET ${skipped(part)}`
      const total = (yield* recipientCounts(sql, [broadcastId]))
        .filter((place) => status === undefined || wanted.includes(place.status))
        .reduce((sum, { count }) => sum + count, 0)
      const placeOf = (row: RecipientRow) => ({ at: Number(row.position), id: row.contactId })
      return yield* listed(rows, part, total, placeOf, (shown) => Effect.forEach(shown, decodeRecipient))
    })

    return Broadcasts.of({
      list: traced("Broadcasts.list")(
        (organizationId, { status }, part) => asTenant(organizationId)(list(status, part)),
        Effect.orDie
      ),
      find: traced("Broadcasts.find")((organizationId, id) => asTenant(organizationId)(one(id)), Effect.orDie),
      create: traced("Broadcasts.create")(
        (organizationId, input, by, now) => asTenant(organizationId)(create(organizationId, input, by, now)),
        Effect.orDie
      ),
      count: traced("Broadcasts.count")(function* (organizationId, audience) {
        const rows = yield* asTenant(organizationId)(
          sql<{ reason: string; count: number }>`SELECT a.reason, count(*)::int AS count FROM (
            SELECT ${skipReason(sql)} AS reason FROM contacts c WHERE ${inAudience(sql, audience)}) a GROUP BY a.reason`
        )
        const of = (wanted: string) => rows.find(({ reason }) => reason === wanted)?.count ?? 0
        const counted: RecipientCounts = {
          total: rows.reduce((total, { count }) => total + count, 0),
          recipients: of(""),
          skipped: {
            opted_out: of("opted_out"),
            never_opted_in: of("never_opted_in"),
            no_phone: of("no_phone"),
            archived: of("archived")
          }
        }
        return counted
      }, Effect.orDie),
      strangers: traced("Broadcasts.strangers")(function* (organizationId, contactIds) {
        const rows = yield* asTenant(organizationId)(
          sql<{ id: string }>`SELECT wanted.id FROM unnest(${contactIds}::text[]) AS wanted (id)
            WHERE NOT EXISTS (SELECT 1 FROM contacts c WHERE c.organization_id = ${organizationId} AND c.id = wanted.id) LIMIT 10`
        )
        return rows.map(({ id }) => id)
      }, Effect.orDie),
      move: traced("Broadcasts.move")((organizationId, broadcastId, action, limit, now) =>
        within(asTenant(organizationId))(move(organizationId, broadcastId, action, limit, now))
      ),
      recipients: traced("Broadcasts.recipients")(
        (organizationId, broadcastId, { status }, part) =>
          asTenant(organizationId)(recipients(broadcastId, status, part)),
        Effect.orDie
      )
    })
  })
)
