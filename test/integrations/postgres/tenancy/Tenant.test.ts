import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tenant, tenantApart, tenantAsOne } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { testDatabase } from "../../../support/postgres.ts"

interface TableFacts {
  readonly name: string
  readonly enabled: boolean
  readonly forced: boolean
  readonly policies: ReadonlyArray<string>
  readonly notNull: boolean
}

const tenantTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<TableFacts>`
    SELECT c.relname::text AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced, a.attnotnull AS not_null,
      ARRAY(SELECT pg_get_expr(polqual, polrelid) || ' / ' || pg_get_expr(polwithcheck, polrelid)
            FROM pg_policy WHERE polrelid = c.oid AND polcmd = '*') AS policies
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      AND a.attname = CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
    ORDER BY 1`
})

const addOrganization = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
      VALUES (${id}, ${id}, 'PREMIUM', '{}', 'UTC', 'Hello')`
    yield* sql`INSERT INTO contacts (organization_id, id, phone) VALUES (${id}, ${`cnt_of_${id}`}, '+14155550100')`
  }).pipe(tenant(id))

layer(testDatabase)("for a tenant's rows", (it) => {
  it.effect("every table is kept apart by an enabled, forced policy on the organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* tenantTables
      for (const table of tables) {
        assert.isTrue(table.enabled && table.forced && table.notNull, table.name)
        assert.lengthOf(table.policies, 1, table.name)
        const [using, check] = table.policies[0].split(" / ")
        assert.include(using, "app.organization_id")
        assert.strictEqual(using, check)
      }
      const all = yield* sql<{
        name: string
      }>`SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
      assert.deepStrictEqual(
        all
          .map(({ name }) => name)
          .filter(
            (name) =>
              !/^(oauth_clients|provider_outages|operators|operator_sessions|installation_events|flag_gates|resyncs|parley_(migrations|functions)|cluster_(runners|locks|runner_migrations))$/.test(
                name
              )
          ),
        tables.map(({ name }) => name)
      )
      assert.isAtLeast(tables.length, 13)
    })
  )

  it.effect("a query that forgets its organization sees nothing and can write nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* addOrganization("org_forgotten")
      for (const { name } of yield* tenantTables) assert.isEmpty(yield* sql`SELECT * FROM ${sql(name)}`, name)
      assert.isEmpty(yield* sql`UPDATE contacts SET name = 'x' RETURNING id`)
      assert.isEmpty(yield* sql`DELETE FROM contacts RETURNING id`)
      const insert = sql`INSERT INTO contacts (organization_id, id, phone) VALUES ('org_forgotten', 'cnt_x', '+14155550101')`
      assert.match(String((yield* Effect.flip(insert)).reason.cause), /row-level security/)
      assert.lengthOf(yield* sql`SELECT * FROM contacts`.pipe(tenant("org_forgotten")), 1)
    })
  )

  it.effect("another organization's ids find nothing, and its rows cannot be written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* addOrganization("org_a")
      yield* addOrganization("org_b")
      const asB = tenant("org_b")
      assert.isEmpty(yield* asB(sql`SELECT * FROM contacts WHERE id = 'cnt_of_org_a'`))
      assert.isEmpty(yield* asB(sql`SELECT * FROM organizations WHERE id = 'org_a'`))
      assert.isEmpty(yield* asB(sql`UPDATE contacts SET name = 'x' WHERE id = 'cnt_of_org_a' RETURNING id`))
      yield* Effect.flip(asB(sql`UPDATE contacts SET organization_id = 'org_a'`))
      yield* Effect.flip(
        asB(sql`INSERT INTO contacts (organization_id, id, phone) VALUES ('org_a', 'cnt_y', '+14155550102')`)
      )
      const foreign = sql`INSERT INTO conversations (organization_id, id, contact_id, channel)
        VALUES ('org_b', 'cnv_1', 'cnt_of_org_a', 'voice')`
      yield* Effect.flip(asB(foreign))
    })
  )

  it.effect("the organization ends with its transaction: the next user of the connection does not inherit it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* addOrganization("org_before")
      const rows = yield* Effect.all(
        Array.from({ length: 20 }, () => sql`SELECT * FROM contacts`),
        { concurrency: 5 }
      )
      assert.isEmpty(rows.flat())
    })
  )

  it.effect("a transaction of one organization cannot turn into another's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(tenant("org_a")(tenant("org_b")(sql`SELECT 1`)))
      assert.strictEqual(exit._tag, "Failure")
    })
  )

  /** Runs a transaction that writes, tries a part that fails, and writes again. Gives its exit and the rows that remain. */
  const afterFailedPart = Effect.fnUntraced(function* (
    organizationId: string,
    whole: typeof tenant,
    part: typeof tenant
  ) {
    const sql = yield* SqlClient.SqlClient
    yield* addOrganization(organizationId)
    const add = (id: string) =>
      sql`INSERT INTO contacts (organization_id, id, phone) VALUES (${organizationId}, ${id}, ${`+1415555${id}`})`
    const failing = part(organizationId)(Effect.andThen(add("0201"), Effect.fail("no")))
    const change = Effect.andThen(add("0200"), Effect.andThen(Effect.ignore(failing), add("0202")))
    const exit = yield* Effect.exit(whole(organizationId)(change))
    const kept = yield* sql<{ id: string }>`SELECT id FROM contacts WHERE id LIKE '02%' ORDER BY id`.pipe(
      tenant(organizationId)
    )
    return { exit: exit._tag, kept: kept.map(({ id }) => id) }
  })

  it.effect("only the part that fails is rolled back in a transaction that has parts", () =>
    Effect.gen(function* () {
      for (const part of [tenant, tenantApart, tenantAsOne])
        assert.deepStrictEqual(
          yield* afterFailedPart(`org_parts_${part === tenant}_${part === tenantApart}`, tenant, part),
          {
            exit: "Success",
            kept: ["0200", "0202"]
          }
        )
    })
  )

  it.effect(
    "an indivisible transaction is kept completely or not at all, except for parts that run apart from it",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* afterFailedPart("org_one", tenantAsOne, tenant), { exit: "Failure", kept: [] })
        assert.deepStrictEqual(yield* afterFailedPart("org_one_apart", tenantAsOne, tenantApart), {
          exit: "Success",
          kept: ["0200", "0202"]
        })
      })
  )

  it.effect("the service cannot become the owner, change the schema or rewrite the audit log", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of [
        "SET ROLE postgres",
        "ALTER TABLE contacts DISABLE ROW LEVEL SECURITY",
        "DROP TABLE contacts",
        "CREATE TABLE mine (id text)",
        "DELETE FROM audit_log",
        "UPDATE parley_migrations SET name = 'x'",
        "DELETE FROM parley_functions"
      ])
        yield* Effect.flip(sql.unsafe(statement))
    })
  )
})
