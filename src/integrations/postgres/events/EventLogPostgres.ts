/**
 * Reads the event log in Postgres. Transactions do not become visible in the order of their ids, so a reader stops before the oldest transaction
 * that is still running. Each query also names the organization: where the service owns its tables, the policies alone would not use the index.
 */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { Event } from "../../../domain/events/Event.ts"
import { EventLog, type LogPlace } from "../../../domain/events/EventFeed.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { eventsBehind } from "./AcrossTenants.ts"

interface Row extends LogPlace {
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
  readonly withdrawn: boolean
}

/** Samples are taken from so many events. */
const samplesFrom = 10_000

const decodeEvent = Schema.decodeUnknownEffect(Event)

const logged = ({ id, type, data, createdAt, transaction, position }: Row) =>
  Effect.map(decodeEvent({ id, type, data, createdAt: iso(createdAt) }), (event) => ({
    ...event,
    place: { transaction, position }
  }))

export const layer = Layer.effect(
  EventLog,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const places = sql.literal("e.transaction::text AS transaction, e.position::text AS position")
    const settled = sql.literal("e.transaction < pg_snapshot_xmin(pg_current_snapshot())")
    const inOrder = sql.literal("ORDER BY e.transaction, e.position")

    return EventLog.of({
      end: Effect.gen(function* () {
        const [{ transaction }] = yield* sql<{
          transaction: string
        }>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction`
        return { transaction, position: "0" }
      }).pipe(Effect.orDie),

      read: Effect.fnUntraced(function* (organizationId, after, most) {
        const rows = yield* asTenant(organizationId)(
          sql<Row>`SELECT e.id, e.type, e.data, e.created_at, e.withdrawn, ${places} FROM events e
            WHERE e.organization_id = ${organizationId}
              AND (e.transaction, e.position) > (${after.transaction}::xid8, ${after.position}::bigint) AND ${settled}
            ${inOrder} LIMIT ${most}`
        )
        const events = yield* Effect.forEach(
          rows.filter(({ withdrawn }) => !withdrawn),
          logged
        )
        const end = rows.at(-1)
        const last = end === undefined ? after : { transaction: end.transaction, position: end.position }
        return { events, last, full: rows.length === most }
      }, Effect.orDie),

      placeOf: traced("EventLog.placeOf")(function* (organizationId, eventId) {
        const [place] = yield* asTenant(organizationId)(
          sql<LogPlace>`SELECT ${places} FROM events e WHERE e.organization_id = ${organizationId} AND e.id = ${eventId}`
        )
        return place
      }, Effect.orDie),

      newest: traced("EventLog.newest")(function* (organizationId, type, most) {
        // The limit inside bounds the work for a type that is rare, without an index that every event would have to be added to.
        const rows = yield* asTenant(organizationId)(
          sql<Row>`SELECT * FROM (SELECT id, type, data, created_at, withdrawn FROM events WHERE organization_id = ${organizationId}
              ORDER BY created_at DESC LIMIT ${samplesFrom}) e
            WHERE e.type = ${type} AND NOT e.withdrawn ORDER BY e.created_at DESC, e.id DESC LIMIT ${most}`
        )
        return yield* Effect.forEach(rows, ({ id, type, data, createdAt }) =>
          decodeEvent({ id, type, data, createdAt: iso(createdAt) })
        )
      }, Effect.orDie),

      news: Effect.fnUntraced(function* (after, most) {
        const rows = yield* eventsBehind(sql, after, most)
        const { transaction, position } = rows.at(-1) ?? after
        const organizations = new Set(rows.map(({ organizationId }) => organizationId))
        return { organizations, last: { transaction, position }, full: rows.length === most }
      }, Effect.orDie)
    })
  })
)
