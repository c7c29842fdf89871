/** Converts database rows of outgoing webhooks into records. The rows hold secrets and headers encrypted. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { Event } from "../../../domain/events/Event.ts"
import { WebhookDelivery, WebhookEndpoint, webhookBody } from "../../../domain/events/Webhook.ts"
import type { KeyRing } from "../../secrets/KeyRing.ts"
import { iso, isoOrNull } from "../tenancy/Sql.ts"

export interface EndpointRow {
  readonly organizationId: string
  readonly id: string
  readonly url: string
  readonly description: string
  readonly eventTypes: ReadonlyArray<string>
  readonly headers: string | null
  readonly enabled: boolean
  readonly hook: boolean
  readonly disabledReason: string | null
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: Date | null
  readonly failingSince: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** All columns except the place in the log, whose type the client cannot read. */
export const endpointColumns = `organization_id, id, url, description, event_types, headers, enabled, hook, disabled_reason, secret, previous_secret,
  previous_secret_until, failing_since, created_at, updated_at`

export const secretColumns = ["secret", "previous_secret", "headers"] as const

const owner = (organizationId: string, column: (typeof secretColumns)[number]) => ({
  organizationId,
  field: `webhook_endpoints.${column}`
})

const decodeHeaders = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
const decodeEndpoint = Schema.decodeUnknownEffect(WebhookEndpoint)
const decodeEvent = Schema.decodeUnknownEffect(Event)
const decodeDelivery = Schema.decodeUnknownEffect(WebhookDelivery)

/** Functions that encrypt and decrypt the secrets and headers of endpoints with this key ring. */
export const webhookSecrets = (ring: KeyRing["Service"]) => {
  const openHeaders = Effect.fnUntraced(function* ({ organizationId, headers }: EndpointRow) {
    if (headers === null) return {}
    return yield* decodeHeaders(yield* ring.decrypt(owner(organizationId, "headers"), headers))
  })
  return {
    /** Gives null when there are no headers. */
    sealHeaders: (organizationId: string, headers: Readonly<Record<string, string>>) =>
      Object.keys(headers).length === 0
        ? Effect.succeed(null)
        : ring.encrypt(owner(organizationId, "headers"), JSON.stringify(headers)),
    openHeaders,
    sealSecret: (organizationId: string, secret: string) => ring.encrypt(owner(organizationId, "secret"), secret),
    /** The current secret, encrypted as the previous one. */
    demote: ({ organizationId, secret }: EndpointRow) =>
      Effect.flatMap(ring.decrypt(owner(organizationId, "secret"), secret), (plain) =>
        ring.encrypt(owner(organizationId, "previous_secret"), plain)
      ),
    /** The secrets that sign requests at `now` (Unix milliseconds). */
    openSecrets: Effect.fnUntraced(function* (row: EndpointRow, now: number) {
      const { organizationId, secret, previousSecret, previousSecretUntil: until } = row
      const current = yield* ring.decrypt(owner(organizationId, "secret"), secret)
      if (previousSecret === null || until === null || until.getTime() <= now) return [current]
      return [current, yield* ring.decrypt(owner(organizationId, "previous_secret"), previousSecret)]
    }),
    record: (row: EndpointRow) =>
      Effect.flatMap(openHeaders(row), (headers) =>
        decodeEndpoint({
          ...row,
          headers,
          events: row.eventTypes,
          failingSince: isoOrNull(row.failingSince),
          previousSecretUntil: isoOrNull(row.previousSecretUntil),
          createdAt: iso(row.createdAt),
          updatedAt: iso(row.updatedAt)
        })
      )
  }
}

export interface DeliveryRow {
  readonly dueAt: Date | null
  readonly attemptedAt: Date | null
  readonly createdAt: Date
}

/** The record of a delivery. Fails when the row does not match the domain's schema. */
export const deliveryRecord = (row: DeliveryRow) =>
  decodeDelivery({
    ...row,
    nextAttemptAt: isoOrNull(row.dueAt),
    lastAttemptAt: isoOrNull(row.attemptedAt),
    createdAt: iso(row.createdAt)
  })

/** The event of a delivery; without `data` and `happenedAt` when it is gone. */
export interface SentRow {
  readonly eventId: string
  readonly eventType: string
  readonly data: unknown
  readonly happenedAt: Date | null
}

/** The body of a delivery's requests; null when its event is gone. */
export const sentBody = ({ eventId: id, eventType: type, data, happenedAt }: SentRow) =>
  happenedAt === null
    ? Effect.succeed(null)
    : Effect.map(decodeEvent({ id, type, data, createdAt: iso(happenedAt) }), webhookBody)

/**
 * SQL: whether an endpoint is a hook whose API key was revoked, has expired at `now`, or may not subscribe any more. Nobody gets events by a key that is
 * not good any more.
 */
export const isOrphaned = (sql: PgClient.PgClient, now: number) =>
  sql`(hook_key_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.organization_id = webhook_endpoints.organization_id
    AND k.id = hook_key_id AND 'integrations:write' = ANY (k.scopes) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${new Date(now)}))) AS orphaned`

/** Discards the deliveries of an endpoint that are still waiting. */
export const discardPending = (sql: PgClient.PgClient, endpointId: string) =>
  sql`UPDATE webhook_deliveries SET status = 'discarded', due_at = NULL, error = 'The endpoint was switched off.'
    WHERE endpoint_id = ${endpointId} AND due_at IS NOT NULL`
