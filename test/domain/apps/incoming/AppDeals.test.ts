/** The deal of a call, as the CRMs of the organization know it; a call never waits long for one. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import * as HubSpotSimulator from "../../../../simulators/crm/HubSpot.ts"
import * as SalesforceSimulator from "../../../../simulators/crm/Salesforce.ts"
import * as ZohoSimulator from "../../../../simulators/crm/ZohoCrm.ts"
import type { OAuthTokens } from "../../../../simulators/support/OAuthTokens.ts"
import { AppConnections } from "../../../../src/domain/apps/AppConnection.ts"
import type { AppProvider } from "../../../../src/domain/apps/Catalogue.ts"
import * as AppDeals from "../../../../src/domain/apps/incoming/AppDeals.ts"
import { Deals } from "../../../../src/domain/voice/calls/records/Deals.ts"
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
  return { hubspot, salesforce, zoho, find }
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
