/** A process goes on while a newer version changes the schema beside it. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { freshDatabaseUrl } from "../../../support/postgres.ts"
import { newRing, storesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"

describe("a process beside a newer version", () => {
  it.live("does not fail when a table that it reads gets another column", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      yield* Effect.gen(function* () {
        const { id } = yield* newOrganization()
        const contacts = yield* Contacts
        const { id: contactId } = yield* contacts.create(id, { phone: "+14155550123", tags: [] }, "key_1")
        const reads = Effect.forEach(Array.from({ length: 20 }), () => contacts.find(id, contactId), {
          concurrency: 20
        })
        yield* reads
        const newer = PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 })
        yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE contacts ADD COLUMN another text`),
          newer,
          { local: true }
        )
        for (const contact of yield* reads) assert.strictEqual(contact?.id, contactId)
      }).pipe(Effect.provide(storesOf({ databaseUrl, ring: newRing() })))
    }).pipe(Effect.scoped)
  )
})
