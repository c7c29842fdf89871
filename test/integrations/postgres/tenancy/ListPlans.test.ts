/** The plan of each list for a large organization beside others: an index gives the rows in order, and no table is scanned and sorted. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { Broadcasts } from "../../../../src/domain/messaging/broadcasts/Broadcast.ts"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { QuickReplies } from "../../../../src/domain/messaging/templates/QuickReplies.ts"
import { Templates } from "../../../../src/domain/messaging/templates/Templates.ts"
import { Users } from "../../../../src/domain/people/access/User.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { AnalyticsStore } from "../../../../src/domain/usage/AnalyticsStore.ts"
import { type Asked, planOf as planIn, statementsOf } from "../../../support/plans.ts"
import { startServer } from "../../../support/postgres-server.ts"
import { newRing, storesOf } from "../../../support/stores.ts"

const part = { page: 1, limit: 20 }
const later = { ...part, after: { at: Date.parse("2026-01-10T00:00:00Z"), id: "z" } }

/** The administrator's connection, which fills the tables. */
class Admin extends Context.Service<Admin, PgClient.PgClient>()("test/Admin") {}

/** A connection that works as the service's role and records the plan of every statement, also inside functions. */
class Explained extends Context.Service<Explained, (text: string, params: ReadonlyArray<unknown>) => Promise<string>>()(
  "test/Explained"
) {}

const explain = async (adminUrl: string) => {
  const client = new Client({ connectionString: adminUrl })
  let told: Array<string> = []
  client.on("notice", ({ message }) => void told.push(message ?? ""))
  await client.connect()
  await client.query("LOAD 'auto_explain'")
  for (const setting of ["log_min_duration = 0", "log_nested_statements = on"])
    await client.query(`SET auto_explain.${setting}`)
  await client.query("SET ROLE parley_app")
  const run = async (text: string, params: ReadonlyArray<unknown>) => {
    await client.query("SET client_min_messages = log")
    told = []
    await client.query(text, [...params])
    return told.join("\n")
  }
  return { client, run }
}

const fill = Effect.gen(function* () {
  const sql = yield* Admin
  for (const [id, rows, from] of [
    ["org_big", 10_000, 2_000_000],
    ["org_small", 1_000, 3_000_000]
  ] as const) {
    yield* sql`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
      VALUES (${id}, ${id}, 'PREMIUM', '{}', 'UTC', 'Hello')`
    yield* sql`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, tags, created_at)
      SELECT ${id}::text, 'cnt_' || n, '+1415' || (n + ${from}::int), 'Person ' || left(md5(n::text), 8), 'person ' || left(md5(n::text), 8),
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
  yield* sql`INSERT INTO users (organization_id, id, email, name, role, password_hash)
    SELECT 'org_small', 'usr_' || n, 'Person' || n || '@example.com', 'Person', 'AGENT', '' FROM generate_series(1, 10_000) n`
  // In production the owner of the functions is no superuser, so row-level security binds it.
  yield* sql`CREATE ROLE plain_owner`
  yield* sql`GRANT SELECT ON users TO plain_owner`
  yield* sql`CREATE POLICY plain_lookup ON users FOR SELECT TO plain_owner
    USING ((SELECT current_setting('app.cross_tenant', true)) = 'lookup')`
  yield* sql`ALTER FUNCTION lookup_user(text) OWNER TO plain_owner`
  // A part of the conversations is in each view of the inbox.
  yield* sql`INSERT INTO users (organization_id, id, email, name, role, password_hash) VALUES ('org_big', 'usr_1', 'a@example.com', 'Asha', 'AGENT', '')`
  yield* sql`UPDATE conversations SET
      channel = CASE WHEN substr(id, 5)::int % 20 = 0 THEN 'voice' ELSE channel END,
      assigned_user_id = CASE WHEN substr(id, 5)::int % 50 = 1 THEN 'usr_1' END,
      snoozed_until = CASE WHEN substr(id, 5)::int % 100 = 2 THEN timestamptz '2100-01-01' END,
      unread_count = CASE WHEN substr(id, 5)::int % 40 = 3 THEN 1 ELSE 0 END,
      response_due_at = CASE WHEN substr(id, 5)::int % 100 = 4 THEN now() - interval '1 hour' END
    WHERE organization_id = 'org_big'`
  // Further contacts exist only as rows of the search, without the rest of a contact.
  yield* sql.withTransaction(
    Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql`INSERT INTO private.contact_search (organization_id, contact_id, name, phone, archived, created_at)
        SELECT CASE WHEN n % 2 = 0 THEN 'org_big' ELSE 'org_' || n % 20 END, 'more_' || n, 'person ' || left(md5('more' || n), 8), '1415' || (n + 4_000_000), false, now()
        FROM generate_series(1, 40_000) n`
    )
  )
  yield* sql`ANALYZE`
})

const stores = Layer.unwrap(
  Effect.map(startServer, (adminUrl) => {
    const url = Redacted.make(adminUrl)
    const admin = Layer.effect(Admin, PgClient.PgClient).pipe(Layer.provide(PgClient.layer({ url, maxConnections: 1 })))
    const explained = Layer.effect(
      Explained,
      Effect.map(
        Effect.acquireRelease(
          Effect.promise(() => explain(adminUrl)),
          ({ client }) => Effect.promise(() => client.end())
        ),
        ({ run }) => run
      )
    )
    return Layer.effectDiscard(fill).pipe(
      Layer.provideMerge(explained),
      Layer.provideMerge(storesOf({ databaseUrl: adminUrl, ring: newRing() }, 2)),
      Layer.provideMerge(admin)
    )
  })
)

/** Matches a plan that scans a table or sorts the listed rows. */
const wasteful = /Seq Scan on (contact|conversation|message)|Sort Key: [ctvmrs]\./

const planOf = (asked: Asked) => planIn("org_big", asked)

/** The statement that gives the rows, not the one that counts them. */
const rowsPlan = Effect.fnUntraced(function* <A, E, R>(list: Effect.Effect<A, E, R>) {
  const [rows] = (yield* statementsOf(list)).filter(([text]) => text.includes("ORDER BY"))
  return yield* planOf(rows)
})

/** The plans inside the one statement that a list is. */
const plansInside = Effect.fnUntraced(function* <A, E, R>(list: Effect.Effect<A, E, R>) {
  const run = yield* Explained
  const [[text, params], ...more] = yield* statementsOf(list)
  assert.isEmpty(more, "a list is one statement")
  return yield* Effect.promise(() => run(text, params))
})

// Filling the tables takes long on a busy machine.
layer(stores, { timeout: "3 minutes" })("indexes serve the list of", (it) => {
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
          const plans = yield* plansInside(contacts.list("org_big", filter, asked))
          for (const used of [index, "contacts_pkey", "contact_identities_of_contact"]) assert.include(plans, used)
          assert.notMatch(plans, wasteful, JSON.stringify(filter))
        }
    })
  )

  it.effect("contacts by name, either way, and after a cursor", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      for (const [archived, index] of [
        [false, "contacts_by_name"],
        [true, "contacts_archived_by_name"]
      ] as const)
        for (const sort of ["name", "-name"] as const)
          for (const asked of [part, later]) {
            const plan = yield* rowsPlan(contacts.list("org_big", { archived, sort }, asked))
            assert.include(plan, index)
            assert.notMatch(plan, wasteful, sort)
          }
    })
  )

  it.effect("found contacts: rare words by look-up, frequent ones by reading the newest", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const search = (text: string) => contacts.list("org_big", { archived: false, search: text }, part)
      assert.strictEqual((yield* search("c4ca4238")).total, 1)
      // Parts of names and numbers, and beginnings of words.
      for (const rare of ["c4ca4238", "14155552", "q", "4c"]) {
        const plans = yield* plansInside(search(rare))
        assert.include(plans, "Bitmap Index Scan on contact_search_pieces", rare)
        assert.notMatch(plans, /Seq Scan on contact/, rare)
      }
      for (const frequent of ["p", "person", "1"]) {
        const plans = yield* plansInside(search(frequent))
        assert.include(plans, "using contact_search_newest", frequent)
        assert.notInclude(plans, "contact_search_pieces", frequent)
        assert.notMatch(plans, wasteful, frequent)
      }
    })
  )

  it.effect("contacts of a rare tag, sorted or found: those of the tag are looked up", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const tag = "tag7"
      for (const sort of ["name", "-lastSeenAt", "createdAt"] as const) {
        const plan = yield* rowsPlan(contacts.list("org_big", { archived: false, tag, sort }, part))
        for (const used of ["contact_tags_newest", "contacts_pkey"]) assert.include(plan, used, sort)
      }
      for (const search of ["person", "1", "q"]) {
        const plans = yield* plansInside(contacts.list("org_big", { archived: false, tag, search }, part))
        assert.include(plans, "contact_tags_newest", search)
        assert.notInclude(plans, "using contact_search_newest", search)
      }
      assert.strictEqual((yield* contacts.list("org_big", { archived: false, tag, search: "person" }, part)).total, 20)
    })
  )

  it.effect("conversations with their last messages, the latest activity first", () =>
    Effect.gen(function* () {
      const conversations = yield* Conversations
      const now = Date.now()
      for (const asked of [part, later]) {
        for (const [filter, index] of [
          [{}, "conversations_active"],
          [{ status: "OPEN" }, "conversations_by_status"]
        ] as const) {
          const plans = yield* plansInside(conversations.list("org_big", filter, asked, now))
          for (const used of [index, "conversations_pkey", "contacts_pkey", "messages_of_conversation"])
            assert.include(plans, used)
          assert.notMatch(plans, wasteful)
        }
      }
      const plans = yield* plansInside(conversations.find("org_big", "cnv_17", 20, now))
      for (const used of ["messages_of_conversation", "calls_of_conversation"]) assert.include(plans, used)
      assert.notMatch(plans, wasteful)
    })
  )

  it.effect("conversations of each view of the inbox, whose counts need no table either", () =>
    Effect.gen(function* () {
      const conversations = yield* Conversations
      const now = Date.now()
      for (const [filter, index] of [
        [{ assignee: "usr_1" }, "conversations_of_person_active"],
        [{ channel: "voice" }, "conversations_beside_messaging"],
        [{ resolved: false }, "conversations_to_do"],
        [{ unread: true }, "conversations_unread"],
        [{ snoozed: true }, "conversations_snoozed"],
        [{ due: "overdue" }, "conversations_due_next"]
      ] as const) {
        const plan = yield* rowsPlan(conversations.list("org_big", filter, part, now))
        assert.include(plan, index, JSON.stringify(filter))
        assert.notMatch(plan, /Seq Scan on (contact|conversation|message)/, JSON.stringify(filter))
      }
      const [counts] = yield* statementsOf(conversations.counts("org_big", "usr_1", now))
      assert.notMatch(yield* planOf(counts), /Seq Scan on conversation/)
    })
  )

  it.effect("messages of all conversations, newest first", () =>
    Effect.gen(function* () {
      const messages = yield* Messages
      for (const asked of [part, later]) {
        const plans = yield* plansInside(messages.list("org_big", {}, asked))
        for (const used of ["messages_newest", "messages_pkey", "conversations_pkey"]) assert.include(plans, used)
        assert.notMatch(plans, wasteful)
      }
    })
  )

  it.effect("rows that analytics of some days count, each table by its time", () =>
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
      // A message's channel is looked up in the conversations, which may be scanned for that.
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
      assert.strictEqual((yield* broadcasts.find("org_big", "brd_7"))?.counts.read, 1_000)
      // Counters cost the same for any number of recipients, because each move updates them.
      const readings = Effect.fnUntraced(function* <A>(look: Effect.Effect<A>) {
        return (yield* statementsOf(look)).filter(([text]) => text.includes("broadcast_recipients")).length
      })
      assert.strictEqual(yield* readings(broadcasts.find("org_big", "brd_7")), 0)
      assert.strictEqual(yield* readings(broadcasts.list("org_big", {}, part)), 0)
      assert.strictEqual(yield* readings(broadcasts.recipients("org_big", "brd_7", {}, part)), 1)
    })
  )

  it.effect("people with an address, whatever its case, as a sign-in asks", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const plans = yield* plansInside(users.findByEmail("PERSON77@example.com"))
      assert.include(plans, "users_address")
      assert.notInclude(plans, "Seq Scan on users")
      assert.deepStrictEqual(
        (yield* users.findByEmail("PERSON77@example.com")).map(({ id }) => id),
        ["usr_77"]
      )
    })
  )
})
