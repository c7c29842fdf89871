/** The statements that run for every message use indexes, whatever the tables held when the statements were planned. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { newId } from "../../../../../src/domain/basics/Ids.ts"
import { Messages } from "../../../../../src/domain/messaging/conversations/Message.ts"
import { Outbox } from "../../../../../src/domain/messaging/sending/Outbox.ts"
import { Recipients } from "../../../../../src/domain/messaging/sending/Recipients.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newThread } from "../../../../support/delivery.ts"
import { newStores, storesOf } from "../../../../support/stores.ts"
import { newOrganization } from "../../../../support/tenants.ts"

/** The administrator's connection, which may gather statistics. */
class Admin extends Context.Service<Admin, PgClient.PgClient>()("test/Admin") {}

const stores = Layer.unwrap(
  Effect.map(newStores, (environment) => {
    const url = Redacted.make(environment.databaseUrl)
    const admin = Layer.effect(Admin, PgClient.PgClient).pipe(Layer.provide(PgClient.layer({ url, maxConnections: 1 })))
    return Layer.merge(admin, storesOf(environment, 2))
  })
)

layer(stores, { excludeTestServices: true })("sending with plans made for nearly empty tables", (it) => {
  it.effect("reads no table from end to end", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const threads = yield* Effect.forEach(Array.from({ length: 10 }), () => newThread(organizationId))
      const [sql, messages, recipients, outbox] = [
        yield* SqlClient.SqlClient,
        yield* Messages,
        yield* Recipients,
        yield* Outbox
      ]
      const now = Date.now()
      const admin = yield* Admin
      yield* admin`ANALYZE`
      const read = yield* tenant(organizationId)(
        Effect.gen(function* () {
          for (const conversationId of threads) {
            yield* recipients.find(organizationId, { phone: "+14155558805" })
            const messageId = newId("msg")
            const text = { direction: "outbound", type: "text", content: { text: "Hello" } } as const
            yield* messages.queue({ id: messageId, organizationId, conversationId, ...text }, now)
            yield* sql`SELECT organizations_to_deliver(${new Date(now)})`
            const claimed =
              yield* sql`SELECT claim_messages(${organizationId}, ${new Date(now)}, ${new Date(now + 60_000)}, 8)`
            assert.lengthOf(claimed, 1)
            const begun = yield* outbox.begin({ organizationId, messageId, attempt: 1 }, now, 1_000)
            assert.strictEqual(begun._tag, "Send")
          }
          return yield* sql<{ name: string }>`SELECT relname AS name FROM pg_stat_xact_user_tables
            WHERE seq_scan > 0 AND relname IN ('contacts', 'conversations', 'messages', 'outbox', 'events', 'consents')`
        })
      )
      assert.deepStrictEqual(read, [])
    })
  )
})
