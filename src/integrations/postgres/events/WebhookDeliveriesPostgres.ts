/** The log of webhook deliveries in Postgres. It has one row per endpoint and event, kept as long as the event. */
import { Effect, Layer } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { WebhookDeliveries } from "../../../domain/events/Webhook.ts"
import { numbered } from "../tenancy/Parts.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { recordEvent } from "./EventLog.ts"
import { type DeliveryRow, deliveryRecord, type SentRow, sentBody } from "./WebhookRows.ts"

const asNew = `status = 'pending', attempts = 0, http_status = NULL, error = NULL, response = NULL, duration_ms = NULL`

export const layer = Layer.effect(
  WebhookDeliveries,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const fresh = sql.literal(asNew)
    const first = (rows: ReadonlyArray<DeliveryRow>) =>
      rows.length === 0 ? Effect.succeed(undefined) : deliveryRecord(rows[0])

    return WebhookDeliveries.of({
      list: traced("WebhookDeliveries.list")(function* (organizationId, endpointId, filter, page, limit) {
        const chosen = sql.and([
          sql`organization_id = ${organizationId}`,
          sql`endpoint_id = ${endpointId}`,
          ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
          ...(filter.eventType === undefined ? [] : [sql`event_type = ${filter.eventType}`])
        ])
        const from = sql`webhook_deliveries WHERE ${chosen}`
        return yield* numbered({ sql, asTenant }, organizationId, { from, decode: deliveryRecord }, page, limit)
      }, Effect.orDie),

      find: traced("WebhookDeliveries.find")(function* (organizationId, endpointId, id) {
        const [row] = yield* asTenant(organizationId)(
          sql<DeliveryRow & SentRow>`SELECT d.*, e.data, e.created_at AS happened_at FROM webhook_deliveries d
            LEFT JOIN events e ON e.organization_id = d.organization_id AND e.id = d.event_id AND NOT e.withdrawn
            WHERE d.id = ${id} AND d.endpoint_id = ${endpointId}`
        )
        if (row === undefined) return undefined
        return { ...(yield* deliveryRecord(row)), body: yield* sentBody(row) }
      }, Effect.orDie),

      resend: traced("WebhookDeliveries.resend")(function* (organizationId, endpointId, id, now) {
        return yield* first(
          yield* asTenant(organizationId)(
            sql<DeliveryRow>`UPDATE webhook_deliveries d SET ${fresh}, claimed_until = NULL, due_at = ${new Date(now)} FROM events e
              WHERE d.id = ${id} AND d.endpoint_id = ${endpointId}
                AND (d.status <> 'pending' OR d.claimed_until IS NULL OR d.claimed_until < ${new Date(now)})
                AND e.organization_id = d.organization_id AND e.id = d.event_id AND NOT e.withdrawn RETURNING d.*`
          )
        )
      }, Effect.orDie),

      replay: traced("WebhookDeliveries.replay")(function* (organizationId, endpointId, time, most, now) {
        const [since, until, at] = [new Date(time.since), new Date(time.until), new Date(now)]
        const missed = time.failedOnly
          ? sql`AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.organization_id = e.organization_id AND d.event_id = e.id
              AND d.endpoint_id = ${endpointId} AND d.status IN ('failed', 'discarded'))`
          : sql``
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const [endpoint] = yield* sql<{
              eventTypes: ReadonlyArray<string>
            }>`SELECT event_types FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`
            const wanted = endpoint?.eventTypes ?? []
            // Events after the endpoint's cursor are left out: they will be delivered anyway.
            const events = yield* sql<{
              id: string
              type: string
              createdAt: Date
            }>`SELECT e.id, e.type, e.created_at FROM events e
              JOIN webhook_endpoints w ON w.organization_id = e.organization_id AND w.id = ${endpointId}
              WHERE e.organization_id = ${organizationId} AND e.created_at >= ${since} AND e.created_at < ${until}
                AND (e.transaction, e.position) <= (w.transaction, w.position) AND NOT e.withdrawn AND e.type <> 'webhook.test'
                AND (cardinality(w.event_types) = 0 OR e.type = ANY (${wanted}::text[])
                  OR split_part(e.type, '.', 1) || '.*' = ANY (${wanted}::text[])) ${missed}
              ORDER BY e.created_at, e.id LIMIT ${most}`
            if (events.length === 0) return { queued: 0, until: time.until }
            const ids = events.map(() => newId("dlv", now))
            const made =
              yield* sql`INSERT INTO webhook_deliveries AS d (organization_id, id, endpoint_id, event_id, event_type, status,
                due_at, created_at)
              SELECT ${organizationId}, o.id, ${endpointId}, o.event_id, o.event_type, 'pending', ${at}, ${at}
              FROM unnest(${ids}::text[], ${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[])
                AS o (id, event_id, event_type)
              ON CONFLICT ON CONSTRAINT webhook_deliveries_once DO UPDATE SET ${fresh}, due_at = excluded.due_at
                WHERE d.status <> 'pending' RETURNING d.id`
            const last = events[events.length - 1].createdAt.getTime()
            return { queued: made.length, until: events.length < most ? time.until : last }
          })
        )
      }, Effect.orDie),

      test: traced("WebhookDeliveries.test")(function* (organizationId, endpointId, now) {
        const at = new Date(now)
        const made = Effect.gen(function* () {
          const data = { webhook: { id: endpointId }, sentAt: iso(at) }
          const eventId = yield* recordEvent(sql, organizationId, { type: "webhook.test", data }, now)
          return yield* sql<DeliveryRow>`INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status,
              due_at, created_at)
            VALUES (${organizationId}, ${newId("dlv", now)}, ${endpointId}, ${eventId}, 'webhook.test', 'pending', ${at}, ${at}) RETURNING *`
        })
        return yield* deliveryRecord((yield* asTenant(organizationId)(made))[0])
      }, Effect.orDie)
    })
  })
)
