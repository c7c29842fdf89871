/** The vendor's library as judge: what the simulated Salesforce answers is what jsforce reads, and what we send is what jsforce sends. */
import { assert, describe, it } from "@effect/vitest"
import { Connection, OAuth2 } from "@jsforce/jsforce-node"
import { Effect } from "effect"
import { type SalesforceRequest, salesforceClient, start } from "../../../simulators/crm/Salesforce.ts"
import type { AppChange, AppSession } from "../../../src/domain/apps/AppAdapter.ts"
import { makeOpenSession } from "../../../src/domain/apps/OpenSession.ts"
import * as Salesforce from "../../../src/integrations/salesforce/Salesforce.ts"
import { apiVersion } from "../../../src/integrations/salesforce/SalesforceRequests.ts"
import { exampleContact } from "../../support/exampleContact.ts"
import { withTestApps } from "../../support/testApps.ts"

const redirectUri = "https://app.example.test/api/integrations/oauth/callback"

const stage = Effect.gen(function* () {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const oauth2 = new OAuth2({
    ...{ loginUrl: simulator.url, clientId: salesforceClient.id, clientSecret: salesforceClient.secret, redirectUri }
  })
  const jsforce = new Connection({ oauth2, version: apiVersion.slice(1) })
  yield* Effect.promise(() => jsforce.authorize(simulator.tokens.agree(redirectUri)))
  const { open } = yield* makeOpenSession
  const { session } = open({
    ...{ organizationId: "org_test", provider: "salesforce", id: "con_test", settings: {} },
    credentials: { accessToken: String(jsforce.accessToken), instanceUrl: jsforce.instanceUrl }
  })
  return { simulator, jsforce, session }
})

const sentBy = (received: ReadonlyArray<SalesforceRequest>) =>
  received.map(({ method, path, query, body }) => ({ method, path, query: Object.fromEntries(query), body }))

const { push } = Salesforce.make({ loginUrl: "https://login.salesforce.com" })

const pushed = (session: AppSession, change: AppChange) =>
  push?.(session, { id: "syn_1", change, again: false, links: [] }, 0) ?? Effect.die("it tells Salesforce")

describe("jsforce", () => {
  it.live("authorizes, describes, queries, creates and is told the limits by the simulated Salesforce", () =>
    Effect.gen(function* () {
      const { jsforce, simulator } = yield* stage
      const { fields } = yield* Effect.promise(() => jsforce.describe("Contact"))
      assert.include(
        fields.map(({ name }) => name),
        "LastName"
      )
      const made = yield* Effect.promise(() => jsforce.sobject("Contact").create({ LastName: "Rao" }))
      assert.isTrue(made.success)
      const found = yield* Effect.promise(() =>
        jsforce.query("SELECT Id, LastName FROM Contact WHERE LastName = 'Rao'")
      )
      assert.deepInclude(found, { totalSize: 1, done: true })
      const refusal = yield* Effect.promise(() =>
        jsforce
          .sobject("Contact")
          .create({ FirstName: "Asha" })
          .then(
            () => undefined,
            (cause: Error & { errorCode?: string }) => cause
          )
      )
      assert.strictEqual(refusal?.errorCode, "REQUIRED_FIELD_MISSING")
      assert.deepEqual(jsforce.limitInfo.apiUsage, { used: simulator.limits.used, limit: 15_000 })
      simulator.tokens.expireAll()
      yield* Effect.promise(() => jsforce.query("SELECT Id FROM Contact"))
      assert.strictEqual(simulator.tokens.refreshed, 1)
    }).pipe(withTestApps, Effect.scoped)
  )

  it.live("sends what we send", () =>
    Effect.gen(function* () {
      const { jsforce, simulator, session } = yield* stage
      const { received } = simulator
      const contact = { ...exampleContact, phone: null }
      yield* pushed(session, { trigger: "contact.created", contact })
      const ours = sentBy(received.splice(0))
      const records = jsforce.sobject("Contact")
      const soql = `SELECT Id FROM Contact WHERE Email = '${contact.email}' ORDER BY LastModifiedDate DESC LIMIT 1`
      yield* Effect.promise(() => jsforce.query(soql))
      yield* Effect.promise(() => records.create({ Email: contact.email, FirstName: "Asha", LastName: "Rao" }))
      assert.deepEqual(ours, sentBy(received.splice(0)))
    }).pipe(withTestApps, Effect.scoped)
  )
})
