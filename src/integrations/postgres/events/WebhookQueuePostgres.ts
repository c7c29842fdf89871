/**
 * The queue of outgoing webhooks in Postgres. One transaction moves an endpoint's place in the log and inserts the deliveries up to that place, so
 * each event becomes one delivery per endpoint, on any number of nodes. A claim is a lease: it moves `due_at` on, so another node takes over from
 * a node that died. Locks are taken endpoint first, delivery second.
 */
import { Effect, Array as EffectArray, Layer, Schema } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { Event, EventType } from "../../../domain/events/Event.ts"
import { EventPattern, wants } from "../../../domain/events/EventFilter.ts"
import { shownWebhook } from "../../../domain/events/ManageWebhooks.ts"
import { type WebhookClaim, WebhookQueue } from "../../../domain/events/Webhook.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { iso, makeSql } from "../tenancy/Sql.ts"
import { dueWebhooks, organizationsToFanOut } from "./AcrossTenants.ts"
import { recordEvent } from "./EventLog.ts"
import { discardPending, type EndpointRow, endpointColumns, isOrphaned, webhookSecrets } from "./WebhookRows.ts"

/** Events that one step of a fan-out reads at most. */
const step = 500

interface Orphanable {
  readonly id: string
  /** Whether it is a hook whose key is not good any more. */
  readonly orphaned: boolean
}

interface Cursor extends Orphanable {
  readonly eventTypes: unknown
  readonly transaction: string
  readonly position: string
  /** The snapshot in which it began, until it has passed it. */
  readonly since: string | null
}

interface Found {
  readonly id: string
  readonly type: string
  readonly transaction: string
  readonly position: string
  readonly withdrawn: boolean
  /** Whether it was there when the endpoint began. */
  readonly earlier: boolean
}

interface ClaimedRow {
  readonly id: string
  readonly attempts: number
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly createdAt: Date
  readonly withdrawn: boolean
}

const decodePatterns = Schema.decodeUnknownEffect(Schema.Array(EventPattern))
const decodeType = Schema.decodeUnknownEffect(EventType)
const decodeEvent = Schema.decodeUnknownEffect(Event)

/**
 * Decodes a claimed delivery. If its event cannot be read (a newer version may have written it), the delivery is left out, so that it does not
 * hold up the others. It is claimed again when its lease ends.
 */
const claimed = ({ id, attempts, eventId, type, data, createdAt }: ClaimedRow) =>
  decodeEvent({ id: eventId, type, data, createdAt: iso(createdAt) }).pipe(
    Effect.map((event) => [{ id, attempts, event }]),
    Effect.catch((error) =>
      Effect.as(Effect.logError("the event of a webhook delivery cannot be read", { delivery: id }, error), [])
    )
  )

export const layer = Layer.effect(
  WebhookQueue,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const secrets = webhookSecrets(yield* KeyRing)
    const columns = sql.literal(endpointColumns)
    const place = sql.literal("transaction::text AS transaction, position::text AS position, since::text AS since")

    /** Moves endpoints that are at the same place on by one step. Gives true when there may be more events for them. */
    const advance = Effect.fnUntraced(function* (
      organizationId: string,
      endpoints: ReadonlyArray<Cursor>,
      skip: boolean,
      at: Date
    ) {
      const [from] = endpoints
      const found =
        yield* sql<Found>`SELECT e.id, e.type, e.withdrawn, e.transaction::text AS transaction, e.position::text AS position,
          coalesce(pg_visible_in_snapshot(e.transaction, ${from.since}::pg_snapshot), false) AS earlier
        FROM events e WHERE e.organization_id = ${organizationId}
          AND (e.transaction, e.position) > (${from.transaction}::xid8, ${from.position}::bigint)
          AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())
        ORDER BY e.transaction, e.position LIMIT ${step}`
      const last = found.at(-1)
      if (last === undefined) return false
      const wanted: Array<{ readonly endpoint: string; readonly id: string; readonly type: string }> = []
      for (const endpoint of skip ? [] : endpoints) {
        const patterns = yield* decodePatterns(endpoint.eventTypes)
        for (const { id, type, withdrawn, earlier } of found)
          if (!withdrawn && !earlier && type !== "webhook.test" && wants(patterns, yield* decodeType(type)))
            wanted.push({ endpoint: endpoint.id, id, type })
      }
      if (wanted.length > 0)
        yield* sql`INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, due_at, created_at)
          SELECT ${organizationId}, o.id, o.endpoint_id, o.event_id, o.event_type, 'pending', ${at}, ${at}
          FROM unnest(${wanted.map(() => newId("dlv", at.getTime()))}::text[], ${wanted.map(({ endpoint }) => endpoint)}::text[],
            ${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ type }) => type)}::text[]) AS o (id, endpoint_id, event_id, event_type)
          ON CONFLICT ON CONSTRAINT webhook_deliveries_once DO NOTHING`
      yield* sql`UPDATE webhook_endpoints SET transaction = ${last.transaction}::xid8, position = ${last.position}::bigint,
          since = CASE WHEN pg_snapshot_xmax(since) > ${last.transaction}::xid8 THEN since END
        WHERE id = ANY (${endpoints.map(({ id }) => id)}::text[])`
      return found.length === step
    })

    /** The endpoints that are at the same place, together. */
    const together = (endpoints: ReadonlyArray<Cursor>) =>
      Object.values(
        EffectArray.groupBy(endpoints, ({ transaction, position, since }) => `${transaction}/${position}/${since}`)
      )

    const take = Effect.fnUntraced(function* (
      endpoint: EndpointRow,
      now: number,
      leaseMs: number,
      most: { readonly healthy: number; readonly failing: number }
    ) {
      const limit = Math.max(0, endpoint.failingSince === null ? most.healthy : most.failing)
      const rows = yield* sql<ClaimedRow>`WITH due AS (SELECT d.organization_id, d.id FROM webhook_deliveries d
          WHERE d.organization_id = ${endpoint.organizationId} AND d.endpoint_id = ${endpoint.id} AND d.due_at <= ${new Date(now)}
          ORDER BY d.due_at, d.event_id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE webhook_deliveries d SET attempts = d.attempts + 1, due_at = ${new Date(now + leaseMs)}, claimed_until = ${new Date(now + leaseMs)} FROM due, events e
        WHERE d.organization_id = due.organization_id AND d.id = due.id AND e.organization_id = d.organization_id AND e.id = d.event_id
        RETURNING d.id, d.attempts, d.event_id, e.type, e.data, e.created_at, e.withdrawn`
      // These events were withdrawn after they were read and before they became deliveries.
      for (const { id } of rows.filter(({ withdrawn }) => withdrawn))
        yield* sql`UPDATE webhook_deliveries SET status = 'discarded', due_at = NULL, error = 'The contact was erased.' WHERE id = ${id}`
      return rows.filter(({ withdrawn }) => !withdrawn)
    })

    /** Disables the endpoint; a hook is removed. Writes an audit entry and records an event. */
    const disable = Effect.fnUntraced(function* (organizationId: string, id: string, reason: string, now: number) {
      const [row] = yield* sql<EndpointRow>`UPDATE webhook_endpoints SET enabled = false, disabled_reason = ${reason},
        updated_at = ${new Date(now)} WHERE id = ${id} AND enabled RETURNING ${columns}`
      if (row === undefined) return
      yield* discardPending(sql, id)
      const webhook = shownWebhook(yield* secrets.record(row))
      yield* recordEvent(sql, organizationId, { type: "webhook.disabled", data: { webhook } }, now)
      yield* sql`INSERT INTO audit_log (organization_id, id, action, subject_id, state_after)
        VALUES (${organizationId}, ${newId("aud")}, ${row.hook ? "webhook.unsubscribed" : "webhook.disabled"}, ${id},
          ${sql.json({ enabled: false, reason })})`
      if (row.hook) yield* sql`DELETE FROM webhook_endpoints WHERE id = ${id}`
    })

    /** Removes the hooks among these endpoints whose keys are not good any more. */
    const endOrphans = Effect.fnUntraced(function* (endpoints: ReadonlyArray<Orphanable>) {
      for (const { id } of endpoints.filter(({ orphaned }) => orphaned))
        yield* sql`DELETE FROM webhook_endpoints WHERE id = ${id}`
    })

    return WebhookQueue.of({
      behind: traced("WebhookQueue.behind")(
        (organizations) => organizationsToFanOut(sql, organizations, 1_000),
        Effect.orDie
      ),

      fanOut: traced("WebhookQueue.fanOut")(function* (organizationId, skip, now) {
        return yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const found =
              yield* sql<Cursor>`SELECT id, event_types, ${place}, ${isOrphaned(sql, now)} FROM webhook_endpoints
              WHERE organization_id = ${organizationId} AND enabled ORDER BY id FOR NO KEY UPDATE`
            yield* endOrphans(found)
            const endpoints = found.filter(({ orphaned }) => !orphaned)
            const more = yield* Effect.forEach(together(endpoints), (some) =>
              advance(organizationId, some, skip, new Date(now))
            )
            return more.some(Boolean)
          })
        )
      }, Effect.orDie),

      due: (now, without, most) => Effect.orDie(dueWebhooks(sql, now, without, most)),

      claim: traced("WebhookQueue.claim")(function* (organizationId, endpointId, now, leaseMs, most) {
        const taken = yield* asTenant(organizationId)(
          Effect.gen(function* () {
            const found = yield* sql<
              EndpointRow & Orphanable
            >`SELECT ${columns}, ${isOrphaned(sql, now)} FROM webhook_endpoints
              WHERE id = ${endpointId} AND enabled`
            yield* endOrphans(found)
            const endpoint = found.find(({ orphaned }) => !orphaned)
            return endpoint === undefined ? undefined : { endpoint, rows: yield* take(endpoint, now, leaseMs, most) }
          })
        )
        if (taken === undefined || taken.rows.length === 0) return undefined
        const { endpoint, rows } = taken
        const deliveries = (yield* Effect.forEach(rows, claimed)).flat()
        return {
          organizationId,
          endpointId,
          url: endpoint.url,
          headers: yield* secrets.openHeaders(endpoint),
          secrets: yield* secrets.openSecrets(endpoint, now),
          failingSince: endpoint.failingSince?.getTime() ?? null,
          deliveries
        } satisfies WebhookClaim
      }, Effect.orDie),

      settle: traced("WebhookQueue.settle")(function* ({ organizationId, endpointId }, { id, attempts }, outcome, now) {
        const at = new Date(now)
        const { status, httpStatus, error, response, durationMs, disable: reason } = outcome
        const due = outcome.dueAt === undefined ? null : new Date(outcome.dueAt)
        yield* asTenant(organizationId)(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM webhook_endpoints WHERE id = ${endpointId} FOR NO KEY UPDATE`
            // This matches no row when another node has taken the delivery over, or when it was discarded meanwhile.
            const mine =
              yield* sql`UPDATE webhook_deliveries SET status = ${status}, due_at = ${due}, http_status = ${httpStatus},
                error = ${error}, response = ${response}, duration_ms = ${durationMs}, attempted_at = ${at}, claimed_until = NULL
              WHERE id = ${id} AND status = 'pending' AND attempts = ${attempts} RETURNING id`
            if (status === "delivered")
              yield* sql`UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ${endpointId} AND failing_since IS NOT NULL`
            else
              yield* sql`UPDATE webhook_endpoints SET failing_since = ${at} WHERE id = ${endpointId} AND failing_since IS NULL`
            if (reason !== undefined && mine.length > 0) yield* disable(organizationId, endpointId, reason, now)
          })
        )
      }, Effect.orDie)
    })
  })
)
