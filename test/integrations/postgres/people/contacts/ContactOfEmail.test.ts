/** Contacts by their e-mail address: an index finds them, under row-level security, whoever looks. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppConnections } from "../../../../../src/domain/apps/AppConnection.ts"
import { makeAbsorbRecords } from "../../../../../src/domain/apps/incoming/AbsorbRecords.ts"
import { exactJson } from "../../../../../src/domain/basics/Json.ts"
import { Contacts } from "../../../../../src/domain/people/contacts/Contact.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { shopifyRecords } from "../../../../../src/integrations/shopify/ShopifyRecords.ts"
import { planOf, statementsOf } from "../../../../support/plans.ts"
import { json, shopifyOrder } from "../../../../support/storeEvents.ts"
import { newOrganization, testStores } from "../../../../support/tenants.ts"

const now = 1_790_000_000_000
const address = "Asha@Example.com"

/** An organization of 5,000 contacts with addresses. One is Asha's; another of hers is in the archive. */
const desk = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const sql = yield* SqlClient.SqlClient
  const contacts = yield* Contacts
  yield* tenant(organizationId)(
    sql`INSERT INTO contacts (organization_id, id, name, email)
      SELECT ${organizationId}::text, 'cnt_' || n, 'Person ' || n, 'Person' || n || '@example.com' FROM generate_series(1, 5000) n`
  )
  const asha = yield* contacts.create(
    organizationId,
    { phone: "+14155550199", email: "asha@EXAMPLE.com", tags: [] },
    "key_1"
  )
  const former = yield* contacts.create(
    organizationId,
    { phone: "+14155550198", email: "asha@example.com", tags: [] },
    "key_1"
  )
  yield* contacts.setArchived(organizationId, former.id, true)
  const connections = yield* AppConnections
  const connect = Effect.fnUntraced(function* (provider: "shopify" | "hubspot") {
    const account = { id: "1", name: "Maple Books" }
    yield* connections.save(
      organizationId,
      provider,
      { settings: {}, credentials: { accessToken: "t" }, account, webhookToken: null },
      now
    )
    const connection = yield* connections.find(organizationId, provider)
    assert.isDefined(connection)
    return connection
  })
  return { organizationId, asha, connect }
})

/** The plans of the queries by the address while `effect` runs. */
const plansByAddress = Effect.fnUntraced(function* <A, E, R>(organizationId: string, effect: Effect.Effect<A, E, R>) {
  const asked = (yield* statementsOf(effect)).filter(
    ([text, params]) => text.includes("FROM contacts") && params.some((one) => /^asha@example.com$/i.test(String(one)))
  )
  assert.isNotEmpty(asked)
  return yield* Effect.forEach(asked, (one) => planOf(organizationId, one))
})

const assertIndexed = (plans: ReadonlyArray<string>) => {
  for (const plan of plans) {
    assert.include(plan, "contacts_by_email")
    assert.notMatch(plan, /Seq Scan on contacts/)
  }
}

describe("the contact with an e-mail address", () => {
  it.live("is found by an index for a channel, a CRM and the guest of a shop", () =>
    Effect.gen(function* () {
      const { organizationId, asha, connect } = yield* desk
      const contacts = yield* Contacts
      const absorb = yield* makeAbsorbRecords
      const sql = yield* SqlClient.SqlClient
      const read = (query: string) => tenant(organizationId)(sql.unsafe<Record<string, unknown>>(query))

      const person = { userId: "U1", email: address }
      assertIndexed(yield* plansByAddress(organizationId, contacts.identify(organizationId, "team_chat", person)))
      assert.strictEqual((yield* contacts.identify(organizationId, "team_chat", person)).id, asha.id)

      const crm = yield* connect("hubspot")
      const record = { _tag: "contact", externalId: "7", updatedAt: now, fields: { email: address } } as const
      assertIndexed(yield* plansByAddress(organizationId, absorb(crm, [record], now)))
      const links = yield* read("SELECT contact_id FROM app_links WHERE remote_id = '7'")
      assert.deepStrictEqual(links, [{ contactId: asha.id }])

      const shop = yield* connect("shopify")
      const order = { ...shopifyOrder({ id: 1, minute: 1 }), customer: null, phone: null, email: address }
      const records = yield* shopifyRecords("order", exactJson(json(order)), "USD")
      assertIndexed(yield* plansByAddress(organizationId, absorb(shop, records, now)))
      assert.deepStrictEqual(yield* read("SELECT contact_id FROM orders"), [{ contactId: asha.id }])
    }).pipe(Effect.provide(testStores))
  )

  it.live("has none when a channel tells one that is longer than addresses are", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const contacts = yield* Contacts
      const email = `${"a".repeat(5_000)}@example.com`
      const { id } = yield* contacts.identify(organizationId, "team_chat", { userId: "U2", email })
      assert.strictEqual((yield* contacts.find(organizationId, id))?.email, null)
    }).pipe(Effect.provide(testStores))
  )
})
