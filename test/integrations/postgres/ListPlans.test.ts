/** The plan of each list, for a large organization beside others: an index gives the rows in order, nothing is read through and sorted. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { AnalyticsStore } from "../../../src/domain/Analytics.ts"
import { Broadcasts } from "../../../src/domain/Broadcast.ts"
import { Contacts } from "../../../src/domain/Contact.ts"
import { Conversations } from "../../../src/domain/Conversation.ts"
import { Messages } from "../../../src/domain/Message.ts"
import { QuickReplies } from "../../../src/domain/QuickReplies.ts"
import { Templates } from "../../../src/domain/Templates.ts"
import * as Database from "../../../src/integrations/postgres/Database.ts"
import * as Repositories from "../../../src/integrations/postgres/Repositories.ts"
import { tenant } from "../../../src/integrations/postgres/Tenant.ts"
import { startServer } from "../../support/postgres-server.ts"
import { testKeyRing } from "../../support/tenants.ts"

const part = { page: 1, limit: 20 }
const later = { ...part, after: { at: Date.parse("2026-01-10T00:00:00Z"), id: "z" } }

/** The administrator's connection, which fills the tables. */
class Admin extends Context.Service<Admin, PgClient.PgClient>()("test/Admin") {}

const fill = Effect.gen(function* () {
  const sql = yield* Admin
  for (const [id, rows, from] of [
    ["org_big", 10_000, 2_000_000],
    ["org_small", 1_000, 3_000_000]
  ] as const) {
    yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
      VALUES (${id}, ${id}, 'PREMIUM', '{}', 'UTC', 'Hello')`
    yield* sql`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, tags, created_at)
      SELECT ${id}::text, 'cnt_' || n, '+1415' || (n + ${from}::int), 'Person ' || md5(n::text), 'person ' || md5(n::text),
        ARRAY['all', 'tag' || n % 500], timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, ${rows}::int) n`
    yield* sql`UPDATE contacts SET archived_at = now() WHERE organization_id = ${id} AND id LIKE '%9'`
    yield* sql`INSERT INTO contact_identities (organization_id, channel, user_id, contact_id)
      SELECT organization_id, 'messaging', phone, id FROM contacts WHERE organization_id = ${id}`
    yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel, status, last_activity_at)
      SELECT ${id}::text, 'cnv_' || n, 'cnt_' || n, 'messaging', (ARRAY['OPEN', 'RESOLVED', 'RESOLVED'])[1 + n % 3],
        timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, ${rows / 2}::int) n`
    yield* sql`INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
      SELECT ${id}::text, 'msg_' || n, 'cnv_' || 1 + n % ${rows / 2}::int, 'inbound', 'text', '{"text": "hello"}', 'received',
        timestamptz '2026-01-01' + n * interval '20 seconds' FROM generate_series(1, ${rows}::int) n`
  }
  for (const id of ["org_big", "org_small"]) {
    yield* sql`UPDATE conversation_episodes e SET opened_at = v.last_activity_at, first_inbound_at = v.last_activity_at,
        first_response_at = v.last_activity_at, resolved_at = CASE WHEN v.status = 'RESOLVED' THEN v.last_activity_at END
      FROM conversations v WHERE e.organization_id = ${id} AND v.organization_id = ${id} AND v.id = e.conversation_id`
    yield* sql`INSERT INTO calls (organization_id, id, direction, status, from_address, to_address, call_sid, created_at)
      SELECT ${id}::text, 'call_' || n, 'inbound', 'completed', '+1', '+2', 'CA' || n, timestamptz '2026-01-01' + n * interval '1 minute'
      FROM generate_series(1, 5000) n`
    yield* sql`INSERT INTO broadcasts (organization_id, id, name, template_name, language, components, audience, status, created_by,
        started_at, created_at, updated_at)
      SELECT ${id}::text, 'brd_' || n, 'x', 'x', 'en', '[]', '{"all": true}', (ARRAY['running', 'completed'])[1 + n % 2], 'key_1',
        timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute', now()
      FROM generate_series(1, 2000) n`
    yield* sql`INSERT INTO broadcast_recipients (organization_id, broadcast_id, contact_id, position, status, due_at, updated_at)
      SELECT ${id}::text, 'brd_' || 1 + n % 10, 'cnt_' || n, n, 'read', now(), now() FROM generate_series(1, 10000) n`
    yield* sql`INSERT INTO templates (organization_id, id, channel_template_id, name, language, status, category, components, synced_at,
        created_at, updated_at)
      SELECT ${id}::text, 'tpl_' || n, n::text, 't' || n, 'en', 'APPROVED', 'UTILITY', '[]', now(),
        timestamptz '2026-01-01' + n * interval '1 minute', now() FROM generate_series(1, 3000) n`
    yield* sql`INSERT INTO quick_replies (organization_id, id, shortcut, text, searchable, created_at)
      SELECT ${id}::text, 'qrp_' || n, 's' || n, 'x', 's' || n, timestamptz '2026-01-01' + n * interval '1 minute'
      FROM generate_series(1, 3000) n`
  }
  // More of them as far as search knows them, without all that belongs to a contact.
  yield* sql.withTransaction(
    Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql`INSERT INTO private.contact_search (organization_id, contact_id, name, phone, archived, created_at)
        SELECT CASE WHEN n % 2 = 0 THEN 'org_big' ELSE 'org_' || n % 20 END, 'more_' || n, 'person ' || md5('more' || n), '1415' || (n + 4_000_000), false, now()
        FROM generate_series(1, 200_000) n`
    )
  )
  yield* sql`ANALYZE`
})

const stores = Layer.unwrap(
  Effect.map(startServer, (adminUrl) => {
    const url = Redacted.make(adminUrl)
    const admin = Layer.effect(Admin, PgClient.PgClient).pipe(Layer.provide(PgClient.layer({ url, maxConnections: 1 })))
    const service = Database.layer({ url, maxConnections: 2 })
    return Layer.effectDiscard(fill).pipe(
      Layer.provideMerge(Repositories.layer),
      Layer.provideMerge(Layer.mergeAll(service, admin, testKeyRing))
    )
  })
)

/** Reads a table through, or sorts what is listed. */
const wasteful = /Seq Scan on (contact|conversation|message)|Sort Key: [ctvm]\./

/** What the service asks of the database while `effect` runs. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const asked: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      asked.push(statement.compile())
      return statement
    })
  )
  return asked.filter(([text]) => /^\s*(SELECT|WITH)/.test(text) && !text.includes("set_config"))
})

/** As the service's role, inside the organization. */
const planOf = Effect.fnUntraced(function* ([text, params]: readonly [string, ReadonlyArray<unknown>]) {
  const sql = yield* SqlClient.SqlClient
  const lines = yield* tenant("org_big")(sql.unsafe<Record<string, string>>(`EXPLAIN ${text}`, params))
  return lines.map((line) => Object.values(line)[0]).join("\n")
})

/** The statement that gives the rows, not the one that counts them. */
const rowsPlan = Effect.fnUntraced(function* <A, E, R>(list: Effect.Effect<A, E, R>) {
  const [rows] = (yield* statementsOf(list)).filter(([text]) => text.includes("ORDER BY"))
  return yield* planOf(rows)
})

// Filling the tables takes its time on a busy machine.
layer(stores, { timeout: "3 minutes" })("the plans of lists", (it) => {
  it.effect("contacts, newest first, of a tag, of the archive, and after a cursor", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      for (const [filter, index] of [
        [{ archived: false }, "contacts_newest"],
        [{ archived: true }, "contacts_archived"],
        [{ archived: false, tag: "tag7" }, "contact_tags_newest"],
        [{ archived: false, tag: "all" }, "contact_tags_newest"]
      ] as const)
        for (const asked of [part, later]) {
          const plan = yield* rowsPlan(contacts.list("org_big", filter, asked))
          assert.include(plan, index)
          assert.notMatch(plan, wasteful, JSON.stringify(filter))
        }
    })
  )

  it.effect("a search looks up trigrams, inside the one function that may", () =>
    Effect.gen(function* () {
      const admin = yield* Admin
      const found = yield* (yield* Contacts).list("org_big", { archived: false, search: "c4ca4238" }, part)
      assert.strictEqual(found.total, 1)
      const [{ body }] = yield* admin<{
        body: string
      }>`SELECT prosrc AS body FROM pg_proc WHERE proname = 'search_contacts'`
      const planOfSearch = Effect.fnUntraced(function* (...values: ReadonlyArray<string>) {
        const asked = body.replace(/\$(\d+)/g, (_, number) => values[Number(number) - 1])
        const lines = yield* admin.withTransaction(
          Effect.andThen(
            admin`SELECT set_config('app.organization_id', 'org_big', true)`,
            admin.unsafe<Record<string, string>>(`EXPLAIN ${asked}`)
          )
        )
        return lines.map((line) => Object.values(line)[0]).join("\n")
      })
      const rest = ["false", "null::text", "null::timestamptz", "null::text", "0", "20", "1000"]
      const plan = yield* planOfSearch("'%c4ca4238%'", "null", "'%5552%'", ...rest)
      assert.include(plan, "BitmapOr")
      assert.include(plan, "contact_search_parts")
      assert.notInclude(plan, "Seq Scan")
      // One letter, as the beginning of words; rare, and in every name.
      const rare = yield* planOfSearch("'q%'", "'% q%'", "null", ...rest)
      assert.include(rare, "contact_search_parts")
      const frequent = yield* planOfSearch("'p%'", "'% p%'", "null", ...rest)
      assert.include(frequent, "contact_search_newest")
      assert.notMatch(frequent, /Seq Scan|Sort/)
    })
  )

  it.effect("conversations, the latest activity first, with their last messages", () =>
    Effect.gen(function* () {
      const conversations = yield* Conversations
      const now = Date.now()
      for (const asked of [part, later]) {
        assert.include(yield* rowsPlan(conversations.list("org_big", {}, asked, now)), "conversations_active")
        const open = yield* rowsPlan(conversations.list("org_big", { status: "OPEN" }, asked, now))
        assert.include(open, "conversations_by_status")
        assert.notMatch(open, wasteful)
      }
      const asked = yield* statementsOf(conversations.find("org_big", "cnv_17", 20, now))
      const plans = yield* Effect.forEach(asked, planOf)
      assert.include(plans.join("\n"), "messages_of_conversation")
      for (const plan of plans) assert.notMatch(plan, wasteful)
    })
  )

  it.effect("messages of all conversations, newest first", () =>
    Effect.gen(function* () {
      const messages = yield* Messages
      for (const asked of [part, later]) {
        const plan = yield* rowsPlan(messages.list("org_big", asked))
        assert.include(plan, "messages_newest")
        assert.notMatch(plan, wasteful)
      }
    })
  )

  it.effect("analytics of some days, each table by its time", () =>
    Effect.gen(function* () {
      const analytics = yield* AnalyticsStore
      const from = Date.parse("2026-01-02T00:00:00Z")
      const range = { from, to: from + 86_400_000 / 24, groupBy: "day", timeZone: "Asia/Kolkata" } as const
      const plans = yield* Effect.forEach(yield* statementsOf(analytics.read("org_big", range)), planOf)
      const all = plans.join("\n")
      for (const index of [
        "messages_newest",
        "conversation_episodes_opened",
        "conversation_episodes_answered",
        "conversation_episodes_resolved",
        "calls_by_age"
      ])
        assert.include(all, index)
      // Whose channel a message has is looked up in the conversations, which may be read through for that.
      assert.notMatch(all, /Seq Scan on (messages|conversation_episodes|calls|broadcast)/)
    })
  )

  it.effect("broadcasts, their recipients and their counters, templates and quick replies", () =>
    Effect.gen(function* () {
      const [broadcasts, templates, replies] = [yield* Broadcasts, yield* Templates, yield* QuickReplies]
      for (const asked of [part, later]) {
        const lists = [
          yield* rowsPlan(broadcasts.list("org_big", {}, asked)),
          yield* rowsPlan(broadcasts.list("org_big", { status: "running" }, asked)),
          yield* rowsPlan(
            broadcasts.recipients(
              "org_big",
              "brd_7",
              {},
              { ...asked, ...(asked === part ? {} : { after: { at: 9, id: "" } }) }
            )
          ),
          yield* rowsPlan(templates.list("org_big", {}, asked)),
          yield* rowsPlan(replies.list("org_big", {}, asked))
        ]
        const indexes = [
          "broadcasts_newest",
          "broadcasts_by_status",
          "broadcast_recipients_newest",
          "templates_newest",
          "quick_replies_newest"
        ]
        lists.forEach((plan, i) => {
          assert.include(plan, indexes[i])
          assert.notMatch(plan, /Seq Scan|Sort Key/)
        })
      }
      const plans = yield* Effect.forEach(yield* statementsOf(broadcasts.find("org_big", "brd_7")), planOf)
      assert.notMatch(plans.join("\n"), /Seq Scan on broadcast/)
    })
  )
})
