/** What belongs to a contact goes with it when it is merged: orders, carts, records of integrations, and places in broadcasts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../../../../src/domain/people/contacts/Contact.ts"
import { ContactMerging } from "../../../../../src/domain/people/contacts/MergeContacts.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

/** A new organization that knows one person twice, and somebody else once. */
const office = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const contacts = yield* Contacts
  const named = (name: string, phone: string) =>
    Effect.map(contacts.create(organizationId, { name, phone }, "key_1"), ({ id }) => id)
  const stays = yield* named("Asha", "+14155550123")
  const merged = yield* named("Asha R.", "+919812345678")
  const other = yield* named("Bela", "+5511987654321")
  const sql = yield* SqlClient.SqlClient
  const merging = yield* ContactMerging
  return {
    ...{ organizationId, stays, merged, other, sql },
    inside: tenant(organizationId),
    merge: merging.merge(organizationId, stays, { contactId: merged }, "key_1"),
    /** Each row as `id:contact`, with the contact's part in the story for its id. */
    whose: (rows: ReadonlyArray<{ readonly id: string; readonly contactId: string | null }>) =>
      rows.map(
        ({ id, contactId }) =>
          `${id}:${contactId === stays ? "stays" : contactId === merged ? "merged" : contactId === other ? "other" : contactId}`
      )
  }
})

layer(testStores)("what belongs to a merged contact", (it) => {
  it.effect("is the other one's afterwards: orders and carts, and those of others stay theirs", () =>
    Effect.gen(function* () {
      const { organizationId, stays, merged, other, sql, inside, merge, whose } = yield* office
      yield* inside(
        Effect.gen(function* () {
          for (const [id, contactId] of [
            ["ord_1", stays],
            ["ord_2", merged],
            ["ord_3", other],
            ["ord_4", null]
          ] as const) {
            yield* sql`INSERT INTO orders (organization_id, id, number, status, contact_id, currency, lines, discount, shipping, subtotal, tax, total,
                placed_at, created_at, updated_at)
              VALUES (${organizationId}, ${id}, ${id}, 'placed', ${contactId}, 'INR', '[]', 0, 0, 100, 0, 100, now(), now(), now())`
            yield* sql`INSERT INTO carts (organization_id, id, source, external_id, contact_id, created_at)
              VALUES (${organizationId}, ${id.replace("ord", "crt")}, 'shopify', ${id}, ${contactId}, now())`
          }
        })
      )
      yield* merge
      const orders = yield* inside(
        sql<{ id: string; contactId: string | null }>`SELECT id, contact_id FROM orders ORDER BY id`
      )
      const carts = yield* inside(
        sql<{ id: string; contactId: string | null }>`SELECT id, contact_id FROM carts ORDER BY id`
      )
      assert.deepStrictEqual(whose(orders), ["ord_1:stays", "ord_2:stays", "ord_3:other", "ord_4:null"])
      assert.deepStrictEqual(whose(carts), ["crt_1:stays", "crt_2:stays", "crt_3:other", "crt_4:null"])
    })
  )

  it.effect(
    "is known to integrations as the one that stays; where both have a record, the second comes to it through the merged one",
    () =>
      Effect.gen(function* () {
        const { organizationId, stays, merged, sql, inside, merge } = yield* office
        const link = (connection: string, kind: string, local: string, contact: string, remote: string) =>
          sql`INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, updated_at)
            VALUES (${organizationId}, ${connection}, ${kind}, ${local}, ${contact}, ${remote}, now())`
        yield* inside(
          Effect.gen(function* () {
            for (const id of ["both", "one"])
              yield* sql`INSERT INTO app_connections (organization_id, id, provider, enabled, account_id, account_name, settings, credentials,
                  secret_names, state, transaction, position, created_at, updated_at)
                VALUES (${organizationId}, ${id}, ${id}, true, 'a', 'A', '{}', '', '{}', 'connected', pg_current_xact_id(), 0, now(), now())`
            yield* link("both", "contact", stays, stays, "remote-1")
            yield* link("both", "contact", merged, merged, "remote-2")
            yield* link("one", "contact", merged, merged, "remote-3")
            yield* link("one", "conversation", "cnv_1", merged, "remote-4")
            for (const [id, subject] of [
              ["t1", merged],
              ["t2", "cnv_1"]
            ] as const)
              yield* sql`INSERT INTO app_tasks (organization_id, id, connection_id, trigger, contact_id, subject_id, live, status, due_at, created_at)
                VALUES (${organizationId}, ${id}, 'one', ${subject === merged ? "contact.updated" : "conversation.resolved"}, ${merged}, ${subject}, true,
                  'pending', now(), now())`
          })
        )
        yield* merge
        const links = yield* inside(
          sql<{
            remoteId: string
            localId: string
            contactId: string
          }>`SELECT remote_id, local_id, contact_id FROM app_links ORDER BY remote_id`
        )
        assert.deepStrictEqual(
          links.map(({ remoteId, localId, contactId }) => [remoteId, localId, contactId]),
          [
            ["remote-1", stays, stays],
            // A second record of the same person: what is changed there still comes to the contact that stays.
            ["remote-2", merged, stays],
            ["remote-3", stays, stays],
            ["remote-4", "cnv_1", stays]
          ]
        )
        const tasks = yield* inside(
          sql<{
            id: string
            status: string
            contactId: string
          }>`SELECT id, status, contact_id FROM app_tasks WHERE id IN ('t1', 't2') ORDER BY id`
        )
        assert.deepStrictEqual(
          tasks.map(({ id, status, contactId }) => [id, status, contactId]),
          [
            // The merged contact is archived: nothing of it is told any more.
            ["t1", "gone", merged],
            ["t2", "pending", stays]
          ]
        )
      })
  )

  it.effect("waits in broadcasts for the one that stays, and nobody gets a broadcast twice", () =>
    Effect.gen(function* () {
      const { organizationId, stays, merged, other, sql, inside, merge, whose } = yield* office
      const place = (broadcast: string, contact: string, position: number, status = "waiting") =>
        sql`INSERT INTO broadcast_recipients (organization_id, broadcast_id, contact_id, position, status, due_at, updated_at)
          VALUES (${organizationId}, ${broadcast}, ${contact}, ${position}, ${status}, now(), now())`
      yield* inside(
        Effect.gen(function* () {
          for (const id of ["brd_alone", "brd_both", "brd_sent"])
            yield* sql`INSERT INTO broadcasts (organization_id, id, name, template_name, language, components, audience, status, created_by,
                created_at, updated_at)
              VALUES (${organizationId}, ${id}, 'x', 'x', 'en', '[]', '{"all": true}', 'running', 'key_1', now(), now())`
          yield* place("brd_alone", merged, 1)
          yield* place("brd_alone", other, 2)
          yield* place("brd_both", stays, 1)
          yield* place("brd_both", merged, 2)
          yield* place("brd_sent", merged, 1, "read")
        })
      )
      yield* merge
      const rows = yield* inside(
        sql<{ id: string; contactId: string }>`SELECT broadcast_id || '/' || position || '/' || status AS id, contact_id
          FROM broadcast_recipients ORDER BY broadcast_id, position`
      )
      assert.deepStrictEqual(whose(rows), [
        "brd_alone/1/waiting:stays",
        "brd_alone/2/waiting:other",
        "brd_both/1/waiting:stays",
        // It waits for an archived contact, and is skipped.
        "brd_both/2/waiting:merged",
        // What was sent is a record of whom it went to.
        "brd_sent/1/read:merged"
      ])
    })
  )

  it.effect("was last seen when either was", () =>
    Effect.gen(function* () {
      const { organizationId, stays, merged, merge } = yield* office
      const contacts = yield* Contacts
      assert.isNull((yield* contacts.find(organizationId, stays))?.lastSeenAt)
      yield* contacts.identify(organizationId, "messaging", { phone: "+919812345678" })
      const seen = (yield* contacts.find(organizationId, merged))?.lastSeenAt
      assert.isString(seen)
      yield* merge
      assert.strictEqual((yield* contacts.find(organizationId, stays))?.lastSeenAt, seen)
    })
  )
})
