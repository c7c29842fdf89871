/** The totals of lists equal the result of counting, whatever changes at the same time. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conversations } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { compactListCounts } from "../../../../src/integrations/postgres/tenancy/AcrossTenants.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const part = { page: 1, limit: 1 }

/** Every total that can be requested, and the result of counting. */
const totals = Effect.fnUntraced(function* (organizationId: string) {
  const [contacts, conversations, messages] = [yield* Contacts, yield* Conversations, yield* Messages]
  const now = Date.now()
  const told = [
    (yield* contacts.list(organizationId, { archived: false }, part)).total,
    (yield* contacts.list(organizationId, { archived: true }, part)).total,
    (yield* contacts.list(organizationId, { archived: false, tag: "vip" }, part)).total,
    (yield* contacts.list(organizationId, { archived: true, tag: "vip" }, part)).total,
    (yield* conversations.list(organizationId, {}, part, now)).total,
    (yield* conversations.list(organizationId, { status: "OPEN" }, part, now)).total,
    (yield* conversations.list(organizationId, { status: "RESOLVED" }, part, now)).total,
    (yield* messages.list(organizationId, {}, part)).total
  ]
  const sql = yield* SqlClient.SqlClient
  const [counted] = yield* tenant(organizationId)(
    sql<Record<string, number>>`SELECT (SELECT count(*)::int FROM contacts WHERE archived_at IS NULL) AS a,
      (SELECT count(*)::int FROM contacts WHERE archived_at IS NOT NULL) AS b,
      (SELECT count(*)::int FROM contacts WHERE archived_at IS NULL AND 'vip' = ANY(tags)) AS c,
      (SELECT count(*)::int FROM contacts WHERE archived_at IS NOT NULL AND 'vip' = ANY(tags)) AS d,
      (SELECT count(*)::int FROM conversations) AS e, (SELECT count(*)::int FROM conversations WHERE status = 'OPEN') AS f,
      (SELECT count(*)::int FROM conversations WHERE status = 'RESOLVED') AS g, (SELECT count(*)::int FROM messages) AS h`
  )
  return { told, counted: Object.values(counted) }
})

/** The changes to the nth contact: everything that moves records between lists. */
const change = Effect.fnUntraced(function* (organizationId: string, n: number) {
  const [contacts, conversations, messages] = [yield* Contacts, yield* Conversations, yield* Messages]
  const phone = `+1415555${String(1_000 + n)}`
  const { contact } = yield* contacts.save(
    organizationId,
    { phone, name: `Guest ${n}`, tags: n % 2 ? ["vip", "a"] : ["a"] },
    "key_1"
  )
  const conversationId = yield* conversations.open(organizationId, contact.id, "messaging")
  for (let text = 0; text < n % 4; text++)
    yield* messages.add(
      { organizationId, conversationId, direction: "inbound", type: "text", content: { text: String(text) } },
      Date.now()
    )
  if (n % 3 === 0) yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
  if (n % 5 === 0) yield* contacts.setArchived(organizationId, contact.id, true)
  if (n % 10 === 0) yield* contacts.setArchived(organizationId, contact.id, false)
  if (n % 6 === 0) yield* contacts.update(organizationId, contact.id, { tags: ["b", "vip"] }, "key_1")
  if (n % 7 === 0) yield* (yield* ContactErasure).erase(organizationId, contact.id)
})

layer(testStores, { excludeTestServices: true })("the totals of lists", (it) => {
  it.effect("are exact while many transactions change them at once and their partial counts are merged", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const { id: other } = yield* newOrganization()
      const sql = yield* SqlClient.SqlClient
      yield* change(other, 9)
      const changes = Array.from({ length: 60 }, (_, n) => n)
      yield* Effect.all(
        [
          Effect.forEach(changes, (n) => change(organizationId, n), { concurrency: 5, discard: true }),
          Effect.forEach(changes, () => compactListCounts(sql, 1), { discard: true })
        ],
        { concurrency: 2 }
      )
      const { told, counted } = yield* totals(organizationId)
      assert.deepStrictEqual(told, counted)
      assert.isAbove(Math.min(...told), 0)
      yield* compactListCounts(sql, 1)
      assert.deepStrictEqual((yield* totals(organizationId)).told, counted)
      const [{ shards }] = yield* tenant(organizationId)(
        sql<{ shards: number }>`SELECT count(DISTINCT shard)::int AS shards FROM list_counts`
      )
      assert.strictEqual(shards, 1)
      assert.deepStrictEqual((yield* totals(other)).told, (yield* totals(other)).counted)
    })
  )

  it.effect("do not count changes that were rolled back", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const sql = yield* SqlClient.SqlClient
      const undone = tenant(organizationId)(Effect.andThen(change(organizationId, 3), Effect.fail("undone" as const)))
      assert.strictEqual(yield* Effect.flip(undone), "undone")
      const rows = yield* tenant(organizationId)(sql`SELECT 1 AS found FROM list_counts`)
      assert.deepStrictEqual(rows, [])
      assert.deepStrictEqual((yield* totals(organizationId)).told, new Array(8).fill(0))
    })
  )

  it.effect("stop at a thousand for a search, while every page of it can be read", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const sql = yield* SqlClient.SqlClient
      const contacts = yield* Contacts
      yield* tenant(organizationId)(
        sql`INSERT INTO contacts (organization_id, id, phone, name, searchable_name, created_at)
          SELECT ${organizationId}, 'cnt_' || n, '+1415' || (1000000 + n), 'Ann Guest', 'ann guest', now() - n * interval '1 minute'
          FROM generate_series(1, 1200) n`
      )
      for (const search of ["guest", "gu", "g", "1", "+1 (41", "ann g"]) {
        const found = yield* contacts.list(organizationId, { archived: false, search }, { page: 1, limit: 100 })
        assert.deepStrictEqual([found.data.length, found.total], [100, 1_000], search)
      }
      const seen = new Set<string>()
      let after: { readonly at: number; readonly id: string } | undefined
      for (;;) {
        const found = yield* contacts.list(
          organizationId,
          { archived: false, search: "gue" },
          { page: 1, limit: 100, ...(after === undefined ? {} : { after }) }
        )
        for (const { id } of found.data) seen.add(id)
        if (found.next === null) break
        after = found.next
      }
      assert.strictEqual(seen.size, 1_200)
      const nothing = ["u", "es", "xq", "%", "_", "41"]
      // In scripts without spaces between words, any part of a name is found.
      yield* contacts.create(organizationId, { phone: "+8613812345678", name: "李小龙" }, "key_1")
      for (const search of ["龙", "小龙", "李"])
        assert.strictEqual((yield* contacts.list(organizationId, { archived: false, search }, part)).total, 1, search)
      for (const search of nothing)
        assert.strictEqual((yield* contacts.list(organizationId, { archived: false, search }, part)).total, 0, search)
    })
  )
})
