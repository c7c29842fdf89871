/** The backlog that operators see: exact, over all organizations, without naming any. */

import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { recordEvent } from "../../../../../src/integrations/postgres/events/EventLog.ts"
import { messagingBacklog } from "../../../../../src/integrations/postgres/messaging/conversations/AcrossTenants.ts"
import { show } from "../../../../../src/integrations/postgres/messaging/conversations/Backlog.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newThread, queueText } from "../../../../support/delivery.ts"
import { loneStores, newOrganization } from "../../../../support/tenants.ts"

const figure = (text: string, series: string) => {
  const line = text.split("\n").find((line) => line.startsWith(`${series} `))
  assert.isDefined(line, series)
  return Number(line.slice(series.length + 1))
}

/** The metrics after one look. */
const looked = Effect.andThen(show, PrometheusMetrics.format()).pipe(
  Effect.provideService(Metric.MetricRegistry, new Map())
)

const broadcast = (organizationId: string, id: string, status: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    tenant(organizationId)(
      sql`INSERT INTO broadcasts (organization_id, id, name, template_name, language, components, audience, status, created_by, created_at,
        updated_at) VALUES (${organizationId}, ${id}, 'Sale', 'sale', 'en', '[]', '{}', ${status}, 'key_1', now(), now())`
    )
  )

layer(loneStores, { excludeTestServices: true })("the backlog", (it) => {
  it.effect("is empty at first", () =>
    Effect.gen(function* () {
      const text = yield* looked
      for (const name of ["parley_outbox_waiting", "parley_outbox_oldest_seconds", "parley_event_log_lag_seconds"])
        assert.strictEqual(figure(text, name), 0)
    })
  )

  it.effect("is counted over all organizations without naming any", () =>
    Effect.gen(function* () {
      const organizations = [yield* newOrganization(), yield* newOrganization()]
      const sql = yield* SqlClient.SqlClient
      for (const [n, { id }] of organizations.entries()) {
        const thread = yield* newThread(id)
        yield* queueText(id, thread, "first")
        yield* queueText(id, thread, "second")
        yield* broadcast(id, `brd_${n}`, "running")
        yield* broadcast(id, `brd_more_${n}`, n === 0 ? "scheduled" : "draft")
        yield* tenant(id)(sql`UPDATE outbox SET queued_at = now() - interval '90 seconds' WHERE head`)
      }
      const text = yield* looked
      assert.strictEqual(figure(text, "parley_outbox_waiting"), 4)
      const oldest = figure(text, "parley_outbox_oldest_seconds")
      assert.isAtLeast(oldest, 89)
      assert.isBelow(oldest, 150)
      assert.strictEqual(figure(text, `parley_broadcasts{state="running"}`), 2)
      assert.strictEqual(figure(text, `parley_broadcasts{state="scheduled"}`), 1)
      assert.strictEqual(figure(text, "parley_webhook_deliveries_waiting"), 0)
      assert.strictEqual(figure(text, "parley_push_waiting"), 0)
      for (const { id } of organizations) assert.notInclude(text, id)
      // A very long backlog is counted only up to a limit.
      assert.strictEqual(Number((yield* messagingBacklog(sql, 3)).outbox), 3)
      // Afterwards the connection may not read across organizations any more.
      assert.deepStrictEqual(yield* sql`SELECT message_id FROM outbox`, [])
    })
  )

  it.effect("has the age of an event that a running transaction holds back from readers", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const client = yield* PgClient.PgClient
      const begun = yield* Deferred.make<void>()
      const over = yield* Deferred.make<void>()
      // The transaction has an id and does not end, so readers do not see what others write meanwhile.
      const long = yield* client`SELECT pg_current_xact_id()`.pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(over)),
        client.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(begun)
      const erased = { type: "contact.erased", data: { contact: { id: "cnt_1" } } } as const
      yield* tenant(id)(recordEvent(client, id, erased, Date.now() - 60_000))
      const lag = Effect.map(looked, (text) => figure(text, "parley_event_log_lag_seconds"))
      const held = yield* lag
      assert.isAtLeast(held, 59)
      assert.isBelow(held, 120)
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(long)
      assert.strictEqual(yield* lag, 0)
    })
  )
})
