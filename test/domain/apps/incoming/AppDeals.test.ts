/** The deal of a call, as the CRMs of the organization know it; a call never waits long for one. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import * as HubSpotSimulator from "../../../../simulators/crm/HubSpot.ts"
import * as SalesforceSimulator from "../../../../simulators/crm/Salesforce.ts"
import * as ZohoSimulator from "../../../../simulators/crm/ZohoCrm.ts"
import type { OAuthTokens } from "../../../../simulators/support/OAuthTokens.ts"
import { AppConnections } from "../../../../src/domain/apps/AppConnection.ts"
import type { AppProvider } from "../../../../src/domain/apps/Catalogue.ts"
import * as AppDeals from "../../../../src/domain/apps/incoming/AppDeals.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { Deals } from "../../../../src/domain/voice/calls/records/Deals.ts"
import { tenant as asTenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as RateLimitMemory from "../../../../src/integrations/resilience/RateLimitMemory.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"
import { testApps } from "../../../support/testApps.ts"

const simulator = <A extends { readonly close: () => Promise<void> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

/** Tokens as somebody who has agreed gets them. */
const tokensFrom = (tokens: OAuthTokens, client: { readonly id: string; readonly secret: string }) => {
  const form = {
    grant_type: "authorization_code",
    code: tokens.agree("https://x.test"),
    redirect_uri: "https://x.test"
  }
  const { body } = tokens.take(new URLSearchParams({ ...form, client_id: client.id, client_secret: client.secret }))
  const { access_token: accessToken, refresh_token: refreshToken } = body as Record<string, string>
  return { accessToken, refreshToken }
}

let contacts = 0

const stage = Effect.gen(function* () {
  const hubspot = yield* simulator(HubSpotSimulator.start)
  const salesforce = yield* simulator(SalesforceSimulator.start)
  const zoho = yield* simulator(ZohoSimulator.start)
  hubspot.tokens.privateApps.add("pat-1")
  const stores = yield* Layer.build(testStores)
  const context = yield* Layer.build(
    AppDeals.layer.pipe(
      Layer.provide(testApps({ hubspot: hubspot.url, salesforce: salesforce.url, zoho: zoho.url })),
      Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))),
      Layer.provide(Layer.succeedContext(stores))
    )
  )
  const { id: organizationId } = yield* newOrganization().pipe(Effect.provide(stores))
  const connect = (provider: AppProvider, credentials: Readonly<Record<string, string>>) =>
    Effect.flatMap(AppConnections, (connections) =>
      connections.save(
        organizationId,
        provider,
        { credentials, settings: {}, webhookToken: null, account: { id: "1", name: "1" } },
        0
      )
    ).pipe(Effect.provide(stores))
  yield* connect("hubspot", { accessToken: "pat-1" })
  yield* connect("salesforce", {
    ...tokensFrom(salesforce.tokens, SalesforceSimulator.salesforceClient),
    instanceUrl: salesforce.url
  })
  yield* connect("zoho_crm", {
    ...tokensFrom(zoho.tokens, ZohoSimulator.zohoClient),
    ...{ apiDomain: zoho.url, accountsServer: zoho.url }
  })
  const find = (id: string) =>
    Effect.flatMap(Deals, (deals) => deals.find(organizationId, id)).pipe(Effect.provide(context))
  /** A contact of ours, whom a CRM knows by this id. */
  const contactKnownAs = (provider: AppProvider, remoteId: string) =>
    Effect.gen(function* () {
      const phone = `+1415555${String(4_000 + contacts++)}`
      const { id } = yield* (yield* Contacts).create(organizationId, { phone }, "key_test")
      const connection = yield* (yield* AppConnections).find(organizationId, provider)
      const sql = yield* SqlClient.SqlClient
      yield* asTenant(
        organizationId
      )(sql`INSERT INTO app_links (organization_id, connection_id, kind, local_id, contact_id, remote_id, updated_at)
        VALUES (${organizationId}, ${connection?.id ?? ""}, 'contact', ${id}, ${id}, ${remoteId}, now())`)
      return id
    }).pipe(Effect.provide(stores))
  const ofContact = (id: string) =>
    Effect.flatMap(Deals, (deals) => deals.ofContact(organizationId, id)).pipe(Effect.provide(context))
  return { hubspot, salesforce, zoho, find, contactKnownAs, ofContact }
})

describe("the deal of a call", () => {
  it.live("has its name, stage and amount from the CRM that knows it", () =>
    Effect.gen(function* () {
      const { hubspot, salesforce, zoho, find } = yield* stage
      hubspot.records.deals.set("901", {
        dealname: "Shelves",
        dealstage: "contractsent",
        amount: "1200",
        deal_currency_code: "EUR"
      })
      assert.deepEqual(yield* find("901"), {
        id: "901",
        facts: { name: "Shelves", stage: "Contract sent", amount: "1200 EUR" }
      })
      const { id } = salesforce.records.add("Opportunity", {
        Name: "Signed set",
        StageName: "Negotiation",
        Amount: 90.5
      })
      salesforce.tokens.expireAll()
      assert.deepEqual((yield* find(id)).facts, { name: "Signed set", stage: "Negotiation", amount: "90.5" })
      const deal = zoho.records.add("Deals", { Deal_Name: "Atlas", Stage: "Qualification", Amount: 40 })
      assert.deepEqual((yield* find(deal.id)).facts, { name: "Atlas", stage: "Qualification", amount: "40" })
      assert.deepEqual(yield* find("nobody's"), { id: "nobody's", facts: {} })
    }).pipe(Effect.scoped)
  )

  it.live("is its id alone when the CRM is slow, dead or refuses us, within two seconds", () =>
    Effect.gen(function* () {
      const { hubspot, find } = yield* stage
      hubspot.faults.hang = true
      const began = yield* Clock.currentTimeMillis
      assert.deepEqual(yield* find("901"), { id: "901", facts: {} })
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 5_000)
      hubspot.faults.hang = false
      hubspot.faults.failNext = 1
      assert.deepEqual((yield* find("901")).facts, {})
      hubspot.tokens.privateApps.clear()
      assert.deepEqual((yield* find("901")).facts, {})
      yield* Effect.promise(hubspot.close)
      assert.deepEqual((yield* find("901")).facts, {})
    }).pipe(Effect.scoped)
  )
})

describe("the deals of a contact", () => {
  it.live("are the newest of each CRM that knows the contact, with name, stage and amount", () =>
    Effect.gen(function* () {
      const { hubspot, salesforce, zoho, contactKnownAs, ofContact } = yield* stage
      const person = hubspot.records.create({ properties: { email: "asha@example.com" } })
      for (const id of ["901", "902", "903", "1001"]) {
        hubspot.records.deals.set(id, { dealname: `Shelves ${id}`, dealstage: "contractsent" })
        hubspot.records.dealContacts.set(id, id === "902" ? "another's" : person.id)
      }
      const asha = yield* contactKnownAs("hubspot", person.id)
      const facts = (id: string) => ({ id, facts: { name: `Shelves ${id}`, stage: "Contract sent" } })
      assert.deepEqual(yield* ofContact(asha), [facts("1001"), facts("903"), facts("901")])

      const lead = salesforce.records.add("Contact", { LastName: "Ito" })
      const { id: OpportunityId } = salesforce.records.add("Opportunity", { Name: "Atlas", StageName: "Open" })
      // One person may have several roles.
      for (const _ of [1, 2]) salesforce.records.add("OpportunityContactRole", { OpportunityId, ContactId: lead.id })
      const ben = yield* contactKnownAs("salesforce", lead.id)
      assert.deepEqual(yield* ofContact(ben), [{ id: OpportunityId, facts: { name: "Atlas", stage: "Open" } }])

      const buyer = zoho.records.add("Contacts", { Last_Name: "Lind" })
      const deal = zoho.records.add("Deals", { Deal_Name: "Signed set", Stage: "Won", Contact_Name: { id: buyer.id } })
      const eva = yield* contactKnownAs("zoho_crm", buyer.id)
      assert.deepEqual(yield* ofContact(eva), [{ id: deal.id, facts: { name: "Signed set", stage: "Won" } }])
      assert.deepEqual(yield* ofContact("cnt_nobody"), [])
    }).pipe(Effect.scoped)
  )

  it.live("are asked for once in a while, and none when the CRM does not answer", () =>
    Effect.gen(function* () {
      const { hubspot, contactKnownAs, ofContact } = yield* stage
      const person = hubspot.records.create({ properties: { email: "asha@example.com" } })
      hubspot.records.deals.set("901", { dealname: "Shelves" })
      hubspot.records.dealContacts.set("901", person.id)
      const [asha, ben] = [yield* contactKnownAs("hubspot", person.id), yield* contactKnownAs("hubspot", "404")]
      const known = yield* ofContact(asha)
      assert.lengthOf(known, 1)
      hubspot.faults.hang = true
      assert.deepEqual(yield* ofContact(asha), known)
      const began = yield* Clock.currentTimeMillis
      assert.deepEqual(yield* ofContact(ben), [])
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 5_000)
      hubspot.faults.hang = false
      // One that does not let us read them is not asked about the next contact.
      hubspot.tokens.privateApps.clear()
      const [cleo, eva] = [yield* contactKnownAs("hubspot", person.id), yield* contactKnownAs("hubspot", person.id)]
      assert.deepEqual(yield* ofContact(cleo), [])
      const asked = hubspot.received.length
      assert.deepEqual(yield* ofContact(eva), [])
      assert.lengthOf(hubspot.received, asked)
    }).pipe(Effect.scoped)
  )
})
