/** Old events are removed with their deliveries, and the readers' queries use their indexes. */
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog, logStart } from "../../../../src/domain/events/EventFeed.ts"
import { WebhookEndpoints, WebhookQueue } from "../../../../src/domain/events/Webhook.ts"
import { newWebhookSecret } from "../../../../src/domain/events/WebhookSignature.ts"
import { defaultRetention } from "../../../../src/domain/people/organizations/RetentionPolicy.ts"
import { ExpiredKinds, kindCutoffs } from "../../../../src/domain/privacy/RetentionKinds.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { loneStores, newOrganization } from "../../../support/tenants.ts"

const day = 86_400_000
const now = Date.UTC(2026, 10, 21)

/** Stores events of these ages in days, an endpoint that subscribes to them, and their deliveries. */
const filled = Effect.fnUntraced(function* (ages: Arr.NonEmptyReadonlyArray<number>) {
  const { id } = yield* newOrganization({ plan: "STARTER" })
  const endpoint = yield* (yield* WebhookEndpoints).create(id, { url: "https://x.test/" }, newWebhookSecret(), now)
  const sql = yield* SqlClient.SqlClient
  const insert = Arr.map(
    ages,
    (age, i): Record<string, unknown> => ({
      organization_id: id,
      id: `evt_${id}_${String(i).padStart(4, "0")}`,
      type: "contact.updated",
      data: "{}",
      created_at: new Date(now - age * day)
    })
  )
  yield* tenant(id)(sql`INSERT INTO events ${sql.insert(insert)}`)
  const queue = yield* WebhookQueue
  yield* queue.fanOut(id, false, now)
  return { id, endpointId: endpoint?.id ?? "", queue }
})

const left = (organizationId: string) =>
  Effect.map(
    Effect.flatMap(EventLog, (log) => log.read(organizationId, logStart, 100)),
    ({ events }) => events.map(({ createdAt }) => (now - Date.parse(createdAt)) / day)
  )

describe("the retention of events", () => {
  it.live("removes events older than its period with their deliveries, but not those still being delivered", () =>
    Effect.gen(function* () {
      const [us, other] = [yield* filled([40, 30.5, 30, 8, 1]), yield* filled([40])]
      const records = yield* ExpiredKinds
      const cutoffs = kindCutoffs(defaultRetention, now)
      const kinds = ["events", "webhookDeliveries", "webhookResponses"] as const
      const count = Effect.forEach(kinds, (kind) => records.count(us.id, kind, cutoffs[kind] ?? 0))
      const expire = Effect.forEach(kinds, (kind) => records.remove(us.id, kind, cutoffs[kind] ?? 0, 100))
      const sql = yield* SqlClient.SqlClient
      yield* tenant(us.id)(
        sql`UPDATE webhook_deliveries SET created_at = (SELECT created_at FROM events e WHERE e.id = event_id)`
      )
      assert.deepStrictEqual(yield* count, [0, 0, 0])
      yield* tenant(us.id)(sql`UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, response = 'thanks',
        attempted_at = created_at WHERE event_id NOT LIKE '%0001'`)
      assert.deepStrictEqual(yield* count, [1, 1, 3])
      assert.deepStrictEqual(yield* expire, [1, 0, 2])
      assert.deepStrictEqual(yield* left(us.id), [30.5, 30, 8, 1])
      assert.deepStrictEqual(yield* expire, [0, 0, 0])
      const rows = yield* tenant(us.id)(
        sql<{ response: string | null }>`SELECT response FROM webhook_deliveries ORDER BY event_id`
      )
      assert.deepStrictEqual(
        rows.map(({ response }) => response),
        [null, null, null, "thanks"]
      )
      assert.deepStrictEqual(yield* left(other.id), [40])
    }).pipe(Effect.provide(loneStores))
  )

  it.live("leaves the log readable by index: for one organization, for all organizations, and for due deliveries", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(loneStores)
      yield* Effect.gen(function* () {
        const us = yield* filled(Arr.makeBy(400, (i) => i / 100))
        const sql = yield* SqlClient.SqlClient
        const plan = Effect.fnUntraced(function* (query: string) {
          const rows = yield* tenant(us.id)(
            Effect.andThen(sql`SET LOCAL enable_seqscan = off`, sql.unsafe<Record<string, string>>(`EXPLAIN ${query}`))
          )
          return rows.map((row) => Object.values(row)[0]).join("\n")
        })
        const settled = "e.transaction < pg_snapshot_xmin(pg_current_snapshot())"
        const behind = "(e.transaction, e.position) > ('700'::xid8, 3::bigint)"
        const own = yield* plan(
          `SELECT id FROM events e WHERE organization_id = '${us.id}' AND ${behind} AND ${settled} ORDER BY e.transaction, e.position LIMIT 10`
        )
        assert.match(own, /Index Scan using events_in_order/)
        assert.match(own, /Index Cond: .*ROW\(transaction, "?position"?\) > ROW/)
        assert.notMatch(own, /Sort/)
        const due = yield* plan(
          `SELECT id FROM webhook_deliveries WHERE organization_id = '${us.id}' AND endpoint_id = '${us.endpointId}' AND due_at <= now()
            ORDER BY due_at LIMIT 1`
        )
        assert.match(due, /webhook_deliveries_waiting/)
        const listed = yield* plan(
          `SELECT * FROM webhook_deliveries WHERE organization_id = '${us.id}' AND endpoint_id = '${us.endpointId}'
            ORDER BY created_at DESC, id DESC LIMIT 20`
        )
        assert.match(listed, /webhook_deliveries_newest/)
      }).pipe(Effect.provide(stores))
    }).pipe(Effect.scoped)
  )
})
