/** Endpoints of outgoing webhooks in Postgres. The row of an endpoint holds its place in the event log. */
import { Effect, Layer } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { mostHooks } from "../../../domain/events/Hook.ts"
import {
  mostEndpoints,
  type NewWebhookEndpoint,
  type WebhookChanges,
  WebhookEndpoints
} from "../../../domain/events/Webhook.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { numbered } from "../tenancy/Parts.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { discardPending, type EndpointRow, endpointColumns, webhookSecrets } from "./WebhookRows.ts"

export const layer = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const secrets = webhookSecrets(yield* KeyRing)
    const columns = sql.literal(endpointColumns)
    const first = (rows: ReadonlyArray<EndpointRow>) =>
      rows.length === 0 ? Effect.succeed(undefined) : secrets.record(rows[0])
    const locked = (id: string) =>
      sql<EndpointRow>`SELECT ${columns} FROM webhook_endpoints WHERE id = ${id} FOR NO KEY UPDATE`
    /**
     * The end of the log: every event that settles from now on comes after it. Some that are there already may come after it, too, when an older
     * transaction is still under way: `since` tells these apart.
     */
    const logEnd = sql.literal("pg_snapshot_xmin(pg_current_snapshot())")
    const since = sql.literal("pg_current_snapshot()")

    const insert = Effect.fnUntraced(function* (
      organizationId: string,
      input: NewWebhookEndpoint,
      secret: string,
      at: Date
    ) {
      // This lock makes two requests at once count one after the other.
      yield* sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`
      const [{ count }] = yield* sql<{
        count: number
      }>`SELECT count(*)::int AS count FROM webhook_endpoints WHERE NOT hook`
      if (count >= mostEndpoints) return []
      const { url, description = "", events = [], headers = {}, enabled = true } = input
      const sealedHeaders = yield* secrets.sealHeaders(organizationId, headers)
      return yield* sql<EndpointRow>`INSERT INTO webhook_endpoints (organization_id, id, url, description, event_types, headers, enabled,
          secret, transaction, position, since, created_at, updated_at)
        VALUES (${organizationId}, ${newId("whk", at.getTime())}, ${url}, ${description}, ${[...new Set(events)]}::text[], ${sealedHeaders},
          ${enabled}, ${yield* secrets.sealSecret(organizationId, secret)}, ${logEnd}, 0, ${since}, ${at}, ${at}) RETURNING ${columns}`
    })

    const write = Effect.fnUntraced(function* (organizationId: string, id: string, changes: WebhookChanges, at: Date) {
      const [before] = yield* locked(id)
      if (before === undefined) return []
      const { url = before.url, description = before.description, enabled = before.enabled } = changes
      const events = changes.events === undefined ? before.eventTypes : [...new Set(changes.events)]
      const headers =
        changes.headers === undefined ? before.headers : yield* secrets.sealHeaders(organizationId, changes.headers)
      const on = enabled && !before.enabled
      if (before.enabled && !enabled) yield* discardPending(sql, id)
      const fresh = on
        ? sql`, transaction = ${logEnd}, position = 0, since = ${since}, failing_since = NULL, disabled_reason = NULL`
        : sql``
      return yield* sql<EndpointRow>`UPDATE webhook_endpoints SET url = ${url}, description = ${description},
          event_types = ${events}::text[], headers = ${headers}, enabled = ${enabled}, updated_at = ${at} ${fresh}
        WHERE id = ${id} RETURNING ${columns}`
    })

    /** One that was switched off begins anew, as it does by `change`: nobody is told of what happened meanwhile. */
    const subscribe = Effect.fnUntraced(function* (
      organizationId: string,
      { url, event, keyId }: Parameters<WebhookEndpoints["Service"]["subscribe"]>[1],
      secret: string,
      at: Date
    ) {
      yield* sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`
      const sealed = yield* secrets.sealSecret(organizationId, secret)
      const again = yield* sql<EndpointRow>`UPDATE webhook_endpoints SET secret = ${sealed}, previous_secret = NULL,
          previous_secret_until = NULL, hook_key_id = ${keyId}, enabled = true, disabled_reason = NULL, updated_at = ${at},
          transaction = CASE WHEN enabled THEN transaction ELSE ${logEnd} END, position = CASE WHEN enabled THEN position ELSE 0 END,
          since = CASE WHEN enabled THEN since ELSE ${since} END,
          failing_since = CASE WHEN enabled THEN failing_since END
        WHERE hook AND url = ${url} AND event_types = ${[event]}::text[] RETURNING ${columns}`
      if (again.length > 0) return again
      const [{ count }] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM webhook_endpoints WHERE hook`
      if (count >= mostHooks) return []
      return yield* sql<EndpointRow>`INSERT INTO webhook_endpoints (organization_id, id, url, description, event_types, enabled, hook, hook_key_id,
          secret, transaction, position, since, created_at, updated_at)
        VALUES (${organizationId}, ${newId("whk", at.getTime())}, ${url}, '', ${[event]}::text[], true, true, ${keyId}, ${sealed}, ${logEnd}, 0,
          ${since}, ${at}, ${at}) RETURNING ${columns}`
    })

    return WebhookEndpoints.of({
      list: traced("WebhookEndpoints.list")((organizationId, page, limit) => {
        const list = { columns, from: sql`webhook_endpoints`, decode: secrets.record }
        return numbered({ sql, asTenant }, organizationId, list, page, limit)
      }, Effect.orDie),

      find: traced("WebhookEndpoints.find")(function* (organizationId, id) {
        return yield* first(
          yield* asTenant(organizationId)(sql<EndpointRow>`SELECT ${columns} FROM webhook_endpoints WHERE id = ${id}`)
        )
      }, Effect.orDie),

      create: traced("WebhookEndpoints.create")(function* (organizationId, input, secret, now) {
        return yield* first(yield* asTenant(organizationId)(insert(organizationId, input, secret, new Date(now))))
      }, Effect.orDie),

      change: traced("WebhookEndpoints.change")(function* (organizationId, id, changes, now) {
        return yield* first(yield* asTenant(organizationId)(write(organizationId, id, changes, new Date(now))))
      }, Effect.orDie),

      remove: traced("WebhookEndpoints.remove")(function* (organizationId, id) {
        yield* asTenant(organizationId)(sql`DELETE FROM webhook_endpoints WHERE id = ${id}`)
      }, Effect.orDie),

      subscribe: traced("WebhookEndpoints.subscribe")(function* (organizationId, hook, secret, now) {
        return yield* first(yield* asTenant(organizationId)(subscribe(organizationId, hook, secret, new Date(now))))
      }, Effect.orDie),

      rotate: traced("WebhookEndpoints.rotate")(function* (organizationId, id, secret, previousUntil, now) {
        const rotated = Effect.gen(function* () {
          const [before] = yield* locked(id)
          if (before === undefined) return []
          return yield* sql<EndpointRow>`UPDATE webhook_endpoints SET secret = ${yield* secrets.sealSecret(organizationId, secret)},
              previous_secret = ${yield* secrets.demote(before)}, previous_secret_until = ${new Date(previousUntil)},
              updated_at = ${new Date(now)} WHERE id = ${id} RETURNING ${columns}`
        })
        return yield* first(yield* asTenant(organizationId)(rotated))
      }, Effect.orDie)
    })
  })
)
