import { randomBytes } from "node:crypto"
import { appendFile, cp, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"
import { inject } from "vitest"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { prepare } from "../../../../src/integrations/postgres/database/Database.ts"
import { statementsOf } from "../../../../src/integrations/postgres/database/FunctionFiles.ts"
import {
  formerMigrations,
  migrate,
  migrationsFolder,
  migrationsTable
} from "../../../../src/integrations/postgres/database/Migrations.ts"
import { temporaryFolder } from "../../../support/folder.ts"
import { emptyDatabaseUrl } from "../../../support/postgres.ts"
import { differences, schemaOf } from "../../../support/schema.ts"
import { newRing, storesOf } from "../../../support/stores.ts"

/** Runs `effect` on one connection to the database of `url`. */
const at =
  (url: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

/** Runs the former migrations up to this number, as the version of that time did. */
const migrateFormerly = (upTo: number) =>
  Migrator.make({})({
    loader: Effect.map(fromFileSystem(join(migrationsFolder, formerMigrations)), (all) =>
      all.filter(([id]) => id <= upTo)
    ),
    table: migrationsTable
  }).pipe(Effect.provide(NodeServices.layer))

/** An administrator's URL of a database that the version of that time migrated up to this number. */
const formerDatabaseUrl = Effect.fnUntraced(function* (upTo: number) {
  const url = yield* emptyDatabaseUrl
  yield* migrateFormerly(upTo).pipe(at(url))
  return url
})

const prepared = Effect.fnUntraced(function* (url: string) {
  const { applied } = yield* prepare({ url: Redacted.make(url) })
  return { applied, schema: yield* schemaOf.pipe(at(url)) }
})

/**
 * What a database that began with the former migrations has beyond the baseline: two extensions of its former contact search. They stay,
 * since an operator may have begun to use them.
 */
const leftBehind = ["extension btree_gin: public | none", "extension pg_trgm: public | none"]

/** A copy of the migrations whose files of functions can be changed. */
const ownMigrations = Effect.gen(function* () {
  const folder = yield* temporaryFolder("migrations")
  yield* Effect.promise(async () => {
    for (const name of await readdir(migrationsFolder))
      if (name !== "functions") await symlink(join(migrationsFolder, name), join(folder, name))
    await symlink(join(migrationsFolder, "..", "node_modules"), join(folder, "node_modules"))
    await cp(join(migrationsFolder, "functions"), join(folder, "functions"), { recursive: true })
  })
  return folder
})

const files = (folder: string) => Effect.promise(async () => (await readdir(join(folder, "functions"))).sort())

/** The names of the migrations after this number. */
const numberedAfter = (last: number) =>
  Effect.map(fromFileSystem(migrationsFolder), (all) =>
    all.flatMap(([id, name]) => (id > last ? [`${id}_${name}`] : []))
  ).pipe(Effect.provide(NodeServices.layer))

/** Empty databases of a role that is no superuser, as in production. */
const ownedDatabases = Effect.gen(function* () {
  const owner = `parley_test_${randomBytes(4).toString("hex")}`
  const { adminUrl } = inject("postgres")
  const asAdmin = (url: string, statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(at(url), Effect.orDie)
  yield* Effect.acquireRelease(asAdmin(adminUrl, `CREATE ROLE ${owner} LOGIN PASSWORD 'x'`), () =>
    asAdmin(adminUrl, `DROP ROLE ${owner}`)
  )
  return Effect.gen(function* () {
    const url = yield* emptyDatabaseUrl
    yield* Effect.acquireRelease(asAdmin(url, `ALTER SCHEMA public OWNER TO ${owner}`), () =>
      asAdmin(url, `DROP OWNED BY ${owner} CASCADE`)
    )
    return Object.assign(new URL(url), { username: owner, password: "x" }).toString()
  })
})

/** The rows of each table. */
type Tables = Record<string, ReadonlyArray<Record<string, unknown>>>

/** The rows with the columns that the first row had before. Later migrations add columns. */
const withColumnsOf = (before: Tables, after: Tables): Tables =>
  Object.fromEntries(
    Object.entries(after).map(([table, rows]) => [
      table,
      rows.map((row) =>
        Object.fromEntries(Object.keys(before[table]?.[0] ?? {}).map((column) => [column, row[column]]))
      )
    ])
  )

describe("migrations", () => {
  it.live("give a new database the schema of one that began before the baseline", () =>
    Effect.gen(function* () {
      const former = yield* prepared(yield* formerDatabaseUrl(81))
      const fresh = yield* prepared(yield* emptyDatabaseUrl)
      assert.deepStrictEqual(differences(former.schema, fresh.schema), leftBehind)
      assert.isAtLeast(fresh.schema.size, 1_500)
      const later = yield* numberedAfter(81)
      assert.deepStrictEqual(former.applied, [...later, ...(yield* files(migrationsFolder))])
    })
  )

  it.live("give both kinds of database the same schema where the owner may not create a schema", () =>
    Effect.gen(function* () {
      const ownedUrl = yield* ownedDatabases
      const formerUrl = yield* ownedUrl
      yield* migrateFormerly(81).pipe(at(formerUrl))
      const former = yield* prepared(formerUrl)
      const fresh = yield* prepared(yield* ownedUrl)
      assert.deepStrictEqual(differences(former.schema, fresh.schema), [])
      assert.isFalse(fresh.schema.has("relation private.contact_search"))
    })
  )

  it.live("bring a database from long before the baseline up to date", () =>
    Effect.gen(function* () {
      const former = yield* prepared(yield* formerDatabaseUrl(46))
      const fresh = yield* prepared(yield* emptyDatabaseUrl)
      assert.deepStrictEqual(differences(former.schema, fresh.schema), leftBehind)
      assert.include(former.applied, "81_work_that_is_due")
    })
  )

  it.live("keep the rows of a database from before the baseline, which remains usable", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* formerDatabaseUrl(81)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
          VALUES ('org_1', 'Acme', 'PREMIUM', '{}', 'UTC', 'Hello.')`
        yield* sql`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, tags)
          VALUES ('org_1', 'con_1', '+14155550101', 'Asha Rao', 'asha rao', '{vip}')`
        yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel) VALUES ('org_1', 'cnv_1', 'con_1', 'messaging')`
        yield* sql`INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
          VALUES ('org_1', 'msg_1', 'cnv_1', 'inbound', 'text', '{"text": "Hello"}', 'received', now())`
      }).pipe(at(databaseUrl))
      const rows = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const kept: Tables = {}
        for (const table of [
          "contacts",
          "contact_tags",
          "conversations",
          "messages",
          "conversation_episodes",
          "list_counts"
        ])
          kept[table] = yield* sql`SELECT * FROM ${sql(table)} ORDER BY 1, 2`
        return kept
      }).pipe(at(databaseUrl))
      const before = yield* rows
      yield* prepared(databaseUrl)
      assert.deepStrictEqual(withColumnsOf(before, yield* rows), before)
      yield* Effect.gen(function* () {
        const contacts = yield* Contacts
        yield* contacts.create("org_1", { phone: "+14155550102", name: "Asha Sen", tags: ["vip"] }, "key_1")
        const found = yield* contacts.list("org_1", { archived: false, search: "asha" }, { page: 1, limit: 20 })
        assert.deepStrictEqual(found.data.map(({ name }) => name).sort(), ["Asha Rao", "Asha Sen"])
        const tagged = yield* contacts.list("org_1", { archived: false, tag: "vip" }, { page: 1, limit: 20 })
        assert.strictEqual(tagged.total, 2)
      }).pipe(Effect.provide(storesOf({ databaseUrl, ring: newRing() }), { local: true }))
    })
  )

  it.live(
    "give each key its maker by the audit log, over any number of keys in between, and end keys of people who left",
    () =>
      Effect.gen(function* () {
        const url = yield* yield* ownedDatabases
        yield* migrateFormerly(81).pipe(at(url))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`SELECT set_config('app.organization_id', 'org_1', false)`
          yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
          VALUES ('org_1', 'Acme', 'PREMIUM', '{}', 'UTC', 'Hello.')`
          yield* sql`INSERT INTO users (organization_id, id, email, name, role, password_hash, deactivated_at)
          VALUES ('org_1', 'usr_here', 'a@example.com', 'A', 'OWNER', '', NULL), ('org_1', 'usr_left', 'b@example.com', 'B', 'ADMIN', '', now())`
          // The first of twelve was made by a person, each other with the one before.
          for (const [person, keys] of [
            ["usr_here", "here"],
            ["usr_left", "left"]
          ])
            for (let i = 0; i < 12; i++) {
              const [type, maker] = i === 0 ? ["user", person] : ["key", `key_${keys}_${i - 1}`]
              yield* sql`INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes)
              VALUES ('org_1', ${`key_${keys}_${i}`}, 'x', ${`${keys}${i}`}, '', '{}')`
              yield* i === 1
                ? sql`INSERT INTO audit_log (organization_id, id, action, subject_id, actor_type, actor_id, state_after)
                VALUES ('org_1', ${`aud_${keys}_${i}`}, 'api_key.rotated', ${maker}, ${type}, ${maker}, ${JSON.stringify({ rotatedTo: `key_${keys}_1` })}::jsonb)`
                : sql`INSERT INTO audit_log (organization_id, id, action, subject_id, actor_type, actor_id)
                VALUES ('org_1', ${`aud_${keys}_${i}`}, 'api_key.created', ${`key_${keys}_${i}`}, ${type}, ${maker})`
            }
          yield* sql`INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes)
          VALUES ('org_1', 'key_operator', 'x', 'operator', '', '{}')`
        }).pipe(at(url))
        yield* prepared(url)
        const keys = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`SELECT set_config('app.organization_id', 'org_1', false)`
          return yield* sql`SELECT maker_id, revoked_at IS NOT NULL AS revoked, count(*)::int AS keys FROM api_keys GROUP BY 1, 2 ORDER BY 1`
        }).pipe(at(url))
        assert.deepStrictEqual(keys, [
          { maker_id: "usr_here", revoked: false, keys: 12 },
          { maker_id: "usr_left", revoked: true, keys: 12 },
          { maker_id: null, revoked: false, keys: 1 }
        ])
      })
  )

  it.live("apply a file of functions again when it has changed, and only that file", () =>
    Effect.gen(function* () {
      const folder = yield* ownMigrations
      const url = yield* emptyDatabaseUrl
      const applied = migrate(folder).pipe(at(url))
      assert.includeMembers([...(yield* applied)], [...(yield* files(folder))])
      assert.deepStrictEqual(yield* applied, [])
      const added = "\nCREATE OR REPLACE FUNCTION answer() RETURNS integer LANGUAGE sql AS $$ SELECT 42 $$;\n"
      yield* Effect.promise(() => appendFile(join(folder, "functions", "media.sql"), added))
      assert.deepStrictEqual(yield* applied, ["media.sql"])
      assert.deepStrictEqual(yield* applied, [])
      const [row] = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT answer() AS answer`).pipe(at(url))
      assert.deepStrictEqual(row, { answer: 42 })
    })
  )

  it.live("apply a changed file once when nodes start together", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabaseUrl
      yield* prepared(url)
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE parley_functions SET hash = 'another' WHERE file = 'calls.sql'`
      ).pipe(at(url))
      const all = yield* Effect.all([prepared(url), prepared(url)], { concurrency: 2 })
      assert.deepStrictEqual(
        all.flatMap(({ applied }) => applied),
        ["calls.sql"]
      )
    })
  )

  it.live("apply all functions after a migration, and apply nothing but name the file when one fails", () =>
    Effect.gen(function* () {
      const folder = yield* ownMigrations
      const url = yield* emptyDatabaseUrl
      const outbox = join(folder, "functions", "outbox.sql")
      const good = yield* Effect.promise(() => readFile(outbox, "utf8"))
      yield* Effect.promise(() => appendFile(outbox, "\nCREATE FUNCTION broken() RETURNS void LANGUAGE sql AS 'no';\n"))
      const refused = yield* migrate(folder).pipe(Effect.flip, at(url))
      assert.strictEqual(refused._tag, "FunctionFileError")
      assert.match(refused.message, /functions\/outbox\.sql cannot be applied: syntax error at or near "no"/)
      assert.isFalse([...(yield* schemaOf.pipe(at(url))).keys()].some((name) => name.startsWith("relation ")))

      yield* Effect.promise(() => writeFile(outbox, good))
      yield* migrate(folder).pipe(at(url))
      const before = yield* schemaOf.pipe(at(url))
      yield* Effect.promise(async () => {
        await writeFile(outbox, `${good}\nCREATE FUNCTION broken() RETURNS void LANGUAGE sql AS 'no';\n`)
        const imports = 'import { Effect } from "effect"\nimport { SqlClient } from "effect/sql"\n'
        const later = "export default Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE later (id text)`)\n"
        await writeFile(join(folder, "9000_later.ts"), imports + later)
      })
      yield* migrate(folder).pipe(Effect.flip, at(url))
      assert.deepStrictEqual(differences(before, yield* schemaOf.pipe(at(url))), [])
      yield* Effect.promise(() => writeFile(outbox, good))
      assert.deepStrictEqual(yield* migrate(folder).pipe(at(url)), ["9000_later", ...(yield* files(folder))])
    })
  )

  it.live("leave the functions of a newer version as they are", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabaseUrl
      yield* prepared(url)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO parley_migrations (migration_id, name) VALUES (9999, 'of_a_newer_version')`
        yield* sql`UPDATE parley_functions SET hash = 'of a newer version'`
      }).pipe(at(url))
      assert.deepStrictEqual((yield* prepared(url)).applied, [])
    })
  )
})

describe("a file of functions", () => {
  it("is split at the semicolons between statements", () => {
    const text = `-- First; of all.
      SELECT ';' AS "a;b"; -- nothing;
      DO $do$ BEGIN EXECUTE $$ SELECT 1; $$; END $do$;
      -- The end;
      `
    assert.deepStrictEqual(statementsOf(text), [
      "-- First; of all.\n      SELECT ';' AS \"a;b\"",
      "-- nothing;\n      DO $do$ BEGIN EXECUTE $$ SELECT 1; $$; END $do$"
    ])
  })

  it.effect("is the only place where its functions and triggers are defined", () =>
    Effect.promise(async () => {
      const functions = join(migrationsFolder, "functions")
      const made: Array<string> = []
      for (const name of await readdir(functions))
        for (const [, kind, object] of (await readFile(join(functions, name), "utf8")).matchAll(
          /^ *CREATE OR REPLACE (FUNCTION|TRIGGER) ([\w.]+)/gm
        ))
          made.push(`${kind} ${object}`)
      assert.isAtLeast(made.length, 90)
      const twice = made.filter((name, at) => made.indexOf(name) !== at)
      // One file for databases with the table of searched contacts, one for databases without it.
      assert.deepStrictEqual(twice, ["FUNCTION search_contacts"])
      for (const name of await readdir(migrationsFolder))
        if (/^\d/.test(name))
          assert.notMatch(await readFile(join(migrationsFolder, name), "utf8"), /\b(FUNCTION|TRIGGER)\b/, name)
    })
  )
})
