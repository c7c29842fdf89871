import { randomBytes } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import wordsOfHandoffs from "../../../../migrations/until-0081/0073_words_of_handoffs.ts"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { TelephonyConnections } from "../../../../src/domain/voice/telephony/PhoneNumber.ts"
import * as Database from "../../../../src/integrations/postgres/database/Database.ts"
import { emptyDatabaseUrl, freshDatabaseUrl } from "../../../support/postgres.ts"
import { newRing, storesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"

/** Runs statements as the administrator in the database of `url`. */
const asAdmin = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement))).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }),
    Effect.orDie
  )

/** Creates a role with these attributes that owns the schema `public` of the database. Gives the database's URL for that role. */
const ownerOf = Effect.fnUntraced(function* (url: string, attributes: string) {
  const name = `parley_test_${randomBytes(4).toString("hex")}`
  yield* Effect.acquireRelease(
    asAdmin(inject("postgres").adminUrl, `CREATE ROLE ${name} LOGIN PASSWORD 'x' ${attributes}`),
    () => asAdmin(inject("postgres").adminUrl, `DROP ROLE ${name}`)
  )
  yield* Effect.acquireRelease(asAdmin(url, `ALTER SCHEMA public OWNER TO ${name}`), () =>
    asAdmin(url, `DROP OWNED BY ${name} CASCADE`)
  )
  return Object.assign(new URL(url), { username: name, password: "x" }).toString()
})

const whoServes = (options: { readonly url: string; readonly migrationUrl?: string }) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ name: string }>`SELECT current_user::text AS name`).pipe(
    Effect.map(([{ name }]) => name),
    Effect.provide(
      Database.layer({
        url: Redacted.make(options.url),
        ...(options.migrationUrl === undefined ? {} : { migrationUrl: Redacted.make(options.migrationUrl) })
      }),
      { local: true }
    )
  )

describe("the database", () => {
  it.live(
    "loses callers' quotes that an earlier version wrote to the audit log, and keeps the service's own sentences",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabaseUrl
        const sentences = [
          ["call.handoff", 'The caller asked for a human: "I am Asha Rao and want a human"'],
          ["call.handoff", "Asha wants her money back."],
          ["call.handoff", "The human's line was busy."],
          ["call.handoff", "Content was flagged (hate)"],
          ["call.moderation", "Asha was rude."]
        ]
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
          VALUES ('org_1', 'Acme', 'PREMIUM', '{}', 'UTC', 'Hello.')`
          for (const [index, [action, reason]] of sentences.entries())
            yield* sql`INSERT INTO audit_log (organization_id, id, action, subject_id, details)
            VALUES ('org_1', ${`aud_${index}`}, ${action}, 'call_1', ${JSON.stringify({ reason })}::jsonb)`
          yield* wordsOfHandoffs
          const left = yield* sql<{ reason: string }>`SELECT details ->> 'reason' AS reason FROM audit_log ORDER BY id`
          assert.deepStrictEqual(
            left.map(({ reason }) => reason),
            ["A human was asked for.", "A human was asked for.", ...sentences.slice(2).map(([, reason]) => reason)]
          )
        }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))
      })
  )

  it.live("is served as parley_app when given an administrator's URL, at the first start and at the next", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabaseUrl
      assert.strictEqual(yield* whoServes({ url }), "parley_app")
      assert.strictEqual(yield* whoServes({ url }), "parley_app")
    })
  )

  it.live("is migrated once when nodes start together", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* emptyDatabaseUrl)
      const all = yield* Effect.all(
        [1, 2, 3].map(() => Database.prepare({ url })),
        { concurrency: 3 }
      )
      const applied = all.map((one) => one.applied.length).sort()
      assert.deepStrictEqual(applied.slice(0, 2), [0, 0])
      assert.isAtLeast(applied[2], 5)
    })
  )

  it.live(
    "is served as the operator's role when there is one plain role, with tenants kept apart and look-ups working",
    () =>
      Effect.gen(function* () {
        const databaseUrl = yield* ownerOf(yield* emptyDatabaseUrl, "NOSUPERUSER NOBYPASSRLS")
        const stores = storesOf({ databaseUrl, ring: newRing() })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { id: organizationId } = yield* newOrganization()
          const keys = yield* ApiKeys
          const { secret } = yield* keys.create({ organizationId, name: "key" })
          assert.strictEqual((yield* keys.authenticate(secret))?.organizationId, organizationId)
          const connections = yield* TelephonyConnections
          yield* connections.save({ organizationId, accountSid: "AC1", authToken: "token" })
          assert.strictEqual((yield* connections.findByAccount("AC1"))?.authToken, "token")
          // Such a role may not create a schema. Contacts are found without an index of their names, and only the organization's own.
          const contacts = yield* Contacts
          const { id: other } = yield* newOrganization()
          yield* contacts.create(organizationId, { phone: "+14155550101", name: "Asha Rao" }, "key_1")
          const found = (id: string) => contacts.list(id, { archived: false, search: "sha r" }, { page: 1, limit: 20 })
          assert.deepStrictEqual([(yield* found(organizationId)).total, (yield* found(other)).total], [1, 0])
          for (const table of ["organizations", "api_keys", "telephony_connections"])
            assert.isEmpty(yield* sql`SELECT * FROM ${sql(table)}`, table)
        }).pipe(Effect.provide(stores, { local: true }))
      })
  )

  it.live("is migrated as the owner and served as the other role when the operator has two roles", () =>
    Effect.gen(function* () {
      const empty = yield* emptyDatabaseUrl
      const owner = yield* ownerOf(empty, "NOSUPERUSER NOBYPASSRLS")
      const other = yield* emptyDatabaseUrl
      const name = new URL(yield* ownerOf(other, "NOSUPERUSER NOBYPASSRLS")).username
      const url = Object.assign(new URL(empty), { username: name, password: "x" }).toString()
      yield* Effect.addFinalizer(() => asAdmin(empty, `DROP OWNED BY ${name} CASCADE`))
      assert.strictEqual(yield* whoServes({ url, migrationUrl: owner }), name)
    })
  )

  it.live("refuses a role that row-level security does not bind, in a sentence that says what to do", () =>
    Effect.gen(function* () {
      const url = yield* ownerOf(yield* emptyDatabaseUrl, "NOSUPERUSER BYPASSRLS")
      const error = yield* Effect.flip(whoServes({ url }))
      assert.strictEqual(error._tag, "DatabaseError")
      assert.match(error.message, /BYPASSRLS, so tenants would not be kept apart.*Point DATABASE_URL to a plain role/)
    })
  )

  it.live("refuses a role that may become an unbound one, too", () =>
    Effect.gen(function* () {
      const empty = yield* emptyDatabaseUrl
      const url = yield* ownerOf(empty, "NOSUPERUSER NOBYPASSRLS")
      const admin = new URL(inject("postgres").adminUrl).username
      yield* asAdmin(empty, `GRANT ${admin} TO ${new URL(url).username}`)
      const error = yield* Effect.flip(whoServes({ url }))
      assert.match(error.message, /tenants would not be kept apart/)
    })
  )

  it.live("is named as the reason when it cannot be reached", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(whoServes({ url: "postgres://nobody:x@127.0.0.1:1/none" }))
      assert.match(error.message, /^The database cannot be reached/)
    })
  )
})
